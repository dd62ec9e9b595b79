//===- Emitter.cpp - The emitters that exist ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Lower/Emitter.h"
#include "heddle/Support/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {

Error EmitterRegistry::add(const EmitterInfo &info) {
  auto refuse = [&](const Twine &why) {
    return internalError("bad-emitter", "emitter '" + info.name + "' cannot be registered: " + why);
  };
  if (find(info.name))
    return refuse("there is one of this name already");
  for (StringRef suffix : info.suffixes)
    for (const EmitterInfo *other : emitters)
      if (is_contained(other->suffixes, suffix))
        return refuse("'" + other->name + "' has the suffix '" + suffix + "'");
  emitters.push_back(&info);
  return Error::success();
}

const EmitterInfo *EmitterRegistry::find(StringRef name) const {
  auto it = find_if(emitters, [&](const EmitterInfo *e) { return e->name == name; });
  return it == emitters.end() ? nullptr : *it;
}

const EmitterInfo *EmitterRegistry::bySuffix(StringRef path) const {
  path.consume_back(".gz");
  // The longest one that fits: ".report.json" before ".json".
  const EmitterInfo *best = nullptr;
  size_t length = 0;
  for (const EmitterInfo *e : emitters)
    for (StringRef suffix : e->suffixes)
      if (path.ends_with(suffix) && suffix.size() > length) {
        best = e;
        length = suffix.size();
      }
  return best;
}

} // namespace heddle
