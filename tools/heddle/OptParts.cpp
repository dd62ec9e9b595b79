//===- OptParts.cpp - Inputs of several parts, expected messages ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// For tests: --split-input-file runs the parts between lines `// -----` one by one, and
// --verify-diagnostics compares what is said with the comments of the input.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "OptRun.h"
#include "heddle/Text/VerifyDiagnostics.h"

using namespace llvm;

namespace heddle {

static Expected<std::string> readAll(StringRef path, std::string &name) {
  Expected<std::unique_ptr<Input>> input = Input::open(path, Limits());
  if (!input)
    return input.takeError();
  name = (*input)->name().str();
  std::string text;
  for (;;) {
    char block[1 << 14];
    Expected<size_t> got = (*input)->read(block, sizeof block);
    if (!got)
      return got.takeError();
    if (*got == 0)
      return text;
    text.append(block, *got);
  }
}

/// Lines of a part become lines of the whole file.
static Diagnostic inWholeFile(Diagnostic d, unsigned firstLine) {
  if (d.place.line)
    d.place.line += firstLine - 1;
  return d;
}

/// The line of a remark's first evidence; 0 where there is none or a rewrite moved the events.
static unsigned lineOf(const Remark &remark, const PassResult &unit, const Trace &trace,
                       const EventLines &lines) {
  uint64_t rank = static_cast<uint64_t>(remark.rank.value_or(unit.rank));
  if (remark.evidence.empty() || rank >= lines.size() || trace.ranks[rank]->generation() != 0)
    return 0;
  EventRef e = remark.evidence[0];
  if (e.track >= lines[rank].size() || e.index >= lines[rank][e.track].size())
    return 0;
  return lines[rank][e.track][e.index];
}

Error OptRun::readPart(StringRef text, StringRef name, Loaded &part, EventLines &lines,
                       Diagnostics &diagnostics) {
  const ImporterInfo *importer = registry.importers.claim(text);
  if (!importer)
    return inputError("unknown-input", "no importer knows this part", {name.str(), 0, 0, 0, ""});
  if (looksLikeText(text)) {
    ParseOptions parse;
    parse.lines = &lines;
    part.inputs = {name.str()};
    return parseText(text, name, part.trace, &part.results, Limits(), diagnostics, parse);
  }
  ImportOptions import;
  import.progress = &watch.progress();
  import.results = &part.results;
  std::unique_ptr<Input> input = Input::fromMemory(text, name, import.limits);
  part.inputs = {name.str()};
  return importer->read(*input, part.trace, import, diagnostics);
}

Error OptRun::runPart(StringRef text, StringRef name, unsigned firstLine, OutputFile *file) {
  Loaded part;
  Diagnostics diagnostics;
  EventLines lines;
  Error error = readPart(text, name, part, lines, diagnostics);
  bool read = !error && !diagnostics.hasErrors();
  if (read)
    error = runPasses(part);

  if (!options.verifyDiagnostics) {
    for (const Diagnostic &d : diagnostics.all())
      printDiagnostic(inWholeFile(d, firstLine));
    if (!error && !read)
      error = inputError("bad-input", "it has errors", {name.str(), 0, 0, 0, ""});
    if (!error && file)
      return emitTo(*file, part);
    return handleErrors(std::move(error), [&](const DiagnosticError &e) -> Error {
      return make_error<DiagnosticError>(inWholeFile(e.diagnostic, firstLine), e.code);
    });
  }

  Expected<DiagnosticVerifier> verifier = DiagnosticVerifier::create(text, name, firstLine);
  if (!verifier)
    return joinErrors(std::move(error), verifier.takeError());
  for (const Diagnostic &d : diagnostics.all())
    verifier->see(inWholeFile(d, firstLine));
  bool failed = static_cast<bool>(error);
  handleAllErrors(
      std::move(error),
      [&](const DiagnosticError &e) { verifier->see(inWholeFile(e.diagnostic, firstLine)); },
      [&](const ErrorInfoBase &e) { verifier->see(MessageLevel::Error, 0, e.message()); });
  if (std::string repairs = describeRepairs(diagnostics); !repairs.empty())
    verifier->see(MessageLevel::Warning, 0, "repaired: " + repairs);
  for (const PassResult &unit : part.results.units) {
    for (const Remark &r : unit.remarks) {
      unsigned line = lineOf(r, unit, part.trace, lines);
      verifier->see(MessageLevel::Remark, line ? line + firstLine - 1 : 0, r.message);
    }
    for (const Abstention &a : unit.abstained)
      verifier->see(MessageLevel::Note, 0, unit.passName + " abstains: " + a.reason);
  }
  std::vector<Diagnostic> wrong = verifier->finish();
  Error mismatch = Error::success();
  for (Diagnostic &d : wrong)
    mismatch = joinErrors(std::move(mismatch),
                          make_error<DiagnosticError>(std::move(d), ExitCode::BadInput));
  if (!mismatch && !failed && read && file)
    return emitTo(*file, part);
  return mismatch;
}

Error OptRun::runParts() {
  // Output on demand only: a test of messages is about messages.
  bool emits = !options.verifyDiagnostics || options.text || options.emit.getNumOccurrences() ||
               options.output.getNumOccurrences();
  std::unique_ptr<OutputFile> file;
  if (emits) {
    auto opened = OutputFile::create(options.output);
    if (!opened)
      return opened.takeError();
    file = std::move(*opened);
  }
  FoundInputs inputs;
  Error notFound = findInputs(registry.importers, valuesOf(options.files), inputs);
  printSkipped(inputs.skipped);
  if (notFound)
    return notFound;
  Error errors = Error::success();
  bool first = true;
  for (const std::string &path : inputs.files) {
    std::string name;
    Expected<std::string> text = readAll(path, name);
    if (!text) {
      errors = joinErrors(std::move(errors), text.takeError());
      continue;
    }
    std::vector<InputChunk> chunks = {{*text, 1}};
    if (options.splitInput)
      chunks = splitInput(*text);
    for (const InputChunk &chunk : chunks) {
      if (!first && file)
        file->os() << "// -----\n";
      first = false;
      errors =
          joinErrors(std::move(errors), runPart(chunk.text, name, chunk.firstLine, file.get()));
    }
  }
  if (errors || !file)
    return errors; // a file is whole or absent
  return file->commit();
}

} // namespace heddle
