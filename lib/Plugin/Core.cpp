//===- Core.cpp - What libheddle itself registers -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "TextForms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

/// `default`: what a report holds. Of its passes those that exist; `summary` reads the others'
/// results.
static std::string defaultPipeline(const PassRegistry &passes) {
  auto known = [&](std::initializer_list<StringLiteral> names) {
    return to_vector(
        make_filter_range(names, [&](StringRef n) { return passes.find(n) != nullptr; }));
  };
  std::string ranked = join(
      known({"host-steps", "gpu-breakdown", "idle-gaps", "kernels", "fusion-candidates"}), ",");
  SmallVector<std::string, 3> parts;
  for (StringRef name : known({"health"}))
    parts.push_back(name.str());
  if (!ranked.empty())
    parts.push_back("rank(" + ranked + ")");
  for (StringRef name : known({"summary"}))
    parts.push_back(name.str());
  return join(parts, ",");
}

Error registerCore(Registry &registry) {
  for (const ImporterInfo *importer : {&binaryImporter, &textImporter, &chromeJsonImporter})
    if (Error e = registry.importers.add(*importer))
      return e;
  for (const EmitterInfo *emitter :
       {&textEmitter, &traceTextEmitter, &binaryEmitter, &reportEmitter, &reportJsonEmitter,
        &csvEmitter, &chromeEmitter, &chromeFaithfulEmitter, &chromeViewerEmitter,
        &tensorBoardEmitter})
    if (Error e = registry.emitters.add(*emitter))
      return e;
  return registry.passes.addPipeline("default", defaultPipeline(registry.passes),
                                     "what 'heddle report' shows");
}

} // namespace heddle
