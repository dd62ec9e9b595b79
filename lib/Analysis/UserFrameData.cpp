//===- UserFrameData.cpp - What is no user code ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Model libraries (transformers, vllm, diffusers, timm, ...) are not on these lists: their frames
// say which part of the model it is, and that is what is asked. The user's own code outranks them
// with `user-code=`.
//===----------------------------------------------------------------------===//
#include "UserFrameData.h"

using namespace llvm;

namespace heddle {

StringRef libraryPackages() {
  return "torch torch_xla torchaudio torchtext torchao torchdata functorch triton "
         "triton_kernels numpy scipy pandas sklearn PIL cv2 jax jaxlib flax tensorflow keras "
         "flashinfer flash_attn flash_attn_2_cuda flash_attn_interface xformers sgl_kernel aiter "
         "deep_gemm deep_ep deepgemm bitsandbytes apex transformer_engine fbgemm_gpu cutlass cupy "
         "pynvml nvtx mamba_ssm causal_conv1d fla liger_kernel unsloth_zoo lightning "
         "pytorch_lightning lightning_fabric accelerate deepspeed ray horovod colossalai ignite "
         "einops safetensors tokenizers huggingface_hub datasets tqdm requests urllib3 httpx "
         "aiohttp uvicorn uvloop fastapi starlette pydantic pydantic_core zmq msgspec msgpack "
         "packaging typing_extensions setuptools pkg_resources _distutils_hack six attr attrs "
         "cloudpickle dill joblib psutil yaml omegaconf hydra absl click typer rich wandb "
         "tensorboard mlflow matplotlib IPython ipykernel jupyter_client ipywidgets traitlets "
         "tornado pytest _pytest pluggy hypothesis debugpy pydevd _pydevd_bundle coverage "
         "viztracer sympy networkx mpmath jinja2 filelock fsspec onnx onnxruntime tensorrt "
         "tensorrt_llm intel_extension_for_pytorch habana_frameworks torch_npu";
}

StringRef standardModules() {
  return "__future__ __main__ _abc _bootlocale _bootstrap _bootstrap_external _collections_abc "
         "_compression _markupbase _osx_support _py_abc _pydatetime _pydecimal _pyio _sitebuiltins "
         "_strptime _sysconfigdata _threading_local _weakrefset abc aifc antigravity argparse ast "
         "asynchat asyncio asyncore base64 bdb binhex bisect bz2 cProfile calendar cgi cgitb chunk "
         "cmd code codecs codeop collections colorsys compileall concurrent configparser "
         "contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm "
         "decimal difflib dis distutils doctest email encodings ensurepip enum filecmp fileinput "
         "fnmatch formatter fractions ftplib functools genericpath getopt getpass gettext glob "
         "graphlib gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io "
         "ipaddress json keyword lib2to3 linecache locale logging lzma mailbox mailcap mimetypes "
         "modulefinder multiprocessing netrc nntplib ntpath nturl2path numbers opcode operator "
         "optparse os pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib "
         "posixpath pprint profile pstats pty py_compile pyclbr pydoc queue quopri random re "
         "reprlib rlcompleter runpy sched secrets selectors shelve shlex shutil signal site smtpd "
         "smtplib sndhdr socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat "
         "statistics string stringprep struct subprocess sunau symbol symtable sysconfig tabnanny "
         "tarfile telnetlib tempfile textwrap this threading timeit tkinter token tokenize tomllib "
         "trace traceback tracemalloc tty turtle types typing unittest urllib uu uuid venv "
         "warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport "
         "zoneinfo";
}

ArrayRef<StringLiteral> libraryPaths() {
  static constexpr StringLiteral list[] = {
      "/torch/_",          "/torch/nn/",          "/torch/autograd/",
      "/torch/optim/",     "/torch/utils/",       "/torch/distributed/",
      "/torch/cuda/",      "/torch/fx/",          "/torch/profiler/",
      "/torch/amp/",       "/torch/overrides.py", "/torch/functional.py",
      "/triton/runtime/",  "/triton/backends/",   "/triton/compiler/",
      "/triton/language/", "/torchvision/ops/",   "/torchvision/transforms/",
      "/torchvision/io/",  "/triton/knobs.py",    "/triton/testing.py",
      "/aiter/ops/",       "/aiter/jit/",
  };
  return list;
}

ArrayRef<StringLiteral> generatedPaths() {
  static constexpr StringLiteral list[] = {"torchinductor_", "/torch_compile_cache/",
                                           "/inductor_cache/", ".triton/cache/"};
  return list;
}

ArrayRef<StringLiteral> wrapperPaths() {
  static constexpr StringLiteral list[] = {
      "vllm/_custom_ops.py",
      "vllm/_aiter_ops.py",
      "vllm/_ipex_ops.py",
      "vllm/utils/torch_utils.py",
      "vllm/forward_context.py",
      "vllm/envs.py",
      "vllm/model_executor/custom_op.py",
      "vllm/model_executor/parameter.py",
      "vllm/compilation/decorators.py",
      "vllm/compilation/wrapper.py",
      "vllm/compilation/cuda_graph.py",
      "vllm/compilation/caching.py",
      "vllm/compilation/piecewise_backend.py",
      "sglang/srt/custom_op.py",
      "sglang/srt/utils/kernel_shape_profiler.py",
      "torch_guard.py",
      "transformers/utils/generic.py",
      "transformers/utils/deprecation.py",
      "diffusers/hooks/hooks.py",
  };
  return list;
}

ArrayRef<StringLiteral> wrapperFunctions() {
  static constexpr StringLiteral list[] = {
      "__torch_function__",
      "__torch_dispatch__",
      "__getattr__",
      "__getattribute__",
      "wrapper",
      "_wrapper",
      "wrapped",
      "wrapped_fn",
      "decorate_context",
      "<listcomp>",
      "<genexpr>",
      "<dictcomp>",
      "<setcomp>",
  };
  return list;
}

ArrayRef<StringLiteral> decoratorFunctions() {
  static constexpr StringLiteral list[] = {"decorate_context", "wrapper", "_no_grad_wrapper",
                                           "_use_grad",        "inner",   "_fn"};
  return list;
}

ArrayRef<StringLiteral> wrapperModules() {
  static constexpr StringLiteral list[] = {"GraphModule", "OptimizedModule"};
  return list;
}

ArrayRef<OpSign> opSigns() {
  static constexpr OpSign list[] = {
      {"__enter__", "with"},
      {"__exit__", "with"},
      {"add", "+"},
      {"add_", "+="},
      {"bitwise_and", "&"},
      {"bitwise_not", "~"},
      {"bitwise_or", "|"},
      {"bitwise_xor", "^"},
      {"bmm", ""},
      {"cat", ""},
      {"conv2d", ""},
      {"div", "/"},
      {"div_", "/="},
      {"dropout", ""},
      {"embedding", ""},
      {"exp", ""},
      {"ge", ">="},
      {"gelu", ""},
      {"gt", ">"},
      {"layer_norm", ""},
      {"le", "<="},
      {"linear", ""},
      {"log", ""},
      {"lt", "<"},
      {"matmul", "@"},
      {"mean", ""},
      {"mm", ""},
      {"mul", "*"},
      {"mul_", "*="},
      {"neg", "unary -"},
      {"relu", ""},
      {"scaled_dot_product_attention", ""},
      {"sigmoid", ""},
      {"silu", ""},
      {"softmax", ""},
      {"sqrt", ""},
      {"stack", ""},
      {"sub", "-"},
      {"sub_", "-="},
      {"sum", ""},
      {"tanh", ""},
  };
  return list;
}

} // namespace heddle
