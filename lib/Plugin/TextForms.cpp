//===- TextForms.cpp - .ht as importer and emitters -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "TextForms.h"
#include "heddle/Text/Text.h"

using namespace llvm;

namespace heddle {

static Error readText(Input &input, Trace &out, const ImportOptions &options,
                      Diagnostics &diagnostics) {
  std::string text;
  constexpr size_t block = size_t{1} << 16;
  for (;;) {
    size_t used = text.size();
    if (used > options.limits.maxEventBytes)
      return inputError("limit-exceeded", "'" + input.name() + "': the text is longer than " +
                                              Twine(options.limits.maxEventBytes) + " bytes");
    text.resize(used + block);
    Expected<size_t> got = input.read(text.data() + used, block);
    if (!got)
      return got.takeError();
    text.resize(used + *got);
    if (*got == 0)
      break;
    if (options.progress) {
      options.progress->done += *got;
      if (options.progress->cancelled)
        return inputError("cancelled", "cancelled");
    }
  }
  if (input.truncated())
    return inputError("truncated", "'" + input.name() + "': " + input.truncationReason());
  size_t first = out.ranks.size();
  if (Error e = parseText(text, input.name(), out, options.results, options.limits, diagnostics))
    return e;
  for (size_t i = first; i != out.ranks.size(); ++i) {
    out.ranks[i]->recording.path = input.name().str();
    out.ranks[i]->recording.bytes = text.size();
  }
  return Error::success();
}

const ImporterInfo textImporter = {"ht", "Heddle text", 100, looksLikeText, readText};

static Error emitTrace(const Trace &trace, const Results &results, raw_ostream &os,
                       const EmitOptions &options) {
  PrintOptions print;
  print.stripSource = options.stripSource;
  if (Error e = printText(trace, os, print))
    return e;
  printText(results, os);
  return Error::success();
}

static constexpr StringLiteral traceSuffixes[] = {".ht"};
const EmitterInfo traceTextEmitter = {"ht", "Heddle text: the trace, then what passes published",
                                      traceSuffixes, emitTrace};

static Error emitResults(const Trace &, const Results &results, raw_ostream &os,
                         const EmitOptions &) {
  printText(results, os);
  return Error::success();
}

static constexpr StringLiteral resultSuffixes[] = {".txt"};
const EmitterInfo textEmitter = {"results", "what passes published, as Heddle text", resultSuffixes,
                                 emitResults};

} // namespace heddle
