// A module for the tests of the loader. HEDDLE_TEST_MODULE says how its registration goes; if
// HEDDLE_TEST_WRITES names a file, the constructor makes it, which tells that code of it has run.
#include "heddle/Plugin/Plugin.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

using namespace heddle;

__attribute__((constructor)) static void write() {
  if (const char *path = std::getenv("HEDDLE_TEST_WRITES"))
    if (std::FILE *file = std::fopen(path, "w"))
      std::fclose(file);
}

static constexpr llvm::StringLiteral kChoices[] = {"nothing", "exception", "number", "signal",
                                                   "early",   "typo",      "type"};
static constexpr ParamInfo kParams[] = {
    {"throws", ParamType::Enum, "nothing", "what is thrown", kChoices},
    {"cost", ParamType::Time, "0", "what the finding costs; 0: there is none"},
};
static constexpr RemarkInfo kRemarks[] = {{"costly", "`cost` is given"}};
static constexpr StatInfo kStats[] = {{"events", Statistic::Severity::Info, "events seen"}};

namespace {

class TestModule : public RankCheck {
public:
  TestModule(std::string throws, Duration cost) : throws(std::move(throws)), cost(cost) {}
  llvm::Error run(const Rank &rank, RankContext &context) const override {
    if (throws == "exception")
      throw std::runtime_error("no weft left");
    if (throws == "number")
      throw 7;
    if (throws == "signal")
      std::abort();
    context.stat("events", static_cast<int64_t>(rank.numEvents()));
    if (cost != Duration{}) {
      Remark remark;
      remark.id = "costly";
      remark.level = Remark::Level::Finding;
      remark.message = "it costs";
      remark.rank = context.ordinal();
      remark.costNs = cost.ns;
      context.remark(std::move(remark));
    }
    return llvm::Error::success();
  }

private:
  std::string throws;
  Duration cost;
};

llvm::Error emitNothing(const Trace &, const Results &, llvm::raw_ostream &, const EmitOptions &) {
  return llvm::Error::success();
}

} // namespace

/// Of a text that begins with "test-module:": it throws, or says that there is an error.
static llvm::Error readFaulty(Input &input, Trace &, const ImportOptions &,
                              Diagnostics &diagnostics) {
  llvm::Expected<llvm::StringRef> head = input.head();
  if (!head)
    return head.takeError();
  if (head->contains("throws"))
    throw std::runtime_error("no shed");
  diagnostics.report({Severity::Error, "no-reed", "there is no reed", {}});
  return llvm::Error::success();
}

HEDDLE_PLUGIN(test_module) {
  static constexpr ImporterInfo importer = {
      "test-module", "fails", 1,
      [](llvm::StringRef head) { return head.starts_with("test-module:"); }, readFaulty};
  static constexpr EmitterInfo emitter = {"test-module", "never used", {}, nullptr};
  static constexpr PassInfo info = {
      .name = "test-module",
      .summary = "counts events, or throws",
      .description = "For tests.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .params = kParams,
      .remarks = kRemarks,
      .stats = kStats,
      .create = [](const ParamValues &params) -> llvm::Expected<std::unique_ptr<PassBase>> {
        if (params.getString("throws") == "early")
          throw std::runtime_error("no warp left");
        if (params.getString("throws") == "typo")
          params.getString("thrwos");
        if (params.getString("throws") == "type")
          params.getInt("throws");
        return std::make_unique<TestModule>(params.getString("throws").str(),
                                            params.getTime("cost"));
      },
  };
  const char *how = std::getenv("HEDDLE_TEST_MODULE");
  llvm::StringRef want = how ? how : "";
  if (want == "throws")
    throw std::runtime_error("no shuttle");
  if (want == "fails")
    return llvm::createStringError("no loom here");
  if (want == "nothing")
    return llvm::Error::success();
  if (want == "importer")
    if (llvm::Error e = registry.importers.add(importer))
      return e;
  if (want == "emitters")
    for (int i = 0; i != 2; ++i)
      if (llvm::Error e = registry.emitters.add(emitter))
        return e;
  if (want == "csv") {
    static constexpr EmitterInfo csv = {"csv", "for tests", {}, emitNothing};
    return registry.emitters.add(csv);
  }
  if (want == "ht") {
    static constexpr ImporterInfo text = {"ht", "for tests", 1,
                                          [](llvm::StringRef) { return false; }, readFaulty};
    return registry.importers.add(text);
  }
  if (want == "default")
    return registry.passes.addPipeline("default", "test-module", "for tests");
  if (want == "twice")
    if (llvm::Error e = registry.passes.add(info))
      return e;
  return registry.passes.add(info);
}
