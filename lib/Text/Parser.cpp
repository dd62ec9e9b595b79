//===- Parser.cpp - Parses .ht text: files and ranks ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Parser.h"

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

bool Parser::block(llvm::function_ref<bool()> item) {
  while (!accept('}')) {
    if (stopped())
      return false;
    if (p == end) {
      // The blocks around this one end here too; one message is enough.
      bool first = !sawEnd;
      sawEnd = true;
      return first && failExpected("'}'");
    }
    const char *start = p;
    if (!item())
      recover(start);
  }
  return true;
}

bool Parser::facts(llvm::function_ref<bool(const char *, StringRef)> fact) {
  if (!expect('{'))
    return false;
  if (accept('}'))
    return true;
  do {
    skip();
    const char *at = p;
    StringRef name;
    if (!key(name) || !expect('='))
      return false;
    if (!fact(at, name))
      return false;
  } while (accept(','));
  return accept('}') || failExpected("',' or '}'");
}

void Parser::run() {
  while (!atEnd() && !stopped()) {
    const char *start = p;
    if (!topLevel()) {
      recover(start);
      accept('}'); // One that closes nothing.
    }
  }
}

bool Parser::topLevel() {
  const char *at = p;
  StringRef first = word();
  if (first == "trace")
    return trace();
  if (first.empty())
    return failExpected("'trace' or a result");
  return result(at, first);
}

bool Parser::trace() {
  firstClock = clocks.size();
  return expect('{') && block([&] {
           const char *at = p;
           StringRef first = word();
           if (first == "rank")
             return rank();
           if (first == "clock")
             return clock();
           return first.empty() ? failExpected("'rank', 'clock' or '}'")
                                : failUnknown(at, "word", first, {"rank", "clock"});
         });
}

bool Parser::rank() {
  r = std::make_unique<RankState>();
  r->head = p;
  r->rank->recording.path = name.str();
  r->rank->recording.format = kTextFormat.str();
  size_t errorsBefore = errors.size();
  if (!(rankHead() && expect('{')) && !recoverIntoBlock(r->head))
    return false;
  block([&] { return rankItem(); });
  // Missing labels are worth naming even where lines were faulty, but then a faulty line may have
  // held them.
  if (errors.size() != errorsBefore || !resolve())
    return true; // Reported; the block was read to its end.
  finishRank();
  return true;
}

bool Parser::rankHead() {
  Rank &rank = *r->rank;
  if (char c = peek(); c == '-' || (c >= '0' && c <= '9')) {
    int64_t n;
    if (!integer(n))
      return false;
    rank.number = n;
  }
  for (;;) {
    skip();
    const char *at = p;
    StringRef w = word();
    bool ok = true;
    if (w.empty())
      return true;
    if (w == "of") {
      int64_t n;
      ok = integer(n);
      rank.worldSize = n;
    } else if (w == "cycle") {
      int64_t n;
      ok = integer(n);
      rank.cycle = n;
    } else if (w == "host") {
      ok = string(rank.host);
    } else if (w == "backend") {
      ok = string(rank.backend);
    } else if (w == "pid") {
      ok = integer(r->hostPid);
    } else if (w == "device") {
      ok = device(/*inHead=*/true);
    } else {
      ok = failUnknown(at, "word", w, {"of", "cycle", "host", "backend", "pid", "device"});
    }
    if (!ok)
      return false;
  }
}

bool Parser::rankItem() {
  const char *at = p;
  StringRef w = word();
  for (StringRef head : {"thread", "stream", "overhead", "window", "counters", "async"})
    if (w == head)
      return track(head);
  if (w == "recording")
    return recording();
  if (w == "placed")
    return placed();
  if (w == "repairs")
    return counts(r->rank->recording.repairs);
  if (w == "notes")
    return counts(r->rank->recording.notes);
  if (w == "document")
    return document();
  if (w == "device")
    return device(/*inHead=*/false);
  if (w == "layout")
    return layoutLine();
  if (w == "edge")
    return edge();
  if (w == "flow" || w == "end")
    return flow(w == "end");
  if (w == "loose")
    return loose();
  if (w.empty())
    return failExpected("a track or '}'");
  return failUnknown(at, "word", w,
                     {"thread", "stream", "overhead", "window", "counters", "async", "recording",
                      "placed", "repairs", "notes", "document", "device", "layout", "edge", "flow",
                      "end", "loose"});
}

llvm::Error heddle::parseText(StringRef text, StringRef name, Trace &out, Results *results,
                              const Limits &limits, Diagnostics &diagnostics,
                              const ParseOptions &options) {
  Parser parser(text, name, limits, options);
  parser.run();
  if (!parser.errors.empty()) {
    Diagnostic last = std::move(parser.errors.back());
    parser.errors.pop_back();
    for (Diagnostic &d : parser.errors)
      diagnostics.report(std::move(d));
    return llvm::make_error<DiagnosticError>(std::move(last), ExitCode::BadInput);
  }
  Trace read;
  read.ranks = std::move(parser.ranks);
  read.clocks = std::move(parser.clocks);
  append(out, std::move(read));
  if (results)
    for (PassResult &unit : parser.results.units)
      results->units.push_back(std::move(unit));
  if (options.lines)
    *options.lines = std::move(parser.eventLines);
  return llvm::Error::success();
}

bool heddle::looksLikeText(StringRef head) {
  Limits limits;
  Scanner scanner(head, "", 1, limits);
  if (scanner.atEnd())
    return false;
  StringRef first = scanner.word();
  for (StringRef word : {"trace", "pass", "table", "remark", "statistic", "abstain"})
    if (first == word) {
      char next = scanner.peek();
      return first == "trace" ? next == '{' : next == '"';
    }
  return false;
}
