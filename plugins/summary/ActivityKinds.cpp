//===- ActivityKinds.cpp - Kinds of device work by name -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ActivityKinds.h"
#include "heddle/IR/Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace llvm;

namespace {
/// Lower-case text that a kernel's name holds, and the kind that says. The first that matches
/// counts, so the special stands before the general.
struct Pattern {
  StringLiteral text, kind;
};

constexpr Pattern computePatterns[] = {
    {"triton_poi", "elementwise"}, // its name lists what it fuses
    {"multi_tensor_apply", "optimizer, foreach"},
    {"fusedadam", "optimizer, foreach"},
    {"fused_adam", "optimizer, foreach"},
    {"flash", "attention"},
    {"fmha", "attention"},
    {"attention", "attention"},
    {"attn", "attention"},
    {"sage_", "attention"},
    {"fwd_kernel_aligned", "attention"},
    {"mla_", "attention"},
    {"kvcache", "attention"},
    {"kv_cache", "attention"},
    {"reshape_and_cache", "attention"},
    {"rotary", "attention"},
    {"rope", "attention"},
    {"moe", "MoE routing"},
    {"expert", "MoE routing"},
    {"topk_forward", "MoE routing"},
    {"routing", "MoE routing"},
    {"matmul_ogs", "MoE GEMM"},
    {"grouped_gemm", "MoE GEMM"},
    {"dgrad", "convolution"},
    {"wgrad", "convolution"},
    {"winograd", "convolution"},
    {"convolve", "convolution"},
    {"conv2d", "convolution"},
    {"conv3d", "convolution"},
    {"convolution", "convolution"},
    {"conv_", "convolution"},
    {"scudnn", "convolution"},
    {"hcudnn", "convolution"},
    {"icudnn", "convolution"},
    {"cgemm", "convolution"}, // cuDNN's FFT convolutions
    {"fft", "convolution"},
    {"fprop", "convolution"},
    {"im2col", "convolution"},
    {"col2im", "convolution"},
    {"nchwtonhwc", "convolution"},
    {"nhwctonchw", "convolution"},
    {"miopen", "convolution"},
    {"naive_conv", "convolution"},
    {"nhwctonhwc", "convolution"},
    {"cask", "convolution"},
    {"im2d2col", "convolution"},
    {"gemm", "GEMM"},
    {"gemv", "GEMM"},
    {"nvjet", "GEMM"},
    {"cublas", "GEMM"},
    {"splitkreduce", "GEMM"},
    {"splitk", "GEMM"},
    {"cijk_", "GEMM"},
    {"bmm_", "GEMM"},
    {"matmul", "GEMM"},
    {"triton_tem", "GEMM"},
    {"dot_kernel", "GEMM"},
    {"norm", "normalisation"},
    {"bn_fw", "normalisation"},
    {"bn_bw", "normalisation"},
    {"gammabeta", "normalisation"},
    {"rowwisemoments", "normalisation"},
    {"softmax", "softmax, loss"},
    {"nll_loss", "softmax, loss"},
    {"classnll", "softmax, loss"},
    {"cross_entropy", "softmax, loss"},
    {"embedding", "embedding, index"},
    {"index", "embedding, index"},
    {"indices", "embedding, index"},
    {"gather", "embedding, index"},
    {"scatter", "embedding, index"},
    {"permute", "embedding, index"},
    {"pool", "pooling, resize"},
    {"upsample", "pooling, resize"},
    {"quant", "quantize"},
    {"fp8", "quantize"},
    {"sort", "sort, scan, select"},
    {"scan", "sort, scan, select"},
    {"select", "sort, scan, select"},
    {"topk", "sort, scan, select"},
    {"unique", "sort, scan, select"},
    {"bykey", "sort, scan, select"},
    {"distribution", "random, dropout"},
    {"dropout", "random, dropout"},
    {"philox", "random, dropout"},
    {"catarray", "copy kernels"},
    {"transpose", "copy kernels"},
    {"flip_filter", "copy kernels"},
    {"converttensor", "copy kernels"},
    {"copy", "copy kernels"},
    {"triton_red", "reduction"},
    {"triton_per", "reduction"},
    {"reduce", "reduction"},
    {"triton", "elementwise"},
    {"elementwise", "elementwise"},
    {"scalepackedtensor", "elementwise"},
    {"pointwise", "elementwise"},
    {"fused", "elementwise"},
    {"act_and_mul", "elementwise"},
    {"fill", "elementwise"},
    {"add", "elementwise"},
};

StringRef match(ArrayRef<Pattern> patterns, StringRef lower) {
  for (const Pattern &p : patterns)
    if (lower.contains(p.text))
      return p.kind;
  return {};
}

/// A name without what stands in <> and (): the function's own words, since a template argument
/// says less of a kernel than its name ("elementwise_kernel<..., softmax...>").
std::string ownWords(StringRef lower) {
  std::string out;
  unsigned depth = 0;
  for (char c : lower) {
    if (c == '<' || c == '(')
      ++depth;
    else if (c == '>' || c == ')')
      depth -= depth != 0;
    else if (!depth)
      out += c;
  }
  return out;
}

StringRef copyKind(StringRef name) {
  static constexpr std::pair<NameFact, StringLiteral> kinds[] = {
      {NameFact::ToDevice, "copies HtoD"},
      {NameFact::FromDevice, "copies DtoH"},
      {NameFact::OnDevice, "copies DtoD"},
      {NameFact::BetweenDevices, "copies PtoP"},
  };
  for (const auto &[fact, kind] : kinds)
    if (nameIs(fact, name))
      return kind;
  return "other copies";
}
} // namespace

StringRef heddle::summary::activityKind(EventKind kind, WorkClass work, StringRef name) {
  if (kind == EventKind::Memset)
    return "fills";
  // Longer names say the same again in template arguments.
  std::string lower = name.take_front(4096).lower();
  StringRef found;
  if (work == WorkClass::Copy)
    return copyKind(lower);
  if (work == WorkClass::Communication)
    return found = collectiveKind(lower), found.empty() ? StringRef("other communication") : found;
  found = match(computePatterns, ownWords(lower));
  if (found.empty())
    found = match(computePatterns, lower);
  return found.empty() ? StringRef("other kernels") : found;
}
