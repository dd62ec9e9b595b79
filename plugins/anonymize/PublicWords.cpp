//===- PublicWords.cpp - What may stay as it is ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "PublicWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace llvm;

namespace heddle::anonymize {
namespace {

/// Namespaces and prefixes of public libraries. Source: PyTorch, its libraries, CUDA, ROCm, C++.
constexpr StringLiteral kNamespaces =
    "aten prim prims prims_torch at c10 c10d c10d_functional _c10d_functional torch torchvision "
    "torchaudio torch_npu profiler quantized _quantized inductor std cub thrust cutlass cute "
    "nccl rccl fbgemm fbgemm_gpu cudnn cublas cublasLt cusparse cufft curand hipcub rocprim "
    "rocblas miopen flash pytorch_flash fmha_cutlassF fmha_cutlassB __gnu_cxx __nv_bool cuda "
    "cooperative_groups";

/// Identifiers that recorders and frameworks write everywhere. Source: Kineto and PyTorch
/// (annotations, names of threads, groups), c10d's collectives and backends, JSON's words, types.
constexpr StringLiteral kBase =
    "ProfilerStep PyTorch Profiler __cupti_profiler__ Optimizer step zero_grad DataLoader DataPipe "
    "enumerate __next__ _SingleProcessDataLoaderIter _MultiProcessingDataLoaderIter "
    "DistributedDataParallel DataParallel FullyShardedDataParallel forward backward dynamo_timed "
    "Adam AdamW FusedAdam Adagrad SGD RMSprop Adamax NAdam RAdam Adadelta ASGD LBFGS Rprop "
    "SparseAdam "
    "execute_context Iteration "
    "gc collect garbage collection garbage_collection built in function method of "
    "thread stream process device Device name labels sort index thread_name thread_sort_index "
    "process_name process_labels process_sort_index process_uptime_seconds num_cpus "
    "Plane Step AI_CORE AI_CPU EVENT_RECORD EVENT_WAIT NOTIFY_RECORD NOTIFY_WAIT MEMCPY_ASYNC "
    "MODEL_EXECUTE MODEL_MAINTAINCE STREAM_WAIT_EVENT PROFILER_TRACE_EX SDMA SDMA_SQE PCIE_DMA "
    "PCIE_DMA_SQE "
    "AscendCL CANN HCCL Ascend Hardware Overlap Analysis Communication CPU GPU XPU MTIA NPU HPU "
    "cpu gpu cuda hip xpu functions Host host Traces Trace "
    "pt_main_thread pt_autograd pt_data_worker pt_nccl_watchdg pt_nccl_heartbt pt_tcpstore_uv "
    "default_pg undefined pg rank world_size "
    "nccl gloo ucc mpi xccl hccl rccl oneccl NCCL RCCL HCCL "
    "all_reduce allreduce _allreduce all_gather allgather _all_gather_base _allgather_base "
    "all_gather_into_tensor reduce_scatter _reduce_scatter_base reduce_scatter_tensor "
    "all_to_all all_to_all_single alltoall alltoall_base alltoallv broadcast reduce gather scatter "
    "send recv barrier wait all_reduce_barrier coalesced allreduce_coalesced "
    "allgather_into_tensor_coalesced reduce_scatter_tensor_coalesced isend irecv init "
    "true false null None True False nan NaN inf Infinity "
    "ms ns us python python3 main memory OutOfMemory ac2g fwdbwd async async_gpu async_npu "
    "float double half int long bool char short byte void unsigned signed const Float Double Half "
    "Int Long Bool Char Short Byte BFloat16 Float8_e4m3fn Float8_e5m2 ComplexFloat ComplexDouble "
    "Scalar ScalarList TensorList GenericList contiguous_format channels_last strided "
    "sum avg max min product stdin";

/// What recorders call their own rows. Source: Kineto, CUPTI, torch_npu.
constexpr StringLiteral kRecorder =
    "Memcpy Memset HtoD DtoH DtoD HtoH PtoP HtoA AtoH AtoA AtoD DtoA HostToDevice DeviceToHost "
    "DeviceToDevice Pageable Pinned Managed Unified Array Unknown Static Event Stream Wait Context "
    "Sync Buffer Flush Activity Request Lazy Function Loading Command Full Resource "
    "Instrumentation "
    "Other AI_CPU AI_CORE EVENT_RECORD EVENT_WAIT EVENT_RESET NOTIFY_WAIT NOTIFY_RECORD "
    "MEMCPY_ASYNC LOCAL SDMA PCIE HCCS ON_CHIP INVALID_TYPE FP32 FP16 INT8 triton "
    "evaluate_function autograd engine CppNode AccumulateGrad record_param_comms CompiledFunction "
    "CompiledFunctionBackward TorchDynamo Cache Lookup Compiled Region Torch op fallback_function";

/// Words of PyTorch's operators, of which also the nodes of autograd and the kernels of Inductor
/// are named. Source: names of aten:: operators.
constexpr StringLiteral kOpWords =
    "abs aclnn adaptive add addcdiv addcmul addmm addmv addr alias all amax amin and any arange "
    "argmax argmin argsort as atan attention autocast avg backward baddbmm batch bce bernoulli "
    "bilinear bicubic binary bitwise bmm broadcast bucketize cast cat ceil channel check chunk "
    "clamp clone concat conj constant contiguous conv convolution copy cos cosh count cross cudnn "
    "cummax cumprod cumsum dense detach diag diagonal diff dim distance div divide dot double "
    "dropout dtype efficient einsum elu embedding empty entropy eq erf erfc exp expand expm eye "
    "fft fill flash flatten flip float floor foreach forward fractional frac from full function "
    "fused gather ge gelu glu grad grid group gru gt half hardtanh hardswish histc huber hypot "
    "iand im index indices inplace input instance int interleave inverse ior irfft is isclose "
    "isfinite isinf isnan item kl layer le lerp lift like linalg linear list local log logical "
    "logit logits logsumexp loss lstm lt margin masked matmul max maximum maxpool mean median "
    "memory min minimum miopen mish mkldnn mm mode movedim mse mul multi multinomial mv nan "
    "narrow native nd ne nearest neg nested new nll non nonzero norm normal not npu num numpy "
    "one ones or pack packed pad permute pin pinned pixel point poisson polar pool pooled "
    "pooling pow precision prelu prod product put qkv quantile quantize quantized rand randint "
    "randn random randperm range real reciprocal record reduce reduction reflection reinterpret "
    "relu remainder renorm repeat replication reshape resize resolve result rfft rms roll rot "
    "round rsqrt rsub rrelu scalar scaled scatter search searchsorted segment select selecting "
    "self selu set shallow shuffle sigmoid sign silu sin sinh size sizes slice smooth softmax "
    "softplus softshrink sort sparse split sqrt square squeeze std stack stft strided stream "
    "stride sub sum svd swap take tan tanh tensor tensordot tensors threshold tile to topk trace "
    "transpose trapezoid triangular tril triplet triu trunc type unbind unflatten unfold uniform "
    "unique unpool unsafe unsqueeze unpack upsample value values var vector view wait weight "
    "where with xlogy xor zero zeros scatter reduce optimizer nodes";

/// Words of kernels. Source: kernels of PyTorch, cuDNN, cuBLAS, CUTLASS, NCCL, Triton's Inductor
/// names, Tensile, Composable Kernel, MIOpen, FBGEMM, FlashAttention as recorded.
constexpr StringLiteral kKernelWords =
    "kernel storage lambda anonymous namespace operator gemm tensorop triton poi red per tem "
    "cutlass align "
    "cijk ailk bljk alik bjlk sgemm dgemm hgemm cgemm zgemm igemm gemv gemmk volta ampere turing "
    "pascal maxwell kepler hopper blackwell implicit scudnn hcudnn icudnn nhwc nchw nhwckrsc krsc "
    "hwc chw xmma tilesize warpsize stage stages warpgroupsize wgrad dgrad fprop dgrad xregs ldg "
    "wmma mma hmma imma mfma compute reduce reducer elementwise vectorized unrolled functor array "
    "loader store calculator offset trivial legacy apply apply multi tensor depth metadata "
    "arg args params param launch bounds block grid thread threads threadblock multistage "
    "pipeline epilogue prologue kernel specialized specialization persistent cooperative "
    "pingpong warp lane cluster tma sched async policy iterator layout row column major affine "
    "strided batched grouped group split splitk splitkreduce slice sliced largek lds sn nn nt tn "
    "tt rowwise adagrad adam sgd lamb fused foreach embedding codegen forward backward weighted "
    "unweighted radix scan sort merge histogram onesweep exclusive inclusive device select if "
    "flagged unique by key transform iterator counting for each lookback spine tail final init "
    "large small medium simple indexed contig aligned vec bfloat half float double bool int long "
    "char short uint ulonglong complex opaque type native cuda hip rocclr amd copybuffer "
    "copy buffer fillbuffer fill buffer distribution philox nullary generator seed softmax "
    "warp spatial persistent blockwise layernorm rmsnorm batchnorm groupnorm norm invstd "
    "welford stat stats mean var rstd gamma beta grad moments cu gammabeta fmha flash fwd bwd "
    "splitkv combine attn attention mha cross entropy nll crop rotary rope cache reshape and cat "
    "catarray batched copy contiguous pointwise activation act gelu silu swiglu swi glu "
    "upsample pool pooling avg max interior im col conv convolution winograd nonfused fft direct "
    "precomputed engine dyn gbuf operation operand nccl dev kernel ring tree ll simple nvls "
    "collnet sum prod all gather allgather allreduce reducescatter scatter broadcast sendrecv "
    "send recv alltoall generic nvjet cublas lt sparse dense csr coo bsr coop linear combination "
    "relu bias addmm out permute transpose shared memory tensors block sum norms clip master "
    "topk moe expert experts routing gate gating quant quantize dequant fp bf tf nf mx scale "
    "scales amax awq gptq marlin machete w a activation paged kv kvcache varlen decode prefill "
    "causal mla swizzle wise tensorwise channel per token deep symm mem multimem one two shot "
    "device cross lookup codegen lengths pooled embs recat bound indices segments sequence "
    "to from with sm sass simt xdl cshuffle gridwise traits tuple pack op ops op math "
    "functional add mul div sub pow sqrt rsqrt cos sin tanh exp log sigmoid where index put "
    "indexing searchsorted bucketize nonzero masked write combine dropout random bernoulli "
    "uniform normal flip roll pad constant reflection arange linspace eye tril triu range "
    "lerp clamp compare eq ne lt le gt ge bitwise logical not binary unary ternary internal "
    "conversion convert nhwctonchw nchwtonhwc ptr data t f h s d c z b n k m g u v x y void";

/// Words of runtime and driver calls, behind a vendor's prefix. Source: the CUDA, HIP,
/// oneAPI and CANN manuals.
constexpr StringLiteral kCallPrefixes = "hiprtc nvrtc cuda cu hip hsa ze sycl ur piext piEnqueue "
                                        "piQueue piProgram piEvents aclrt aclnn "
                                        "aclop aclmdl mtia xpu runFunction synchronizeStream";
constexpr StringLiteral kCallWords =
    "A Access Active Add Address Advise Alloc Allocate Api Array Async At Attach Attribute "
    "Attributes Batch Begin Blocks Buffer By C Cache Capabilities Capture Capturing Child Choose "
    "Clear Clone Cluster Clusters Code Command Compile Compute Config Context Cooperative Copy "
    "Count Create Ctx Current D Data Default Destroy Detach Device Devices Dimension Driver Dto "
    "Edge Elapsed Enable Enabled End Entry Error Event Events Ex Exchange Exec Export Ext "
    "Extent External Fault Fetch Find Flags Flush Free From Func Function Functions Gl Get Global "
    "Graph Graphs Granularity H Handle Hint Host Hto Id Image Import Impl In Info Init Initialize "
    "Instantiate Interop Ipc Is Kernel Last Launch Legacy Level Library Limit Link Linker List "
    "Load Local Log Lto Make Malloc Managed Map Mapped Max Mem Memcpy Memory Memset Mipmapped Mode "
    "Module Multi Multicast Multiprocessor Name Node Nodes Occupancy Of Op Open Or Param Params "
    "Peek Peer Per Permanent Pitch Pointer Pool Prefetch Primary Priority Private Process Profiler "
    "Program Properties Property Ptr Ptx Queue Quantum Query Range Record Register Release Remove "
    "Reserve Reset Resource Resources Retain Rto Runtime S Where Semaphore Semaphores Set Setup "
    "Shared Shareable Signal Size Start State Status Stop Stream Streams Sub Support Surface "
    "Symbol "
    "Synchronize Tensor Texture Thread Threads Time To Transfer Trim U Unload Unmap Unregister "
    "Update Upload Usage Use User Uuid V Value Values Variables Version Virtual Wait Warp With "
    "Workspace Write X ptsz ptds spt v To D H Async Bind Spec "
    "Append Binary Commands Enqueue Events Execute Exp Fence Fill Finalize Finish Group Hcc IL "
    "And Block Build File Immediate Lists M Physical Potential R RI Read Region Select Timeout USM "
    "Wait Command";

/// What Python and its builtins write. Source: CPython, and torch.nn's classes.
constexpr StringLiteral kPython =
    "built in function method of type object at module class nn Module frozen string stdin lambda "
    "genexpr listcomp dictcomp setcomp locals "
    "len isinstance issubclass getattr hasattr setattr delattr id callable append extend get items "
    "keys values update pop popitem insert remove clear copy sort index count join split strip "
    "lstrip rstrip startswith endswith format replace lower upper encode decode find add discard "
    "max min sum abs all any sorted iter next hash repr print open read write close flush exec "
    "eval compile perf_counter perf_counter_ns time monotonic sleep collect acquire release "
    "list dict set tuple str int float bool bytes bytearray PyCapsule Tensor Parameter "
    "_ParameterMeta _TensorMeta defaultdict OrderedDict deque collections generator NoneType "
    "__call__ __init__ __new__ __next__ __iter__ __enter__ __exit__ __getitem__ __setitem__ "
    "__len__ __del__ __instancecheck__ __subclasscheck__ __getattr__ __setattr__ __contains__ "
    "__eq__ __hash__ __str__ __repr__ __get__ __set__ __setstate__ __getstate__ __build_class__ "
    "Linear Conv1d Conv2d Conv3d ConvTranspose2d BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm "
    "GroupNorm RMSNorm SyncBatchNorm InstanceNorm2d ReLU ReLU6 GELU SiLU Sigmoid Tanh Softmax "
    "LogSoftmax LeakyReLU ELU Hardswish Hardsigmoid Identity Flatten Dropout Dropout2d Embedding "
    "EmbeddingBag Sequential ModuleList ModuleDict MaxPool1d MaxPool2d AvgPool2d "
    "AdaptiveAvgPool2d AdaptiveMaxPool2d Upsample PixelShuffle LSTM GRU RNN MultiheadAttention "
    "Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder "
    "TransformerDecoderLayer CrossEntropyLoss MSELoss NLLLoss BCELoss BCEWithLogitsLoss L1Loss "
    "SmoothL1Loss DataParallel DistributedDataParallel";

/// Python packages whose source is public. Source: PyTorch and what it depends on.
constexpr StringLiteral kPackages =
    "torch torchvision torchaudio torch_npu triton numpy functorch torchgen pytorch_triton "
    "tqdm typing_extensions sympy fsspec packaging filelock networkx PIL transformers accelerate "
    "deepspeed apex xformers flash_attn vllm fbgemm_gpu torchrec lightning pytorch_lightning";

/// Modules of Python's standard library, as file names and frozen modules.
constexpr StringLiteral kModules =
    "threading queue contextlib functools typing types inspect abc _abc collections "
    "_collections_abc copy copyreg enum os posixpath genericpath ntpath codecs re sre_parse "
    "sre_compile random tempfile weakref _weakrefset warnings logging json pickle socket selectors "
    "multiprocessing concurrent asyncio subprocess importlib runpy string struct "
    "operator heapq bisect itertools dataclasses traceback linecache tokenize ast dis opcode "
    "gzip io shutil pathlib urllib hashlib uuid datetime calendar statistics fractions numbers "
    "decimal locale platform signal timeit cProfile pstats unittest ctypes zipimport _bootstrap "
    "_bootstrap_external site";

/// Parts of the paths of Python and of traces.
constexpr StringLiteral kPath =
    "usr lib lib64 bin local opt conda miniconda3 anaconda3 site packages dist python python3 "
    "json gz pt trace ht hb txt py so pyc chrome rank stdin profiler dev shm tmp";

/// Makers and lines of devices. Source: what CUDA, HIP and Level Zero call their devices.
constexpr StringLiteral kDevice =
    "NVIDIA Tesla Quadro GeForce TITAN RTX GTX Ti SUPER Max Q Laptop GPU Graphics Device NVL "
    "PCIe PCIE Ada Generation Blackwell Hopper Ampere Grace Jetson Orin Xavier Server Edition "
    "Workstation MIG AMD Instinct Radeon Pro VII XT XTX PRO Intel Data Center Arc Flex Series "
    "Iris Xe UHD Ascend MTIA Gaudi HL";

/// Ids of what reading mends and notes. Source: the importer.
constexpr StringLiteral kCounts =
    "absurd-duration bad-token broken-tail byte-order-mark control-character duplicate-key "
    "empty-event invalid-utf8 missing-comma missing-duration missing-name negative-duration "
    "not-a-number null-args quoted-number skipped-event split-negative stray-comma "
    "trailing-garbage trailing-gzip truncated truncated-gzip unclosed-array unescaped-quote "
    "unknown-escape no-category ambiguous-launch second-activity-of-launch "
    "activity-before-launch launch-without-activity activity-without-launch "
    "device-differs-on-row stream-differs-on-row non-object-event base-beside-absolute-time "
    "unknown-base zero-time repeated-thread-name sub-ns-time no-time raw-layout raw-number "
    "partial-overlap long-string further-processes unbound-flow dangling-flow launch-by-flow "
    "backward-without-forward buffer-overflow unmatched-begin unmatched-end";

void fill(StringSet<> &set, StringRef words) {
  SmallVector<StringRef, 0> list;
  words.split(list, words.contains('\n') ? '\n' : ' ', -1, /*KeepEmpty=*/false);
  for (StringRef w : list)
    set.insert(w);
}

/// The words of an identifier: runs of lower-case letters with one capital before, runs of
/// capitals, runs of digits. False if it has another character.
bool splitWords(StringRef text, SmallVectorImpl<StringRef> &words) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '_') {
      ++i;
      continue;
    }
    size_t begin = i;
    if (isDigit(text[i])) {
      while (i < text.size() && isDigit(text[i]))
        ++i;
    } else if (isUpper(text[i])) {
      while (i < text.size() && isUpper(text[i]))
        ++i;
      if (i < text.size() && isLower(text[i])) {
        if (i - begin > 1)
          --i; // the last capital begins the next word
        else
          while (i < text.size() && isLower(text[i]))
            ++i;
      }
    } else if (isLower(text[i])) {
      while (i < text.size() && isLower(text[i]))
        ++i;
    } else {
      return false;
    }
    words.push_back(text.slice(begin, i));
  }
  return true;
}

} // namespace

PublicWords::PublicWords() {
  auto wholeIn = [&](Where scope) -> StringSet<> & { return whole[static_cast<unsigned>(scope)]; };
  fill(wholeIn(Where::Base), kBase);
  for (Where s : {Where::Note, Where::Op, Where::Kernel, Where::Api, Where::Python})
    fill(wholeIn(s), kBase);
  for (Where s : {Where::Op, Where::Kernel, Where::Api})
    fill(wholeIn(s), kRecorder);
  fill(wholeIn(Where::Python), kPython);
  fill(wholeIn(Where::Path), kPath);
  fill(wholeIn(Where::Device), kDevice);
  fill(opWords, kOpWords);
  fill(kernelWords, kKernelWords);
  fill(callWords, kCallWords);
  fill(namespaces, kNamespaces);
  fill(keys, publicKeyLines());
  fill(categories, publicCategoryLines());
  fill(counts, kCounts);
  fill(packages, kPackages);
  fill(modules, kModules);
}

bool PublicWords::onlyWords(StringRef identifier, Where scope) const {
  SmallVector<StringRef, 16> words;
  if (!splitWords(identifier, words))
    return false;
  bool afterShort = false; // side by side, short words spell longer ones: AcMeCo
  return all_of(words, [&](StringRef w) {
    bool wasShort = std::exchange(afterShort, false);
    if (isDigit(w.front()))
      return true;
    SmallString<32> lower;
    for (char c : w)
      lower.push_back(toLower(c));
    if (opWords.contains(lower) || lower == "backward" ||
        (scope == Where::Kernel && kernelWords.contains(lower)))
      return true;
    afterShort = true;
    return scope == Where::Kernel && w.size() <= 2 && !wasShort;
  });
}

bool PublicWords::isPublic(StringRef identifier, Where scope) const {
  if (identifier.size() == 1 && isAlpha(identifier[0]))
    return true;
  const StringSet<> &set = whole[static_cast<unsigned>(scope)];
  if (set.contains(identifier))
    return true;
  // `rank3`, `Linear_0`: a public word with a number.
  StringRef stem = identifier.rtrim("0123456789").rtrim('_');
  if (stem.size() > 1 && stem.size() != identifier.size() && set.contains(stem))
    return true;
  if (scope == Where::Op && identifier.starts_with("triton_")) // Inductor's, named as its kernel
    scope = Where::Kernel;
  if (scope == Where::Op || scope == Where::Kernel)
    return onlyWords(identifier, scope);
  if (scope == Where::Api)
    return publicPrefixOfCall(identifier) == identifier.size();
  if (scope != Where::Device)
    return false;
  // H100, MI300X, 80GB, HBM3, SXM4: few letters, a number, few letters.
  StringRef rest = identifier.ltrim("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  size_t head = identifier.size() - rest.size();
  StringRef tail = rest.ltrim("0123456789");
  return head <= 3 && rest.size() - tail.size() >= 1 && rest.size() - tail.size() <= 4 &&
         tail.size() <= 2 && all_of(tail, [](char c) { return isUpper(c) || c == 's'; });
}

size_t PublicWords::publicPrefixOfCall(StringRef identifier) const {
  StringRef rest = identifier;
  SmallVector<StringRef, 16> prefixes;
  kCallPrefixes.split(prefixes, ' ');
  if (none_of(prefixes, [&](StringRef p) { return rest.consume_front(p); }))
    return 0;
  SmallVector<StringRef, 16> words;
  splitWords(rest, words);
  size_t end = identifier.size() - rest.size();
  for (StringRef w : words) {
    if (!isDigit(w.front()) && !callWords.contains(w))
      return end;
    end = static_cast<size_t>(w.end() - identifier.begin());
  }
  // Underscores may end it; anything that is no word ended the list before.
  return identifier.drop_front(end).ltrim('_').empty() ? identifier.size() : end;
}

} // namespace heddle::anonymize
