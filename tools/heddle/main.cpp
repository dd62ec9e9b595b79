//===- main.cpp - The heddle command --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Options.h"
#include "Verbs.h"
#include "heddle/Support/Nearest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <exception>

using namespace llvm;
using namespace heddle;

namespace {
struct Verb {
  StringLiteral name, summary;
  int (*run)(int argc, char **argv);
};
} // namespace

static constexpr Verb verbs[] = {
    {"report", "tell where the time of a recording goes", runReport},
    {"info", "tell what is in a recording", runInfo},
    {"opt", "run passes over a trace and write the result", runOpt},
    {"open", "show the timeline of a trace in Perfetto's UI", runOpen},
    {"passes", "tell which passes, pipelines, inputs and outputs there are", runPasses},
    {"reduce", "make a trace smaller while a test still calls it interesting", runReduce},
    {"recover", "get back what is whole of a damaged .hb", runRecover},
};

static void printHelp(raw_ostream &os) {
  os << "heddle " HEDDLE_VERSION ", a compiler for GPU traces\n\n"
        "usage: heddle <command> [options] <trace>...\n\n";
  for (const Verb &v : verbs)
    os << "  " << left_justify(v.name, 8) << v.summary << '\n';
  os << "\n'heddle <command> --help' tells about its options. A trace is a file, a directory, a\n"
        "pattern, a list (@FILE), or '-' for standard input; several are the ranks of one job.\n\n"
        "exit codes: 0 done, 1 bad input, 2 wrong usage, 3 a fault of heddle or of a pass,\n"
        "4 over a budget that you gave, 5 no answer\n";
}

static int usage(const Twine &message) {
  printMessage(Severity::Error, "", message);
  return static_cast<int>(ExitCode::Usage);
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    printHelp(errs());
    return static_cast<int>(ExitCode::Usage);
  }
  StringRef word = argv[1];
  if (word == "--version" || word == "version") {
    outs() << "heddle " HEDDLE_VERSION "\n";
    return 0;
  }
  bool help = word == "help";
  if (word == "--help" || word == "-h" || word == "--help-hidden" || (help && argc == 2)) {
    printHelp(outs());
    return 0;
  }
  if (help)
    word = argv[2];
  std::vector<StringRef> names = {"help", "version"};
  for (const Verb &v : verbs) {
    names.push_back(v.name);
    if (v.name != word)
      continue;
    removeForeignOptions();
    cl::SetVersionPrinter([](raw_ostream &os) { os << "heddle " HEDDLE_VERSION "\n"; });
    static char helpOption[] = "--help";
    char *helpArgs[] = {argv[0], helpOption, nullptr};
    return help ? v.run(2, helpArgs) : v.run(argc - 1, argv + 1);
  }
  if (word.starts_with("-"))
    return usage("unknown option '" + word + "'; options follow the command, see 'heddle --help'");
  std::string hint = didYouMean(word, names);
  if (hint.empty() && sys::fs::exists(word))
    hint = "; did you mean 'heddle report " + word.str() + "'?";
  return usage("unknown command '" + word + "'" + (hint.empty() ? "; see 'heddle --help'" : hint));
}

/// Writes what is held back. Errors are forgotten: LLVM ends a process again that leaves one.
static std::error_code finishOutput() {
  std::error_code failure;
  for (raw_fd_ostream *os : {&outs(), static_cast<raw_fd_ostream *>(&errs())}) {
    os->flush();
    if (os == &outs() && os->error() != std::errc::broken_pipe) // who closed it does not want more
      failure = os->error();
    os->clear_error();
  }
  return failure;
}

int main(int argc, char **argv) {
  // A closed pipe is an error of a write, which ends the writing; no signal is needed.
  std::signal(SIGPIPE, SIG_IGN);
  // A crash says which pass or input it is about.
  setBugReportMsg("heddle: error: it crashed; what it was doing:\n");
  EnablePrettyStackTrace();
  outs(), errs();                            // are there before, so that they go after
  std::atexit([] { (void)finishOutput(); }); // help ends the process inside LLVM
  int code = static_cast<int>(ExitCode::Internal);
  try {
    code = dispatch(argc, argv);
  } catch (const std::exception &e) { // memory is used up, most likely
    printMessage(Severity::Error, "", Twine("an exception ended the work: ") + e.what());
  }
  if (std::error_code failure = finishOutput(); failure && code == 0) {
    printMessage(Severity::Error, "", "cannot write '-': " + failure.message());
    code = static_cast<int>(ExitCode::BadInput);
  }
  return code;
}
