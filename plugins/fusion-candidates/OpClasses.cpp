//===- OpClasses.cpp - Which ops and kernels could be fused ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Names of ops stand without `aten::`, the `_` of those that work in place, and overloads.
//===----------------------------------------------------------------------===//
#include "OpClasses.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace heddle::fusion {

namespace {

struct List {
  OpClass kind;
  StringLiteral names; ///< Separated by blanks.
};

constexpr List lists[] = {
    {OpClass::Elementwise,
     "abs acos acosh add addcdiv addcmul angle asin asinh atan atan2 atanh bernoulli "
     "binary_cross_entropy_with_logits bitwise_and bitwise_left_shift bitwise_not bitwise_or "
     "bitwise_right_shift bitwise_xor ceil celu clamp clamp_max clamp_min clip conj_physical "
     "copysign cos cosh deg2rad div divide dropout elu elu_backward erf erfc erfinv exp exp2 "
     "expm1 exponential fake_quantize_per_tensor_affine floor floor_divide fmax fmin fmod frac "
     "gelu gelu_backward glu glu_backward hardsigmoid hardsigmoid_backward hardswish "
     "hardswish_backward hardtanh hardtanh_backward heaviside hypot leaky_relu "
     "leaky_relu_backward lerp lgamma log log10 log1p log2 log_sigmoid_backward "
     "log_sigmoid_forward logaddexp logit masked_fill masked_scale maximum minimum mish "
     "mish_backward mul multiply nan_to_num native_dropout native_dropout_backward neg negative "
     "normal pow prelu quantize_per_tensor rad2deg random reciprocal relu relu6 remainder round "
     "rsqrt rsub selu sgn sigmoid sigmoid_backward sign silu silu_backward sin sinc sinh "
     "softplus softplus_backward softshrink sqrt square sub subtract tan tanh tanh_backward "
     "threshold threshold_backward tril triu true_divide trunc uniform where xlogy "
     "_amp_foreach_non_finite_check_and_unscale _conj _fused_dropout _masked_scale "
     "_prelu_kernel _prelu_kernel_backward _to_copy_scaled"},
    {OpClass::Predicate, "eq ge greater gt isfinite isinf isnan isneginf isposinf le less "
                         "logical_and logical_not logical_or logical_xor lt ne not_equal "
                         "signbit"},
    {OpClass::Normalise,
     "batch_norm cudnn_batch_norm cudnn_batch_norm_backward group_norm instance_norm layer_norm "
     "log_softmax miopen_batch_norm miopen_batch_norm_backward native_batch_norm "
     "native_batch_norm_backward native_group_norm native_group_norm_backward native_layer_norm "
     "native_layer_norm_backward rms_norm softmax _fused_rms_norm _fused_rms_norm_backward "
     "_log_softmax _log_softmax_backward_data _safe_softmax _softmax _softmax_backward_data "
     "_batch_norm_with_update _native_batch_norm_legit"},
    {OpClass::Reduction,
     "all amax amin aminmax any argmax argmin binary_cross_entropy count_nonzero dist equal "
     "huber_loss kl_div l1_loss linalg_vector_norm logsumexp max mean median min mse_loss "
     "nanmean nansum nll_loss_forward norm prod smooth_l1_loss std std_mean sum var var_mean "
     "_sum_backward"},
    {OpClass::Copy,
     "cat clone concat constant_pad_nd contiguous flip hstack pad repeat repeat_interleave roll "
     "stack vstack _cat _conj_copy _copy_from _reshape_copy _to_copy expand_copy permute_copy "
     "slice_copy to"},
    {OpClass::CopyInto, "copy"},
    {OpClass::Fill, "fill full full_like new_full new_ones new_zeros ones ones_like zero zeros "
                    "zeros_like arange"},
    {OpClass::Never,
     "addbmm addmm addmv baddbmm bmm convolution convolution_backward "
     "convolution_backward_overrideable cudnn_convolution cudnn_convolution_add_relu "
     "cudnn_convolution_backward cudnn_convolution_backward_input "
     "cudnn_convolution_backward_weight cudnn_convolution_relu cudnn_convolution_transpose "
     "cumprod cumsum dot embedding_dense_backward linear matmul miopen_convolution mm mv "
     "multinomial nonzero sort topk unique _addmm_activation _conv_depthwise2d _convolution "
     "_convolution_mode _cudnn_rnn _cudnn_rnn_backward _efficient_attention_backward "
     "_efficient_attention_forward _embedding_bag _embedding_bag_backward "
     "_embedding_bag_dense_backward _flash_attention_backward _flash_attention_forward "
     "_grouped_mm _scaled_dot_product_cudnn_attention _scaled_dot_product_efficient_attention "
     "_scaled_dot_product_efficient_attention_backward _scaled_dot_product_flash_attention "
     "_scaled_dot_product_flash_attention_backward _scaled_grouped_mm _scaled_mm "
     "_thnn_fused_lstm_cell _unique2 _weight_int4pack_mm _weight_int8pack_mm"},
};

/// Parts of names of kernels.
constexpr StringLiteral kernelNames[] = {
    "elementwise_kernel", // vectorized_, unrolled_, legacy
    "reduce_kernel<",      "multi_tensor_apply_kernel",
    "CatArrayBatchedCopy", "triton_poi_",
    "triton_red_",         "triton_per_",
    "layer_norm_kernel",   "rms_norm_kernel",
    "fused_add_rms_norm",  "rotary_embedding",
    "act_and_mul_kernel",  "softmax_warp_forward",
    "cunn_SoftMaxForward", "__amd_rocclr_fillBuffer",
};

/// "add_" and "add.out" as "add".
StringRef stem(StringRef name) {
  name = name.take_until([](char c) { return c == '.'; });
  if (name.size() > 1 && !name.ends_with("__"))
    name.consume_back("_");
  return name;
}

} // namespace

OpClass classOfOp(StringRef name) {
  if (!name.consume_front("aten::"))
    return OpClass::Unknown;
  name = stem(name);
  if (name.starts_with("_foreach_"))
    return OpClass::Elementwise;
  for (const List &list : lists)
    for (StringRef rest = list.names; !rest.empty();) {
      auto [first, others] = rest.split(' ');
      if (first == name)
        return list.kind;
      rest = others;
    }
  return OpClass::Unknown;
}

bool isFusibleKernel(StringRef name) {
  // Longer names say the same again in template arguments.
  name = name.take_front(4096);
  for (StringRef part : kernelNames)
    if (name.contains(part))
      return true;
  return false;
}

} // namespace heddle::fusion
