//===- Symbolize.cpp - Names and places that people know -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Gives kernels and mangled functions readable names. What was read stays as it was: all of it
// stands in derived columns.
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "heddle/Plugin/Plugin.h"

using namespace heddle;

static constexpr StatInfo kStats[] = {
    {"demangled", Statistic::Severity::Info, "mangled names that stand for a C++ name"},
    {"still-mangled", Statistic::Severity::Loss,
     "names that look mangled and stay so: not valid, too long or too deep"},
    {"shortened", Statistic::Severity::Info, "names with a short form of their own"},
};

namespace {

class Symbolize : public RankRewrite {
public:
  llvm::Error run(RankEditor &editor, RankContext &context) const override;
};

} // namespace

llvm::Error Symbolize::run(RankEditor &editor, RankContext &context) const {
  llvm::Expected<symbolize::NameCounts> names = symbolize::writeNames(editor);
  if (!names)
    return names.takeError();
  context.stat("demangled", names->demangled);
  context.stat("still-mangled", names->mangled);
  context.stat("shortened", names->shortened);
  return llvm::Error::success();
}

static constexpr PassInfo kInfo = {
    .name = "symbolize",
    .summary = "readable names of kernels and of mangled functions",
    .description =
        R"(Writes derived columns; what was read stays as it was.

`symbolize.name` is the C++ name of an event whose name is mangled (`_Z...`, also one of more than 8,192 letters,
which PyTorch leaves so; MSVC's `?...`). `symbolize.short` is a form of a kernel's name for people: without
namespaces, return type, parameters, flags and what only steers the launch; functors, data types, tiles and sizes
stay, a lambda is the function that it stands in. Names that differ may share a short form. Where a column is
absent, the name as read is the answer.)",
    .level = Level::Rank,
    .kind = PassKind::Rewrite,
    .effects = [](const ParamValues &) { return Effects().with(ColumnId::Derived); },
    .stats = kStats,
    .create = [](const ParamValues &) -> llvm::Expected<std::unique_ptr<PassBase>> {
      return std::make_unique<Symbolize>();
    },
};

HEDDLE_PLUGIN(symbolize) { return registry.passes.add(kInfo); }
