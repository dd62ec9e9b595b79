//===- EventFilter.cpp - Events by kind, name, family ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/EventFilter.h"
#include "heddle/Support/Diagnostics.h"

using namespace llvm;

namespace heddle {

Expected<EventFilter> EventFilter::create(const ParamValues &params) {
  EventFilter filter;
  for (const std::string &text : params.getList("kind"))
    if (std::optional<EventKind> kind = parseKind(text)) {
      filter.kinds.resize(kNumEventKinds);
      filter.kinds.set(static_cast<unsigned>(*kind));
    }
  for (const std::string &text : params.getList("family"))
    if (std::optional<Family> family = parseFamily(text)) {
      filter.families.resize(kNumFamilies);
      filter.families.set(static_cast<unsigned>(*family));
    }
  StringRef name = params.getString("name");
  if (name.size() >= 2 && name.starts_with("/") && name.ends_with("/")) {
    Regex regex(name.drop_front().drop_back());
    if (std::string why; !regex.isValid(why))
      return usageError("bad-pattern", "name=" + name + " is no regular expression: " + why);
    filter.regex = std::move(regex);
  } else if (!name.empty()) {
    filter.globText = std::make_unique<std::string>(name);
    auto glob = GlobPattern::create(*filter.globText);
    if (!glob)
      return usageError("bad-pattern",
                        "name=" + name + " is no pattern: " + toString(glob.takeError()));
    filter.glob = std::move(*glob);
  }
  return filter;
}

} // namespace heddle
