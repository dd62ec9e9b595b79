//===- Frames.cpp - Python's frames around ops ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// In the plain form a module has two frames. In the full one every call goes through what PyTorch
/// and others wrap around it, modules have ids, and the user's own code is in between; paths of
/// libraries lack what is before the package, as recorders cut them.
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace heddle::gen;
using llvm::StringRef;

void Worker::enterFrame(StringRef name) {
  Place place = places.empty() ? Place() : places.back();
  if (name.starts_with("mymodel/") || name.starts_with("train.py"))
    place.user = name.str();
  if (name.starts_with("nn.Module: "))
    place.module = name.str();
  places.push_back(std::move(place));
}

void Worker::frame(StringRef name, std::optional<Cause> cause) {
  if (!options.stack)
    return;
  enterFrame(name);
  open(main, EventClass::Python, name, {}, cause);
}

void Worker::moduleFrame(StringRef name, int64_t id) {
  enterFrame(name);
  open(main, EventClass::Python, name, {{"Python module id", Value::integer(id)}});
}

void Worker::endFrame() {
  if (!options.stack)
    return;
  places.pop_back();
  const std::vector<Open> &open = threads[main].open;
  for (size_t i = open.size(); i-- > 0;)
    if (trace.events[open[i].event].cls == EventClass::Python)
      return closeAround(main, open[i].event);
}

/// Whose a launch is.
void Worker::countPlace(unsigned thread) {
  if (!options.frames || thread != main || places.empty())
    return;
  planted[{step, "launches-in " + places.back().user}] += 1;
  if (!places.back().module.empty())
    planted[{step, "launches-of " + places.back().module}] += 1;
}

static constexpr unsigned t = Worker::main;

static void frames(Worker &w, llvm::ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    w.frame(name);
    w.work(t, 700);
  }
}

static void endFrames(Worker &w, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    w.work(t, 300);
    w.endFrame();
  }
}

/// nn.Module's own frames, and its forward.
static void enterModule(Worker &w, const llvm::Twine &name, int64_t id, StringRef forward) {
  w.moduleFrame(("nn.Module: " + name + "_" + llvm::Twine(id)).str(), id);
  w.work(t, 700);
  frames(w, {"torch/nn/modules/module.py(1775): _wrapped_call_impl",
             "torch/nn/modules/module.py(1786): _call_impl", forward});
}
static constexpr size_t moduleFrames = 4;

/// What is called inside of a module's forward; an op without a module is the user's call.
static llvm::SmallVector<StringRef, 2> innerFrames(const OpSpec &op, int64_t index) {
  if (op.module == "Linear") {
    if (index % 3 == 0)
      return {"vllm/model_executor/parameter.py(126): __torch_function__",
              "<built-in function linear>"};
    return {"<built-in function linear>"};
  }
  if (op.module == "LayerNorm")
    return {"torch/nn/functional.py(2910): layer_norm",
            "<built-in method layer_norm of type object at 0x7f6a1e3b8c60>"};
  if (op.module == "GELU")
    return {"<built-in function gelu>"};
  if (op.name == "aten::scaled_dot_product_attention")
    return {"mymodel/attention.py(31): attend", "<built-in function scaled_dot_product_attention>"};
  return {};
}

void heddle::gen::enterOp(Worker &w, const OpSpec &op, int64_t index) {
  bool module = !op.module.empty();
  if (w.options.frames) {
    if (module)
      enterModule(w, op.module, index,
                  llvm::StringSwitch<StringRef>(op.module)
                      .Case("Linear", "torch/nn/modules/linear.py(124): forward")
                      .Case("LayerNorm", "torch/nn/modules/normalization.py(217): forward")
                      .Default("transformers/activations.py(69): forward"));
    return frames(w, innerFrames(op, index));
  }
  if (!module)
    return;
  w.frame((llvm::Twine("nn.Module: ") + op.module + "_" + llvm::Twine(index)).str());
  w.work(t, w.options.stack ? 1600 : 900);
  w.frame("torch/nn/modules/module.py(1787): _call_impl");
  w.work(t, w.options.stack ? 1400 : 700);
}

void heddle::gen::leaveOp(Worker &w, const OpSpec &op, int64_t index) {
  bool module = !op.module.empty();
  if (w.options.frames)
    return endFrames(w, innerFrames(op, index).size() + (module ? moduleFrames : 0));
  if (!module)
    return;
  w.work(t, 700);
  w.endFrame();
  w.endFrame();
}

void heddle::gen::enterBlock(Worker &w, int64_t layer) {
  if (w.options.frames)
    return enterModule(w, "Block", layer, "mymodel/block.py(58): forward");
  w.frame(("nn.Module: Block_" + llvm::Twine(layer)).str());
  w.work(t, 1800);
}

void heddle::gen::leaveBlock(Worker &w) {
  if (w.options.frames)
    return endFrames(w, moduleFrames);
  w.work(t, 900);
  w.endFrame();
}

void heddle::gen::enterNetwork(Worker &w) {
  if (w.options.frames)
    return enterModule(w, "Transformer", 0, "mymodel/model.py(112): forward");
  w.frame("nn.Module: Transformer_0");
  w.work(t, 3000);
}

void heddle::gen::leaveNetwork(Worker &w) {
  if (w.options.frames)
    return endFrames(w, moduleFrames);
  w.endFrame();
}
