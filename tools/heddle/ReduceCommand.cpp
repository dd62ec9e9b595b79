//===- ReduceCommand.cpp - heddle reduce ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Session.h"
#include "Verbs.h"
#include "heddle/IO/OutputFile.h"
#include "heddle/Text/Reduce.h"
#include "heddle/Text/Text.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace heddle {

namespace {
struct ReduceCommandOptions : PluginOptions {
  cl::OptionCategory category{"Reducing"};
  cl::list<std::string> files{cl::Positional, cl::desc("<trace>..."), cl::cat(category)};
  cl::opt<std::string> test{"test", cl::value_desc("program"), cl::cat(category),
                            cl::desc("Program that is called with a candidate's path; it exits "
                                     "with 0 if the candidate is interesting")};
  cl::opt<std::string> output{"o", cl::value_desc("file"), cl::init("-"), cl::cat(category),
                              cl::desc("Where the smallest .ht goes; '-' is standard output")};
  NumberOption timeout{"timeout", cl::value_desc("seconds"), cl::init(60), cl::cat(category),
                       cl::desc("A test that takes longer calls its candidate uninteresting")};
};

/// The candidate's file; removed with the object.
class Candidate {
public:
  static Expected<Candidate> create() {
    SmallString<128> path;
    if (std::error_code e = sys::fs::createTemporaryFile("heddle-reduce", "ht", path))
      return inputError("cannot-write", "cannot make a temporary file: " + e.message());
    return Candidate(path);
  }
  Candidate(Candidate &&other) noexcept : path(std::move(other.path)) { other.path.clear(); }
  ~Candidate() {
    if (!path.empty())
      (void)sys::fs::remove(path); // of no use any more; a temporary folder is cleaned anyway
  }
  Error write(StringRef text) const {
    std::error_code e;
    raw_fd_ostream os(path, e);
    if (!e) {
      os << text;
      os.close();
      e = os.error();
      os.clear_error();
    }
    return e ? inputError("cannot-write", "cannot write '" + path + "': " + e.message())
             : Error::success();
  }
  std::string path;

private:
  explicit Candidate(StringRef path) : path(path.str()) {}
};
} // namespace

static Expected<bool> isInteresting(const std::string &program, const Candidate &candidate,
                                    StringRef text, unsigned timeout) {
  if (Error e = candidate.write(text))
    return e;
  std::string message;
  bool failed = false;
  std::optional<StringRef> silent[] = {std::nullopt, StringRef(""), StringRef("")};
  int code = sys::ExecuteAndWait(program, {program, candidate.path}, std::nullopt, silent, timeout,
                                 0, &message, &failed);
  if (failed || code == -1)
    return usageError("test-failed", "cannot run the test '" + program + "': " + message);
  return code == 0;
}

static Error work(const ReduceCommandOptions &options, Watch &watch) {
  if (options.test.empty())
    return usageError("no-test", "reduce needs --test=PROGRAM, which says what is interesting");
  ErrorOr<std::string> program = sys::findProgramByName(options.test);
  if (StringRef(options.test).contains('/')) {
    SmallString<128> path(options.test);
    if (std::error_code e = sys::fs::make_absolute(path))
      program = e;
    else
      program = path.str().str();
  }
  if (!program)
    return usageError("no-test", "there is no program '" + options.test + "'");
  Registry registry;
  if (Error e = fillRegistry(registry, options))
    return e;
  auto all = loadInputs(registry.importers, valuesOf(options.files), LoadOptions(), watch);
  if (!all)
    return all.takeError();
  std::string text;
  raw_string_ostream os(text);
  if (Error e = printText(all->trace, os))
    return e;

  auto candidate = Candidate::create();
  if (!candidate)
    return candidate.takeError();
  watch.clear();
  ReduceOptions reduce;
  reduce.cancel = &watch.progress();
  reduce.interesting = [&](StringRef t) {
    return isInteresting(*program, *candidate, t, options.timeout);
  };
  reduce.progress = [](StringRef what, uint64_t left) {
    errs() << "reduce: " << left << ' ' << what << " left\n";
  };
  auto smallest = reduceText(text, all->inputs.front(), reduce);
  if (!smallest)
    return smallest.takeError();
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  (*file)->os() << *smallest;
  return (*file)->commit();
}

int runReduce(int argc, char **argv) {
  ReduceCommandOptions options;
  if (!parseVerb(
          "reduce", argc, argv,
          "make a trace smaller while a test still calls it interesting\n\n"
          "  Leaves out ranks, tracks, events, edges and arguments as long as PROGRAM, called "
          "with the path\n  of the candidate's .ht text, exits with 0. Ctrl-C writes the "
          "smallest so far.\n"))
    return static_cast<int>(ExitCode::Usage);
  Watch watch;
  Error error = work(options, watch);
  watch.clear();
  return error ? printErrors(std::move(error)) : 0;
}

} // namespace heddle
