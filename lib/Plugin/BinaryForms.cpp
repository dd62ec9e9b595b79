//===- BinaryForms.cpp - .hb as importer and emitter ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// The library that writes and reads .hb knows nothing of importers, emitters and analyses; here the
// first two are made, and the steps for the footer are found.
//===----------------------------------------------------------------------===//

#include "TextForms.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/IO/Binary.h"

using namespace llvm;

namespace heddle {

static Error readTrace(Input &input, Trace &out, const ImportOptions &options, Diagnostics &) {
  return readBinary(input, out, {options.limits, options.progress, options.results});
}

const ImporterInfo binaryImporter = {"hb", "Heddle binary", 110, looksLikeBinary, readTrace};

/// The steps of all devices of a rank; none where they cannot be told.
static std::vector<BinaryStep> stepsOf(const Rank &rank) {
  std::vector<BinaryStep> all;
  AnalysisCache analyses(rank);
  Expected<const Steps *> found = analyses.get<Steps>(Limits());
  if (!found) {
    consumeError(found.takeError());
    return all;
  }
  const Steps *steps = *found;
  if (steps->source == StepSource::None)
    return all;
  for (const DeviceSteps &device : steps->devices)
    for (const DeviceStep &s : device.steps) {
      Interval host;
      if (s.mark < steps->marks.size())
        host = steps->marks[s.mark].interval;
      all.push_back({device.device, s.number, s.window, host});
    }
  return all;
}

static Error emitTrace(const Trace &trace, const Results &results, raw_ostream &os,
                       const EmitOptions &) {
  return writeBinary(trace, results, os, {stepsOf});
}

static constexpr StringLiteral suffixes[] = {".hb"};
const EmitterInfo binaryEmitter = {"hb", "Heddle binary: the trace, then what passes published",
                                   suffixes, emitTrace};

} // namespace heddle
