//===- Anonymize.cpp - Takes names out of a trace -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Replaces every word that is not known to everyone by a pseudonym, wherever it stands.
//===----------------------------------------------------------------------===//

#include "Texts.h"
#include "heddle/Plugin/Plugin.h"
#include "llvm/Support/RandomNumberGenerator.h"
#include <map>

using namespace heddle;

static constexpr ParamInfo kParams[] = {
    {"key",
     ParamType::String,
     "",
     "what pseudonyms depend on: the same key gives the same ones, in every rank, file and run; "
     "without it a random one of this run. In no output",
     {},
     /*secret=*/true},
};
static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    {"place", Unit::None, true, "where the texts stand"},
    {"texts", Unit::Count, false, "how many different ones there were"},
    {"changed", Unit::Count, false, "in how many of them words were replaced"},
};
static constexpr TableInfo kTables[] = {
    {"anonymize", "Texts with replaced words, by place", kColumns}};
static constexpr StatInfo kStats[] = {
    {"texts", Statistic::Severity::Info, "different texts, by place"},
    {"changed", Statistic::Severity::Info, "texts in which words were replaced"},
};

static llvm::StringRef placeName(TextRole role) {
  switch (role) {
  case TextRole::EventName:
  case TextRole::FlowName:
    return "event names";
  case TextRole::Category:
    return "categories";
  case TextRole::Key:
    return "argument keys";
  case TextRole::Value:
  case TextRole::Nested:
  case TextRole::RawToken:
    return "argument values";
  case TextRole::WholeEvent:
    return "events kept as text";
  case TextRole::TrackName:
  case TextRole::Id:
  case TextRole::RawId:
    return "threads, streams, processes";
  case TextRole::DocumentKey:
  case TextRole::DocumentValue:
    return "document";
  case TextRole::Path:
  case TextRole::Host:
  case TextRole::Backend:
  case TextRole::DeviceName:
  case TextRole::Format:
  case TextRole::CountName:
    break;
  }
  return "recording";
}

namespace {

class Anonymize : public RankRewrite {
public:
  explicit Anonymize(llvm::StringRef key) : texts(key) {}
  llvm::Error run(RankEditor &editor, RankContext &context) const override;

private:
  anonymize::Texts texts;
};

} // namespace

llvm::Error Anonymize::run(RankEditor &editor, RankContext &context) const {
  struct Counts {
    int64_t texts = 0, changed = 0;
  };
  std::map<llvm::StringRef, Counts> byPlace;
  llvm::Error error = editor.rewriteTexts([&](const TextPlace &place, llvm::StringRef text) {
    std::string out = texts.at(place, text);
    Counts &c = byPlace[placeName(place.role)];
    ++c.texts;
    c.changed += out != text;
    return out;
  });
  if (error)
    return error;
  Table table = kTables[0].make();
  for (const auto &[place, c] : byPlace) {
    table.rows.push_back({context.rankLabel(), place.str(), c.texts, c.changed});
    context.stat("texts", c.texts);
    context.stat("changed", c.changed);
  }
  context.table(std::move(table));
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &params) {
  llvm::StringRef key = params.getString("key");
  if (key.empty()) {
    char random[32];
    if (std::error_code ec = llvm::getRandomBytes(random, sizeof random))
      return llvm::createStringError(ec, "no random key: " + ec.message() + "; give key=");
    return std::make_unique<Anonymize>(llvm::StringRef(random, sizeof random));
  }
  if (key == kHiddenText)
    return usageError("hidden-key", "'key' is '" + kHiddenText +
                                        "', which is printed instead of a "
                                        "key; wanted is the key itself");
  return std::make_unique<Anonymize>(key);
}

HEDDLE_PLUGIN(anonymize) {
  static constexpr PassInfo info = {
      .name = "anonymize",
      .summary = "replace names, paths, hosts and users by pseudonyms",
      .description =
          R"(Replaces words by pseudonyms such as `name_3f9a1c2e5b70`: in names, categories, keys and values of
arguments, nested text, names of threads and processes, metadata, the document around the events, paths and the
names of inputs. The same word gives the same pseudonym everywhere; with `key=`, in every rank, file and run.
Whoever has the key can test guesses, so it is as secret as the names are; it is in no output, and where a
pipeline is printed, free texts of parameters are left out too. Only a message about a mistake in the text of the
pipeline shows that text.

What stays is on a list: `aten::` and other namespaces of public libraries, calls of CUDA and HIP, names of NCCL
and RCCL, `ProfilerStep#` and other step marks, autograd's nodes, kernels of PyTorch, cuDNN, CUTLASS and their
kind, files of public Python packages, keys and categories of recorders, models of devices, and numbers. Whatever
is not on it is replaced, also if it cannot be parsed. A word that passes look for inside a name (`gemm`, `nccl`)
stands behind the pseudonym, so every figure is as before; texts in tables differ.

Times, ids, structure and numbers stay: who knows the program may know it again by them. What earlier passes
published quotes names, so it is dropped and counted: run passes after this one. A `--window=NAME` would be
looked for among pseudonyms: give a time, or `select` first.)",
      .level = Level::Rank,
      .kind = PassKind::Rewrite,
      .effects =
          [](const ParamValues &) {
            return Effects{0, true}
                .with(ColumnId::Name)
                .with(ColumnId::Attributes)
                .with(ColumnId::Derived)
                .with(ColumnId::TrackMeta)
                .with(ColumnId::RankMeta)
                .with(ColumnId::Results);
          },
      .params = kParams,
      .tables = kTables,
      .stats = kStats,
      .create = create,
  };
  return registry.passes.add(info);
}
