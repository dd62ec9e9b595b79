//===- InfoCommand.cpp - heddle info --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// What is in a recording, before anybody asks where its time goes; and which passes can answer on
// it. Names and numbers only, one fact a line.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Session.h"
#include "Terminal.h"
#include "Verbs.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/IO/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <array>
#include <unistd.h>

using namespace llvm;

namespace heddle {

namespace {
/// Prints "  key       text" lines.
class Lines {
public:
  explicit Lines(raw_ostream &os) : os(os) {}
  void add(StringRef key, const Twine &text) {
    os << "  " << left_justify(key, 10) << ' ' << escapeForTerminal(text.str()) << '\n';
  }
  /// Several facts under one key, as many in a line as fit.
  void addList(StringRef key, ArrayRef<std::string> facts) {
    constexpr size_t width = 84;
    std::string line;
    for (const std::string &fact : facts) {
      if (!line.empty() && line.size() + 2 + fact.size() > width) {
        add(key, line + ",");
        key = "";
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + fact;
    }
    add(key, facts.empty() ? "none" : StringRef(line));
  }

private:
  raw_ostream &os;
};
} // namespace

/// 24,656.
static std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

static std::string milliseconds(Duration d) {
  std::string text;
  raw_string_ostream(text) << format("%.3f ms", double(d.ns) / 1e6);
  return text;
}

static std::vector<std::string>
counted(const std::map<std::string, uint64_t, std::less<>> &counts) {
  std::vector<std::string> facts;
  for (const auto &[name, count] : counts)
    facts.push_back(grouped(count) + " x " + name);
  return facts;
}

static void printRecording(Lines &lines, const Rank &rank) {
  const Recording &r = rank.recording;
  std::vector<std::string> facts;
  if (!r.producer.empty())
    facts.push_back(r.producer);
  if (!r.format.empty())
    facts.push_back("format " + r.format);
  if (r.bytes)
    facts.push_back(grouped(r.bytes) + " bytes");
  if (r.truncatedAt)
    facts.push_back("cut off at byte " + grouped(r.truncatedAt));
  lines.addList("recording", facts);

  facts.clear();
  facts.push_back(rank.number ? std::to_string(*rank.number) : "not said");
  if (rank.worldSize)
    facts[0] += " of " + std::to_string(*rank.worldSize);
  if (!rank.backend.empty())
    facts.push_back(rank.backend);
  if (!rank.host.empty())
    facts.push_back("host " + rank.host);
  lines.addList("rank", facts);

  facts.clear();
  for (const Device &d : r.devices) {
    std::string text = std::to_string(d.id) + " " + (d.name.empty() ? "(no name)" : d.name);
    if (d.numSms >= 0)
      text += ", " + std::to_string(d.numSms) + " multiprocessors";
    if (d.totalMemory >= 0)
      text += ", " + grouped(static_cast<uint64_t>(d.totalMemory)) + " bytes";
    lines.add(&d == r.devices.data() ? "devices" : "", text);
  }
  if (r.devices.empty())
    lines.add("devices", "not described");
}

static void printTime(Lines &lines, const Rank &rank) {
  std::optional<Time> begin, end;
  for (const Track &t : rank.tracks()) {
    if (t.empty() || t.key.family == Family::Window || t.key.family == Family::ThreadMarker)
      continue; // they lie anywhere
    begin = std::min(begin.value_or(t.begin[0]), t.begin[0]);
    Time last = *std::max_element(t.end.begin(), t.end.end());
    end = std::max(end.value_or(last), last);
  }
  if (!begin)
    return lines.add("time", "no event has one");
  std::vector<std::string> facts = {milliseconds(*end - *begin) + " from first to last event"};
  if (rank.recording.integerMicroseconds)
    facts.push_back("stamps have a resolution of 1 us");
  lines.addList("time", facts);
}

static Error printSteps(Lines &lines, const Rank &rank) {
  AnalysisCache cache(rank);
  Limits limits;
  auto steps = cache.get<Steps>(limits);
  if (!steps)
    return steps.takeError();
  const Steps &s = **steps;
  if (s.marks.empty()) {
    lines.add("steps", "no marks");
    return Error::success();
  }
  std::vector<std::string> facts = {std::to_string(s.marks.size()) + " by " +
                                    stepSourceName(s.source).str()};
  facts.push_back("numbered " + std::to_string(s.marks.front().number) +
                  (s.marks.size() > 1 ? " to " + std::to_string(s.marks.back().number) : ""));
  if (s.misplaced)
    facts.push_back(std::to_string(s.misplaced) + " misplaced");
  if (s.missingProfilerStep)
    facts.push_back("prof.step() or the profiler's schedule is missing");
  lines.addList("steps", facts);
  return Error::success();
}

static void printContents(Lines &lines, const Rank &rank) {
  std::array<uint64_t, kNumFamilies> tracks{};
  std::array<uint64_t, kNumEventKinds> events{};
  for (const Track &t : rank.tracks()) {
    ++tracks[static_cast<unsigned>(t.key.family)];
    for (EventKind k : t.kinds)
      ++events[static_cast<unsigned>(k)];
  }
  std::vector<std::string> facts;
  for (unsigned i = 0; i != kNumFamilies; ++i)
    if (tracks[i])
      facts.push_back(grouped(tracks[i]) + " " + familyName(static_cast<Family>(i)).str());
  lines.addList("tracks", facts);

  facts.clear();
  for (unsigned i = 0; i != kNumEventKinds; ++i)
    if (events[i])
      facts.push_back(grouped(events[i]) + " " + kindName(static_cast<EventKind>(i)).str());
  if (!rank.loose().empty())
    facts.push_back(grouped(rank.loose().size()) + " loose");
  if (!rank.flows().empty())
    facts.push_back(grouped(rank.flows().size()) + " flow");
  lines.addList("events", facts);

  std::array<uint64_t, kNumEdgeKinds> edges{};
  for (const Edge &e : rank.edges())
    ++edges[static_cast<unsigned>(e.kind)];
  facts.clear();
  for (unsigned i = 0; i != kNumEdgeKinds; ++i)
    if (edges[i])
      facts.push_back(grouped(edges[i]) + " " + edgeKindName(static_cast<EdgeKind>(i)).str());
  lines.addList("edges", facts);
}

/// Which passes can answer, and what the others lack.
static void printAnswers(raw_ostream &os, const Trace &trace, const PassRegistry &registry) {
  auto missing = [&](const PassInfo &info) -> std::optional<Capability> {
    for (Capability c : info.needs)
      if (none_of(trace.ranks, [&](const auto &rank) { return hasCapability(*rank, c); }))
        return c;
    return std::nullopt;
  };
  Lines lines(os);
  std::vector<std::string> can;
  std::vector<std::pair<std::string, Capability>> cannot;
  for (const PassInfo *info : registry.all()) {
    if (info->kind == PassKind::Rewrite)
      continue;
    if (std::optional<Capability> c = missing(*info))
      cannot.emplace_back(info->name.str(), *c);
    else
      can.push_back(info->name.str());
  }
  os << '\n';
  lines.addList("can answer", can);
  for (const auto &[name, c] : cannot) {
    lines.add("cannot", name + ": no " + capabilityName(c));
    lines.add("", capabilityAdvice(c));
  }
}

static Error print(const InputOptions &options, Watch &watch, raw_ostream &os) {
  Registry registry;
  if (Error e = fillRegistry(registry, options))
    return e;
  auto selection = options.selection();
  if (!selection)
    return selection.takeError();
  if (!selection->devices.empty() || !selection->steps.empty() || selection->window ||
      !selection->windowName.empty())
    printMessage(Severity::Warning, "",
                 "info tells of whole recordings: --device, --steps and --window change nothing");
  LoadOptions load;
  load.threads = options.threadCount();
  load.strict = options.strict;
  load.selection = *selection;
  auto all = loadInputs(registry.importers, valuesOf(options.files), load, watch);
  if (!all)
    return all.takeError();

  for (auto [i, rank] : enumerate(all->trace.ranks)) {
    if (i)
      os << '\n';
    os << escapeForTerminal(rank->recording.path.empty() ? "<stdin>" : rank->recording.path)
       << '\n';
    Lines lines(os);
    printRecording(lines, *rank);
    printTime(lines, *rank);
    if (Error e = printSteps(lines, *rank))
      return e;
    printContents(lines, *rank);
    lines.addList("repairs", counted(rank->recording.repairs));
    lines.addList("notes", counted(rank->recording.notes));
  }
  if (all->trace.ranks.empty())
    os << "no rank\n";
  printAnswers(os, all->trace, registry.passes);
  return Error::success();
}

int runInfo(int argc, char **argv) {
  InputOptions options;
  if (!parseVerb("info", argc, argv, "tell what is in a recording, and what it can answer\n"))
    return static_cast<int>(ExitCode::Usage);
  Watch watch;
  std::string text;
  raw_string_ostream os(text);
  Error error = print(options, watch, os);
  watch.clear();
  if (watch.interrupted()) {
    consumeError(std::move(error));
    printMessage(Severity::Error, "", "interrupted");
    return kInterrupted;
  }
  if (error)
    return printErrors(std::move(error));
  outs() << text;
  return 0;
}

} // namespace heddle
