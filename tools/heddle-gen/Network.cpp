//===- Network.cpp - The ops of the made-up network -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Network.h"

using namespace heddle::gen;
using llvm::StringRef;

namespace {

constexpr llvm::StringLiteral gemm64("nvjet_tst_64x8_64x16_4x1_v_bz_TNT"),
    gemm128("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_"
            "execute_segment_k_off_kernel__5x_cublas"),
    layerNorm("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, "
              "float, false>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 "
              "const*, float*, float*, c10::BFloat16*)"),
    layerNormGrad("void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<"
                  "c10::BFloat16, float, false>(c10::BFloat16 const*, c10::BFloat16 const*, float "
                  "const*, float const*, c10::BFloat16 const*, c10::BFloat16*, int)"),
    layerNormWeights("void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<"
                     "c10::BFloat16, float, 32u, 1u, 32u, true, false, false>(long, long, "
                     "c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, "
                     "c10::BFloat16*, c10::BFloat16*)"),
    attention(
        "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, "
        "128, 4, false, false, cutlass::bfloat16_t> >(pytorch_flash::Flash_fwd_params)"),
    attentionGrad("void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<pytorch_flash::"
                  "Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::"
                  "bfloat16_t> >(pytorch_flash::Flash_bwd_params)"),
    reduce(
        "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::"
        "func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, c10::"
        "BFloat16> >, unsigned int, c10::BFloat16, 4, 4> >(at::native::ReduceOp<c10::BFloat16, "
        "at::native::func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, "
        "c10::BFloat16> >, unsigned int, c10::BFloat16, 4, 4>)"),
    addition("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::"
             "BFloat16>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, "
             "std::array<char*, 3ul>)"),
    gelu(
        "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::"
        "TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}"
        "::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, ...)"),
    geluGrad(
        "void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernel"
        "Impl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::"
        "{lambda(c10::BFloat16, c10::BFloat16)#1}, std::array<char*, 3ul> >(int, ...)"),
    softmax("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, "
            "false>(float*, float const*, int, int, int, bool const*, int, bool)"),
    softmaxGrad("void (anonymous namespace)::softmax_warp_backward<float, float, float, 10, true, "
                "false>(float*, float const*, float const*, int, int, int, bool const*)"),
    loss("void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, "
         "float, long>(float*, float*, float const*, long const*, float const*, bool, long, long, "
         "long, long)"),
    lossGrad(
        "void at::native::(anonymous namespace)::nll_loss_backward_reduce_cuda_kernel_2d<float, "
        "long>(float*, float const*, long const*, float const*, float const*, bool, int, int, "
        "long, long)"),
    adam("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
         "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::"
         "FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, "
         "double, double, double, double, bool, float*, float*>(...)"),
    allReduce("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
    reduceScatter("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
    allGather("ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
    allReduceRocm("ncclDevKernel_Generic(ncclDevComm*, channelMasks, ncclWork*)");

constexpr KernelSpec linearGrads[] = {{"aten::mm", gemm128, 43000, true},
                                      {"aten::mm", gemm128, 47000, true},
                                      {"aten::sum", reduce, 6200}};
constexpr KernelSpec normGrads[] = {{"", layerNormGrad, 9100}, {"", layerNormWeights, 7800}};
constexpr KernelSpec attentionGrads[] = {{"aten::_flash_attention_backward", attentionGrad, 98000}};
constexpr KernelSpec geluGrads[] = {{"aten::gelu_backward", geluGrad, 10200}};
constexpr KernelSpec lossGrads[] = {{"aten::nll_loss_backward", lossGrad, 3900}};
constexpr KernelSpec softmaxGrads[] = {{"aten::_log_softmax_backward_data", softmaxGrad, 6900}};

constexpr llvm::StringLiteral linearTypes(R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])"),
    linearDims("[[8, 512, 768], [768, 768], [768]]"), linearConcrete(R"(["", "", ""])");
constexpr OpSpec norm = {"aten::layer_norm",
                         {"aten::native_layer_norm", layerNorm, 7300},
                         "NativeLayerNormBackward0",
                         normGrads,
                         true,
                         "LayerNorm",
                         R"(["c10::BFloat16", "ScalarList", "c10::BFloat16", "Scalar", "Scalar"])",
                         "[[8, 512, 768], [], [768], [], []]",
                         R"(["", "[768]", "", "1.0000000000000001e-05", "True"])"};
constexpr OpSpec linear(StringRef kernel, int64_t ns) {
  return {"aten::linear",
          {"aten::addmm", kernel, ns, true},
          "AddmmBackward0",
          linearGrads,
          true,
          "Linear",
          linearTypes,
          linearDims,
          linearConcrete};
}
constexpr OpSpec residual = {"aten::add",
                             {"", addition, 5100},
                             "AddBackward0",
                             {},
                             false,
                             "",
                             R"(["c10::BFloat16", "c10::BFloat16", "Scalar"])",
                             "[[8, 512, 768], [8, 512, 768], []]",
                             R"(["", "", "1"])"};
constexpr OpSpec layer[] = {
    norm,
    linear(gemm128, 47000),
    {"aten::scaled_dot_product_attention",
     {"aten::_flash_attention_forward", attention, 52000},
     "ScaledDotProductFlashAttentionBackward0",
     attentionGrads,
     false,
     "",
     R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "", "Scalar", "Scalar"])",
     "[[8, 12, 512, 64], [8, 12, 512, 64], [8, 12, 512, 64], [], [], []]",
     R"(["", "", "", "", "0.", "True"])"},
    linear(gemm64, 19000),
    residual,
    norm,
    linear(gemm128, 61000),
    {"aten::gelu",
     {"", gelu, 8400},
     "GeluBackward0",
     geluGrads,
     false,
     "GELU",
     R"(["c10::BFloat16", ""])",
     "[[8, 512, 3072], []]",
     R"(["", "none"])"},
    linear(gemm128, 63000),
    residual};
constexpr OpSpec head[] = {{"aten::log_softmax",
                            {"aten::_log_softmax", softmax, 5600},
                            "LogSoftmaxBackward0",
                            softmaxGrads,
                            false,
                            "",
                            R"(["float", "Scalar", ""])",
                            "[[4096, 1000], [], []]",
                            R"(["", "1", ""])"},
                           {"aten::nll_loss",
                            {"aten::nll_loss_forward", loss, 3800},
                            "NllLossBackward0",
                            lossGrads,
                            false,
                            "",
                            R"(["float", "long int", "", "Scalar", "Scalar"])",
                            "[[4096, 1000], [4096], [], [], []]",
                            R"(["", "", "", "1", "-100"])"}};

} // namespace

llvm::ArrayRef<OpSpec> heddle::gen::layerOps() { return layer; }
llvm::ArrayRef<OpSpec> heddle::gen::lossOps() { return head; }
StringRef heddle::gen::optimizerKernel() { return adam; }
StringRef heddle::gen::allReduceKernel(bool rocm) { return rocm ? allReduceRocm : allReduce; }
// RCCL's kernel does not tell what it does.
StringRef heddle::gen::reduceScatterKernel(bool rocm) {
  return rocm ? allReduceRocm : reduceScatter;
}
StringRef heddle::gen::allGatherKernel(bool rocm) { return rocm ? allReduceRocm : allGather; }
