//===- InfoCommand.cpp - heddle info --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// What is in a recording, before anybody asks where its time goes; and which passes can answer on
// it. Names and numbers only, one fact a line.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "Messages.h"
#include "Session.h"
#include "Terminal.h"
#include "Verbs.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/IO/OutputFile.h"
#include "heddle/IR/Devices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <array>
#include <map>
#include <set>
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
  if (rank.cycle)
    facts.push_back("cycle " + std::to_string(*rank.cycle));
  if (!rank.backend.empty())
    facts.push_back(rank.backend);
  if (!rank.host.empty())
    facts.push_back("host " + rank.host);
  lines.addList("rank", facts);
  auto noted = [&](StringRef note) { return r.notes.find(note) != r.notes.end(); };
  if (!r.part.empty())
    lines.add("part", r.part + " of a file that was merged from several ranks");
  else if (noted("merged-ranks-not-told-apart"))
    lines.add("part", "all of a file that was merged from several ranks: which of them a device "
                      "belongs to cannot be told");
  else if (noted("repeated-device"))
    lines.add("part", "all of a file that may be merged from several ranks: devices are listed "
                      "again, and no process id says whose it is");
}

static std::string nameOf(const Device &d) { return d.name.empty() ? "no name" : d.name; }

static std::string describe(const Device &d) {
  std::string text = d.name.empty() ? "(no name)" : d.name;
  if (d.numSms >= 0)
    text += ", " + std::to_string(d.numSms) + " multiprocessors";
  if (d.totalMemory >= 0)
    text += ", " + grouped(static_cast<uint64_t>(d.totalMemory)) + " bytes";
  return text;
}

/// Neighbours that are alike share a line; then which devices did something.
static void printDevices(Lines &lines, const Rank &rank) {
  ArrayRef<Device> devices = rank.recording.devices;
  if (devices.empty())
    lines.add("devices", "not described");
  for (size_t i = 0; i != devices.size();) {
    std::string text = describe(devices[i]);
    size_t end = i + 1;
    while (end != devices.size() && describe(devices[end]) == text)
      ++end;
    std::string ids = std::to_string(devices[i].id);
    if (end - i > 1)
      ids += " to " + std::to_string(devices[end - 1].id) + ":";
    lines.add(i ? "" : "devices", ids + " " + text);
    i = end;
  }
  std::set<int64_t> used;
  for (const Track &t : rank.tracks())
    if (t.key.family == Family::StreamWork)
      used.insert(t.device);
  std::vector<std::string> facts;
  for (int64_t d : used)
    if (const Device *known = describedDevice(rank.recording, d); known && known->id != d)
      facts.push_back("device " + std::to_string(d) + " (" + nameOf(*known) + ")");
    else
      facts.push_back(d < 0 ? "a device without a number" : "device " + std::to_string(d));
  lines.addList("work on", facts);
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
                                    stepSourceName(s.source).str() +
                                    (s.pattern.empty() ? "" : " " + s.pattern.str())};
  facts.push_back("numbered " + std::to_string(s.marks.front().number) +
                  (s.marks.size() > 1 ? " to " + std::to_string(s.marks.back().number) : ""));
  if (s.misplaced)
    facts.push_back(std::to_string(s.misplaced) + " misplaced");
  if (s.source == StepSource::Optimizer)
    facts.push_back("recorded without a schedule");
  else if (s.missingProfilerStep)
    facts.push_back("some hold several optimizer steps: prof.step() is missing from the loop");
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
  uint64_t flows = count_if(rank.flows(), [&](const FlowRow &f) { return !rank.isEnd(f); });
  if (flows)
    facts.push_back(grouped(flows) + " flow");
  lines.addList("events", facts);

  std::array<uint64_t, kNumEdgeKinds> edges{};
  for (const Edge &e : rank.edges())
    ++edges[static_cast<unsigned>(e.kind)];
  facts.clear();
  for (unsigned i = 0; i != kNumEdgeKinds; ++i)
    if (edges[i])
      facts.push_back(grouped(edges[i]) + " " + edgeKindName(static_cast<EdgeKind>(i)).str());
  lines.addList("edges", facts);
  if (std::string graphs = describeGraphs(graphUse(rank)); !graphs.empty())
    lines.add("graphs", graphs);
}

//===----------------------------------------------------------------------===//
// What it can answer
//===----------------------------------------------------------------------===//

namespace {
/// What the trace has of what passes declare to need and to want. A lack that follows from another
/// is not told beside it: without device work there are no launches of it.
class Answers {
public:
  explicit Answers(const PassRegistry &registry) : registry(registry) {}

  /// Takes note of what a rank has.
  void add(const Rank &rank) {
    for (unsigned i = 0; i != kNumCapabilities; ++i)
      if (auto c = static_cast<Capability>(i); !known[i])
        known[i] = hasCapability(rank, c);
    empty &= holdsNothing(rank);
    otherTool &= rank.recording.format == "chrome";
    ascend |= StringRef(rank.recording.producer).contains("Ascend");
  }

  void print(raw_ostream &os) {
    std::vector<const PassInfo *> can, cannot;
    for (const PassInfo *info : registry.all())
      if (info->kind != PassKind::Rewrite)
        (lackOf(*info) ? cannot : can).push_back(info);
    os << "\nThis recording can answer"
       << (!empty      ? ""
           : otherTool ? " nothing: no event of a form that is read"
                       : " nothing: no event but metadata")
       << '\n';
    if (!empty)
      printCan(os, can);
    if (!cannot.empty() && !empty)
      printCannot(os, cannot);
    printAdvice(os, can);
  }

private:
  bool has(Capability c) const { return known[static_cast<unsigned>(c)]; }
  bool lacks(Capability c) const {
    bool implied = c == Capability::Launches && !has(Capability::DeviceWork);
    return !has(c) && !implied;
  }
  std::optional<Capability> lackOf(const PassInfo &info) const {
    for (Capability c : info.needs)
      if (!has(c))
        return c;
    return std::nullopt;
  }
  /// Nothing but the recorder's own span and marks.
  static bool holdsNothing(const Rank &rank) {
    return all_of(rank.tracks(), [&](const Track &t) {
      return t.key.family == Family::Window ||
             (t.key.family == Family::ThreadMarker && rank.recording.format == "kineto" &&
              all_of(t.kinds, [](EventKind k) { return k == EventKind::Marker; }));
    });
  }
  void printCan(raw_ostream &os, ArrayRef<const PassInfo *> can) {
    for (const PassInfo *info : can) {
      os << "  " << left_justify(info->name, kNameWidth) << ' ' << info->summary << '\n';
      std::string last;
      for (const WantInfo &w : info->wants)
        if (lacks(w.capability) && last != w.without) {
          os << "  " << left_justify("", kNameWidth) << " without " << capabilityName(w.capability)
             << ": " << w.without << '\n';
          last = w.without.str();
        }
    }
  }
  void printCannot(raw_ostream &os, ArrayRef<const PassInfo *> cannot) {
    os << "It cannot answer\n";
    for (const PassInfo *info : cannot)
      os << "  " << left_justify(info->name, kNameWidth) << ' ' << info->summary << '\n'
         << "  " << left_justify("", kNameWidth) << " it holds no "
         << capabilityName(*lackOf(*info)) << '\n';
  }
  /// What to record, once for all passes that lack it.
  void printAdvice(raw_ostream &os, ArrayRef<const PassInfo *> can) {
    std::vector<std::string> advice;
    auto add = [&](std::string text) {
      if (!is_contained(advice, text))
        advice.push_back(std::move(text));
    };
    if (empty && !otherTool)
      add("let the work run between the start and the stop of the profiler");
    else if (otherTool)
      add("record with torch.profiler: what is an op or a kernel in a trace of another tool is not "
          "known here");
    else
      for (unsigned i = 0; i != kNumCapabilities; ++i)
        if (auto c = static_cast<Capability>(i); lacks(c) && isAsked(c, can))
          add(adviceFor(c));
    if (advice.empty())
      return;
    os << "To answer more\n";
    for (const std::string &text : advice)
      os << "  " << text << '\n';
  }
  /// Whether a pass would say more with it.
  bool isAsked(Capability c, ArrayRef<const PassInfo *> can) {
    return any_of(registry.all(), [&](const PassInfo *info) {
      return info->kind != PassKind::Rewrite &&
             (lackOf(*info) == c || (is_contained(can, info) && any_of(info->wants, [&](auto &w) {
                                       return w.capability == c;
                                     })));
    });
  }
  std::string adviceFor(Capability c) const {
    if (ascend && (c == Capability::DeviceWork || c == Capability::Launches))
      return "the rows of an Ascend device are read as spans of unknown kind: no pass counts them "
             "as device work";
    return capabilityAdvice(c).str();
  }

  static constexpr unsigned kNameWidth = 14;
  const PassRegistry &registry;
  bool known[kNumCapabilities] = {};     ///< By capability: some rank has it.
  bool empty = true;                     ///< All hold nothing.
  bool otherTool = true, ascend = false; ///< All are of another tool; some is.
};
} // namespace

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
  Expected<uint64_t> memory = options.memoryBytes();
  if (!memory)
    return memory.takeError();
  LoadOptions load;
  load.memory = *memory;
  load.threads = options.threadCount();
  load.strict = options.strict;
  load.selection = *selection;
  auto all = loadInputs(registry.importers, valuesOf(options.files), load, watch);
  if (!all)
    return all.takeError();

  const Trace &trace = all->trace;
  bool several = trace.ranks.size() > 1 || !missingRanks(trace).empty();
  if (several) {
    Lines lines(os);
    StringRef key = "inputs";
    Expected<std::vector<std::string>> facts = describeGroups(trace);
    if (!facts)
      return facts.takeError();
    for (const std::string &fact : *facts) {
      lines.add(key, fact);
      key = "";
    }
  }
  Answers answers(registry.passes);
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    Expected<RankHold> held = trace.hold(i);
    if (!held)
      return held.takeError();
    const Rank *rank = &**held;
    answers.add(*rank);
    if (i || several)
      os << '\n';
    os << escapeForTerminal(all->files[i]) << '\n';
    Lines lines(os);
    if (StringRef path = rank->recording.path; !path.empty() && path != all->files[i])
      lines.add("original", path);
    printRecording(lines, *rank);
    printDevices(lines, *rank);
    printTime(lines, *rank);
    if (Error e = printSteps(lines, *rank))
      return e;
    printContents(lines, *rank);
    lines.addList("repairs", counted(rank->recording.repairs));
    lines.addList("notes", counted(rank->recording.notes));
  }
  if (all->trace.ranks.empty())
    os << "no rank\n";
  answers.print(os);
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
