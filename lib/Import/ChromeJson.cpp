//===- ChromeJson.cpp - The importer of Chrome trace JSON -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Reads one document in one pass, then settles what only the whole file tells: time base, facts,
// links. Whole blocks of events may one day be read in parallel and faster; they must then give
// what this gives.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "Foreign.h"
#include "Reader.h"
#include "Split.h"
#include "heddle/Import/Importer.h"

using namespace llvm;

namespace heddle {

static bool sniffChromeJson(StringRef head) {
  if (!chrome::knownForeign(head).kind.empty())
    return false;
  StringRef text = chrome::skipMark(head);
  bool all = head.size() < chrome::kHeadBytes;
  if (text.empty() && !all)
    return true; // of the formats JSON alone may begin with any number of blanks
  if (text.starts_with("{"))
    return text.contains("\"traceEvents\"") || !all;
  if (!text.consume_front("["))
    return false;
  text = text.ltrim(" \t\r\n,");
  if (text.empty() || text.starts_with("]"))
    return true; // no event
  return text.starts_with("{") &&
         (text.contains("\"ph\"") || !all || text.drop_front().ltrim().starts_with("}"));
}

static Error readChromeJson(Input &input, Trace &out, const ImportOptions &options,
                            Diagnostics &diagnostics) {
  auto rank = std::make_unique<Rank>();
  rank->recording.path = input.name().str();
  chrome::Reader reader(input, options, *rank);
  if (Error e = reader.read())
    return e;
  chrome::Sink &sink = reader.filled();
  chrome::settleTime(sink);
  chrome::settleFacts(sink);
  chrome::nameTracks(sink);
  chrome::settleLanes(sink);
  chrome::restoreRows(sink);
  sink.ranks().finish();
  Rank &whole = *rank;
  std::vector<std::unique_ptr<Rank>> ranks = chrome::splitMerged(whole);
  bool exported = !ranks.empty() && chrome::isExportOfRanks(whole.recording.document);
  if (ranks.empty())
    ranks.push_back(std::move(rank));
  for (auto &part : ranks) { // ids of launches mean something within a rank
    chrome::Lexer lexer(options.limits);
    chrome::Sink own(*part, lexer, options.limits);
    if (exported)
      chrome::restoreRank(own);
    chrome::linkEvents(own);
    chrome::countFacts(own);
    // The first has the document of a file that a script merged.
    part->recording.producer = chrome::producerPhrase(own, exported ? *part : *ranks[0]);
  }
  if (exported)
    ranks[0]->recording.document = std::move(whole.recording.document);
  Recording &rec = ranks[0]->recording;
  for (unsigned r = 0; r < chrome::kNumRepairs; ++r) {
    auto [count, first] = sink.repairCounts()[r];
    if (!count)
      continue;
    StringRef kind = chrome::repairName(static_cast<chrome::Repair>(r));
    rec.repairs[kind.str()] = count;
    diagnostics.repaired(kind, Place{rec.path, first, 0, 0, {}}, count);
  }
  for (auto &part : ranks)
    out.ranks.push_back(std::move(part));
  return Error::success();
}

const ImporterInfo chromeJsonImporter = {"chrome-json",
                                         "Chrome trace JSON: Kineto (PyTorch) and its relatives",
                                         10, sniffChromeJson, readChromeJson};

} // namespace heddle
