//===- OptOptions.cpp - Options of opt and report -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "OptOptions.h"
#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

Error OptOptions::pipeline(const PassRegistry &registry, Pipeline &out) const {
  PipelineParser parser(registry);
  // LLVM numbers what it parses; so both spellings can be mixed.
  for (size_t i = 0, j = 0; i != passes.size() || j != pass.size();) {
    bool first =
        j == pass.size() || (i != passes.size() && passes.getPosition(i) < pass.getPosition(j));
    if (Error e = first ? parser.parse(passes[i++], out) : parser.parseOne(pass[j++], out))
      return e;
  }
  for (const std::string &name : printAfter) {
    std::vector<StringRef> names;
    for (const PassInstance &p : out.passes)
      names.push_back(p.info->name);
    if (!is_contained(names, name))
      return usageError("unknown-pass", "--print-after: the pipeline has no pass '" + name + "'" +
                                            didYouMean(name, names));
  }
  return Error::success();
}

Expected<const EmitterInfo *> OptOptions::emitter(const EmitterRegistry &registry,
                                                  StringRef fallback) const {
  std::vector<StringRef> names;
  for (const EmitterInfo *e : registry.all())
    names.push_back(e->name);
  StringRef name = emit;
  if (text) {
    if (!name.empty() && name != "ht")
      return usageError("two-outputs", "-S means --emit=ht, but --emit=" + name + " is given too");
    name = "ht";
  }
  if (name.empty() && output != "-") {
    if (const EmitterInfo *e = registry.bySuffix(output))
      return e;
    std::vector<StringRef> suffixes;
    for (const EmitterInfo *e : registry.all())
      suffixes.insert(suffixes.end(), e->suffixes.begin(), e->suffixes.end());
    return usageError("unknown-suffix",
                      "-o: the name '" + output +
                          "' does not say what to write: give --emit, or one of " +
                          "the suffixes " + join(suffixes, ", "));
  }
  if (name.empty())
    name = fallback;
  if (const EmitterInfo *e = registry.find(name))
    return e;
  std::string hint = didYouMean(name, names);
  return usageError("unknown-emitter",
                    "--emit: there is no '" + name + "'" +
                        (hint.empty() ? "; there is '" + join(names, "', '") + "'" : hint));
}

} // namespace heddle
