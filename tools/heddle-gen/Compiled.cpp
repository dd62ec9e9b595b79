//===- Compiled.cpp - Layers that torch.compile has compiled --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Compiled.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle::gen;
using llvm::StringRef;

namespace {

/// What a graph calls: a kernel that Inductor made, or an op of a library.
struct Piece {
  StringRef op; ///< Empty: Inductor's.
  StringRef kernel;
  int64_t ns;
  StringRef dims, strides, types, concrete;
};

constexpr StringRef rows = "[[8, 512, 768], [768], [8, 512, 768], [], []]",
                    rowStrides = "[[393216, 768, 1], [1], [393216, 768, 1], [], []]",
                    rowTypes = R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", )"
                               R"("Scalar"])",
                    rowConcrete = R"(["", "", "", "4096", "768"])",
                    wide = "[[4096, 3072], [4096, 3072], []]",
                    wideStrides = "[[3072, 1], [3072, 1], []]",
                    wideTypes = R"(["c10::BFloat16", "c10::BFloat16", "Scalar"])",
                    wideConcrete = R"(["", "", "12582912"])";

constexpr Piece forwardPieces[] = {
    {"", "triton_per_fused_native_layer_norm_0", 6400, rows, rowStrides, rowTypes, rowConcrete},
    {"aten::addmm", "", 47000, "", "", "", ""},
    {"aten::_flash_attention_forward", "", 52000, "", "", "", ""},
    {"aten::addmm", "", 19000, "", "", "", ""},
    {"", "triton_per_fused_add_native_layer_norm_1", 7900, rows, rowStrides, rowTypes, rowConcrete},
    {"aten::addmm", "", 61000, "", "", "", ""},
    {"", "triton_poi_fused_gelu_2", 8100, wide, wideStrides, wideTypes, wideConcrete},
    {"aten::addmm", "", 63000, "", "", "", ""},
    {"", "triton_poi_fused_add_3", 4800, rows, rowStrides, rowTypes, rowConcrete}};
constexpr Piece backwardPieces[] = {
    {"aten::mm", "", 63000, "", "", "", ""},
    {"aten::mm", "", 61000, "", "", "", ""},
    {"", "triton_red_fused_sum_0", 7300, wide, wideStrides, wideTypes, wideConcrete},
    {"", "triton_poi_fused_gelu_gelu_backward_1", 9600, wide, wideStrides, wideTypes, wideConcrete},
    {"aten::mm", "", 61000, "", "", "", ""},
    {"aten::mm", "", 47000, "", "", "", ""},
    {"", "triton_per_fused_add_native_layer_norm_backward_2", 11000, rows, rowStrides, rowTypes,
     rowConcrete},
    {"aten::_flash_attention_backward", "", 98000, "", "", "", ""},
    {"aten::mm", "", 47000, "", "", "", ""}};

/// The name of generated code, as Inductor makes it from the code.
std::string codeHash(const Worker &w, char first, uint64_t of) {
  Random random(w.options.seed, 0x636f6465 + of);
  std::string hash(1, first);
  while (hash.size() < 52)
    hash += "abcdefghijklmnopqrstuvwxyz234567"[random.below(32)];
  return hash;
}

/// What Inductor's launcher tells of a kernel.
Args tritonArgs(const Worker &w, const Piece &piece, uint64_t code) {
  Args args;
  bool pointwise = piece.kernel.contains("_poi_");
  if (w.options.shapes) {
    args.push_back({"Input Dims", Value::list(piece.dims.str())});
    args.push_back({"Input Strides", Value::list(piece.strides.str())});
    args.push_back({"Input type", Value::list(piece.types.str())});
    args.push_back({"Concrete Inputs", Value::list(piece.concrete.str())});
  }
  std::string hash = codeHash(w, 'c', code);
  args.push_back({"num_warps", Value::integer(pointwise ? 4 : 8)});
  args.push_back({"stream", Value::integer(w.options.vendor == Vendor::Rocm ? 615352160 : 0)});
  args.push_back({"kernel_backend", Value::string("triton")});
  args.push_back({"kernel_name", Value::string(piece.kernel)});
  args.push_back(
      {"kernel_kwargs", Value::string(pointwise ? "XBLOCK=1024" : "XBLOCK=1,R0_BLOCK=1024")});
  args.push_back({"num_stages", Value::integer(1)});
  args.push_back({"kernel_file", Value::string("/tmp/torchinductor_root/" + hash.substr(1, 2) +
                                               "/" + hash + ".py")});
  args.push_back({"kernel_hash", Value::string(hash)});
  return args;
}

/// The kernel of a library's op, the same as without compiling.
StringRef libraryKernel(StringRef op) {
  for (const OpSpec &spec : layerOps()) {
    if (spec.forward.op == op)
      return spec.forward.name;
    for (const KernelSpec &gradient : spec.gradients)
      if (gradient.op == op)
        return gradient.name;
  }
  return "";
}

void runGraph(Worker &w, unsigned t, llvm::ArrayRef<Piece> pieces, uint64_t graph) {
  w.open(t, EventClass::Annotation, "## Call CompiledFxGraph " + codeHash(w, 'f', graph) + " ##");
  w.work(t, 3100);
  for (const Piece &piece : pieces) {
    bool inductor = piece.op.empty();
    auto code = graph * 100 + static_cast<uint64_t>(&piece - pieces.data());
    w.open(t, EventClass::CpuOp, inductor ? piece.kernel : piece.op,
           inductor ? tritonArgs(w, piece, code) : Args());
    w.work(t, inductor ? 3400 : 2300);
    Launch what;
    what.name = inductor ? piece.kernel : libraryKernel(piece.op);
    what.gemm = piece.op == "aten::addmm" || piece.op == "aten::mm";
    what.driver = inductor;
    what.duration =
        w.random.around(std::max<int64_t>(1300, piece.ns * w.options.kernelScale / 100), 8);
    what.stream = w.computeStream();
    w.launch(t, what);
    if (inductor)
      w.planted[{w.step, "triton-kernels"}] += 1;
    w.work(t, 600);
    w.close(t);
    w.work(t, 900);
  }
  w.work(t, 1200);
  w.close(t);
  w.planted[{w.step, "compiled-graphs"}] += 1;
}

} // namespace

Forward heddle::gen::compiledForward(Worker &w, int64_t layer, int64_t sequence) {
  unsigned t = Worker::main;
  w.frame("torch/_dynamo/eval_frame.py(736): compile_wrapper");
  w.work(t, 1800);
  // Guards are looked up each time: the layers share their code, but not what it was compiled for.
  w.open(t, EventClass::CpuOp, "TorchDynamo Cache Lookup");
  w.work(t, 14000 + 700 * layer);
  w.close(t);
  w.work(t, 600);
  w.open(t, EventClass::CpuOp, "Torch-Compiled Region: 0/" + std::to_string(layer));
  w.work(t, 2600);
  w.open(t, EventClass::CpuOp, "AOTDispatcher Runtime Wrapper Prologue");
  w.work(t, 5200);
  w.close(t);
  w.work(t, 800);
  uint32_t event =
      w.open(t, EventClass::CpuOp, "CompiledFunction",
             {{"Sequence number", Value::integer(sequence)}, {"Fwd thread id", Value::integer(0)}});
  w.work(t, 3900);
  runGraph(w, t, forwardPieces, 1);
  w.work(t, 2100);
  w.close(t);
  w.work(t, 700);
  w.close(t);
  w.planted[{w.step, "compiled-regions"}] += 1;
  w.work(t, 900);
  w.endFrame();
  return {nullptr, event, sequence, 0};
}

void heddle::gen::compiledBackward(Worker &w, const Forward &forward) {
  unsigned t = Worker::autograd;
  Args args = {{"Sequence number", Value::integer(forward.sequence)},
               {"Fwd thread id", Value::integer(1)}};
  w.open(t, EventClass::CpuOp, "autograd::engine::evaluate_function: CompiledFunctionBackward",
         args);
  w.work(t, 1500);
  uint32_t node = w.open(t, EventClass::CpuOp, "CompiledFunctionBackward", args);
  w.trace.events[node].forward = forward.event;
  w.work(t, 4700);
  runGraph(w, t, backwardPieces, 2);
  w.work(t, 1500);
  w.close(t);
  w.work(t, 700);
  w.close(t);
  w.work(t, 800);
}
