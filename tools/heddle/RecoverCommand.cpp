//===- RecoverCommand.cpp - heddle recover --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Session.h"
#include "Verbs.h"
#include "heddle/IO/OutputFile.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace heddle {

namespace {
struct RecoverOptions : PluginOptions {
  cl::OptionCategory category{"Recovering"};
  cl::list<std::string> files{cl::Positional, cl::desc("<trace>"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::value_desc("file"), cl::cat(category),
                              cl::desc("Where the whole .hb goes; '-' is standard output")};
};
} // namespace

/// What came back, and what did not.
static void tell(StringRef file, const Trace &trace, const BinaryRecovery &found) {
  uint64_t events = 0;
  for (const auto &rank : trace.ranks)
    events += rank->numEvents();
  errs() << "recovered " << found.chunks << " chunks of " << trace.ranks.size()
         << " ranks: " << events << " events";
  if (found.results)
    errs() << ", and " << found.results << " results";
  errs() << '\n';
  auto warn = [&](uint64_t count, const Twine &what) {
    if (count)
      printMessage(Severity::Warning, file, Twine(count) + what);
  };
  warn(found.lostBytes, " bytes are lost, the first at " + Twine(found.lostAt));
  warn(found.unusable, " whole frames need one that is lost");
  warn(found.lostTexts, " texts are lost; '(lost string N)' stands for them");
  warn(found.lostEdges, " edges lead from or to a lost event");
  warn(found.cutResults, " results lack pieces that are lost");
  warn(found.lostResults, " results and remarks are about ranks that are lost, and left out");
  warn(found.lostEvidence, " remarks have lost their evidence, since events are or may be lost");
  if (!found.hasFooter)
    printMessage(Severity::Warning, file,
                 "the footer is lost: clocks and places of merged ranks are not known");
}

static Error work(const RecoverOptions &options) {
  if (options.files.size() != 1)
    return usageError("no-input", "recover wants one damaged .hb");
  if (options.output.empty())
    return usageError("no-output", "recover needs -o FILE.hb, where the whole file goes");
  Registry registry;
  if (Error e = fillRegistry(registry, options))
    return e;
  std::string path = options.files[0];
  ErrorOr<std::unique_ptr<MemoryBuffer>> bytes =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return inputError("cannot-read", "cannot read '" + path + "': " + bytes.getError().message());
  Trace trace;
  Results results;
  Expected<BinaryRecovery> found =
      recoverBinary((*bytes)->getBuffer(), path, trace, results, Limits());
  if (!found)
    return found.takeError();
  trace.provenance.toolVersion = HEDDLE_VERSION;
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  if (Error e = registry.emitters.find("hb")->emit(trace, results, (*file)->os(), EmitOptions()))
    return e;
  if (Error e = (*file)->commit())
    return e;
  tell(path, trace, *found);
  return Error::success();
}

int runRecover(int argc, char **argv) {
  RecoverOptions options;
  if (!parseVerb("recover", argc, argv,
                 "get back what is whole of a damaged .hb\n\n"
                 "  Looks for frames whose hash is right and writes a new file of them; says what "
                 "is lost.\n  Results of passes come back too; those about a rank of which events "
                 "are lost are\n  marked as stale, and their evidence is left out.\n"))
    return static_cast<int>(ExitCode::Usage);
  Error error = work(options);
  return error ? printErrors(std::move(error)) : 0;
}

} // namespace heddle
