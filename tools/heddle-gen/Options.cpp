//===- Options.cpp - What heddle-gen is asked for -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle::gen;
using namespace llvm;

namespace {

/// The options of the command line; local, so that nothing is registered before main.
struct CommandLine {
  cl::opt<uint64_t> seed{"seed", cl::desc("What is random follows from this number"),
                         cl::value_desc("N"), cl::init(0)};
  cl::opt<int64_t> ranks{"ranks", cl::desc("Ranks of the job, each with one device (1)"),
                         cl::value_desc("N"), cl::init(1)};
  cl::opt<int64_t> tensorParallel{
      "tensor-parallel",
      cl::desc(
          "Ranks that share each layer (1): process groups of them, of those that have the same "
          "part, and of all, with the arguments that newer recorders write"),
      cl::value_desc("N"), cl::init(1)};
  cl::opt<int64_t> hosts{
      "hosts",
      cl::desc("Hosts over which the ranks are spread (1); each counts processes and devices "
               "by itself"),
      cl::value_desc("N"), cl::init(1)};
  cl::list<std::string> clocks{
      "clock",
      cl::desc("Set a host's clock wrong by OFFSET (say 3ms or -20us) when the job begins, and by "
               "DRIFT ns more each second"),
      cl::value_desc("HOST:OFFSET[:DRIFT]")};
  cl::opt<int64_t> steps{"steps", cl::desc("Steps of the training loop (3)"), cl::value_desc("N"),
                         cl::init(3)};
  cl::opt<int64_t> layers{"layers", cl::desc("Layers of the network (4)"), cl::value_desc("N"),
                          cl::init(4)};
  cl::opt<int64_t> streams{
      "streams",
      cl::desc("Streams of a device (1): compute; communication, if there are several ranks; "
               "copies; further ones beside compute"),
      cl::value_desc("N"), cl::init(1)};
  cl::opt<int64_t> firstStep{"first-step", cl::desc("Number of the first step (2)"),
                             cl::value_desc("N"), cl::init(2)};
  cl::opt<int64_t> kernelScale{
      "kernel-scale",
      cl::desc("Durations of kernels in per cent of the usual (100); 30 makes a launch-bound loop, "
               "300 one that waits for the device"),
      cl::value_desc("PERCENT"), cl::init(100)};
  cl::opt<Format> format{
      "format", cl::desc("What to write:"),
      cl::values(clEnumValN(Format::Text, "ht", "Heddle text, all ranks"),
                 clEnumValN(Format::Kineto, "kineto", "PyTorch's JSON, one file a rank")),
      cl::init(Format::Text)};
  cl::opt<Era> era{
      "era", cl::desc("Whose JSON is imitated:"),
      cl::values(clEnumValN(Era::Torch1_13, "1.13",
                            "whole microseconds since 1970, External id == correlation"),
                 clEnumValN(Era::Torch2_4, "2.4", "microseconds after a base, which comes last"),
                 clEnumValN(Era::Torch2_15, "2.15", "the same, the base first, one key a line")),
      cl::init(Era::Torch2_15)};
  cl::opt<Vendor> vendor{
      "vendor", cl::desc("Whose device:"),
      cl::values(clEnumValN(Vendor::Cuda, "cuda", "NVIDIA's"),
                 clEnumValN(Vendor::Rocm, "rocm", "AMD's: hip calls, gaps of 1 ns")),
      cl::init(Vendor::Cuda)};
  cl::opt<bool> stack{"with-stack", cl::desc("Record Python frames")};
  cl::opt<bool> frames{"frames",
                       cl::desc("Record Python frames of libraries, of what wraps calls and of the "
                                "user's code, and ids of modules")};
  cl::opt<bool> shapes{"with-shapes", cl::desc("Record shapes of inputs")};
  cl::opt<bool> memory{"with-memory", cl::desc("Record allocations")};
  cl::opt<bool> allocator{
      "allocator", cl::desc("Record the allocations of tensors that live and die, in blocks of a "
                            "caching allocator, on device and host")};
  cl::opt<std::string> inference{
      "inference",
      cl::desc("Serve instead of training: PREFILL steps op by op, then DECODE steps that launch a "
               "graph, and again; marks are an engine's"),
      cl::value_desc("PREFILL:DECODE")};
  cl::opt<bool> compiled{"compile",
                         cl::desc("Run layers as regions that torch.compile has compiled, with "
                                  "Inductor's kernels")};
  cl::opt<bool> graphs{"graphs", cl::desc("Launch forward and backward as one graph each")};
  cl::opt<bool> pageable{"pageable",
                         cl::desc("Copy batches from pageable memory, and read the loss back")};
  cl::opt<bool> workers{"workers", cl::desc("Load batches in processes of the loader's own")};
  cl::opt<int64_t> shortKernels{
      "short-kernels", cl::desc("Kernels of 1 to 3 us to launch after each op of a layer (0)"),
      cl::value_desc("N"), cl::init(0)};
  cl::opt<int64_t> midQueue{
      "mid-queue", cl::desc("Kernels that run when the recording begins, launched before it (0)"),
      cl::value_desc("N"), cl::init(0)};
  cl::opt<Marks> marks{
      "marks", cl::desc("Where steps are marked:"),
      cl::values(clEnumValN(Marks::Loop, "loop", "ProfilerStep around each step"),
                 clEnumValN(Marks::OtherThread, "other-thread",
                            "the same, on a thread that launches nothing"),
                 clEnumValN(Marks::Crossing, "crossing",
                            "from the middle of one optimizer step to that of the next"),
                 clEnumValN(Marks::Between, "between",
                            "around all but the optimizer, which belongs to no step"),
                 clEnumValN(Marks::Engine, "engine", "as an inference engine marks them"),
                 clEnumValN(Marks::None, "none", "not at all; optimizer steps are annotated")),
      cl::init(Marks::Loop)};
  cl::list<std::string> syncs{
      "sync",
      cl::desc("Synchronise COUNT times at random places, by KIND: stream, device, event (the host "
               "waits), wait (the last stream waits for an event)"),
      cl::value_desc("KIND:COUNT")};
  cl::opt<bool> syncRows{"with-sync", cl::desc("Record synchronisations on the device, too")};
  cl::list<std::string> gaps{
      "gap",
      cl::desc("Plant COUNT gaps on each device in which TIME (say 50us) goes to CAUSE: sync, "
               "after-sync, input, gc, alloc, compile, host, unobserved, launch-call, dependency, "
               "launch-latency, kernel-to-kernel, unrecorded, idle-sync, idle-queue, lead-in"),
      cl::value_desc("CAUSE:COUNT:TIME")};
  cl::list<std::string> stragglers{
      "straggler",
      cl::desc(
          "Slow a rank down: compute:PERCENT and host:PERCENT are what its kernels and its host "
          "take of the usual, late:TIME is how much later it enters each step"),
      cl::value_desc("RANK:KIND:AMOUNT")};
  cl::opt<std::string> output{
      "o",
      cl::desc("File, - for stdout (the default), or for Kineto files of several ranks a "
               "folder; .gz compresses"),
      cl::value_desc("PATH"), cl::init("-")};
  cl::opt<std::string> manifest{"manifest",
                                cl::desc("Write every gap of every device with its causes there"),
                                cl::value_desc("FILE")};
  cl::opt<std::string> facts{
      "facts", cl::desc("Write what was launched, copied and waited for there, counted by step"),
      cl::value_desc("FILE")};
};

/// Takes away what parts of LLVM registered, so that help shows our options only.
void removeForeignOptions() {
  SmallVector<cl::Option *, 64> foreign;
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.getKey() != "help" && entry.getKey() != "help-hidden" && entry.getKey() != "version")
      foreign.push_back(entry.getValue());
  for (cl::Option *option : foreign)
    option->removeArgument();
}

/// Nanoseconds of "800ns", "50us", "2ms", "1s".
std::optional<int64_t> parseTime(StringRef text) {
  int64_t value;
  if (text.consumeInteger(10, value) || value <= 0 || value > 3600000000)
    return std::nullopt;
  int64_t unit = StringSwitch<int64_t>(text)
                     .Case("ns", 1)
                     .Case("us", 1000)
                     .Case("ms", 1000000)
                     .Case("s", 1000000000)
                     .Default(0);
  if (!unit)
    return std::nullopt;
  return value * unit;
}

std::optional<Plant> parsePlant(StringRef text) {
  for (int i = 0; i <= static_cast<int>(Plant::LeadIn); ++i)
    if (plantName(static_cast<Plant>(i)) == text)
      return static_cast<Plant>(i);
  return std::nullopt;
}

/// Reads one --gap; what is wrong with it, or "".
std::string parseGap(StringRef text, const Options &options, GapRequest &gap) {
  SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  std::optional<Plant> plant = parsePlant(parts[0]);
  if (!plant)
    return ("no cause '" + parts[0] + "' to plant").str();
  std::optional<int64_t> time;
  if (parts.size() == 3)
    time = parseTime(parts[2]);
  if (!time || parts[1].getAsInteger(10, gap.count) || gap.count < 1 || gap.count > 1000000)
    return "wanted CAUSE:COUNT:TIME, say host:3:50us";
  gap.plant = *plant;
  gap.ns = *time;
  int64_t least = shortest(*plant, options);
  if (gap.ns < least)
    return "at least " + std::to_string(least) + " ns can be planted";
  if (gap.ns > longest(*plant))
    return "at most " + std::to_string(longest(*plant)) + " ns can be planted";
  if (*plant == Plant::LeadIn && gap.count != 1)
    return "there is one lead-in";
  if (*plant == Plant::Unobserved && options.stack)
    return "with Python frames nothing is unobserved";
  if (*plant == Plant::Dependency && options.vendor == Vendor::Rocm)
    return "ROCm records no waits of streams";
  return "";
}

/// Reads one --sync; what is wrong with it, or "".
std::string parseSync(StringRef text, const Options &options, SyncRequest &sync) {
  auto [kind, count] = text.split(':');
  int known = StringSwitch<int>(kind)
                  .Case("stream", static_cast<int>(SyncKind::Stream))
                  .Case("device", static_cast<int>(SyncKind::Device))
                  .Case("event", static_cast<int>(SyncKind::Event))
                  .Case("wait", static_cast<int>(SyncKind::Wait))
                  .Default(-1);
  if (known < 0)
    return ("no kind '" + kind + "' of synchronisation; wanted stream, device, event or wait")
        .str();
  if (count.getAsInteger(10, sync.count) || sync.count < 1 || sync.count > 1000000)
    return "wanted KIND:COUNT, say stream:3";
  sync.kind = static_cast<SyncKind>(known);
  if (sync.kind == SyncKind::Wait && options.streams < 2)
    return "a stream waits for another: --streams=2 or more";
  return "";
}

/// Reads one --straggler; what is wrong with it, or "".
std::string parseStraggler(StringRef text, const Options &options, Straggler &straggler) {
  SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  if (parts.size() != 3 || parts[0].getAsInteger(10, straggler.rank))
    return "wanted RANK:KIND:AMOUNT, say 1:compute:120 or 1:late:2ms";
  if (straggler.rank < 0 || straggler.rank >= options.ranks)
    return "there are " + std::to_string(options.ranks) + " ranks, from 0";
  for (Slowness kind : {Slowness::Compute, Slowness::Host, Slowness::Late})
    if (parts[1] == slownessName(kind)) {
      straggler.kind = kind;
      if (kind == Slowness::Late) {
        std::optional<int64_t> time = parseTime(parts[2]);
        straggler.amount = time.value_or(0);
        return time ? "" : "wanted a time, say 2ms";
      }
      bool bad = parts[2].getAsInteger(10, straggler.amount);
      return bad || straggler.amount < 1 || straggler.amount > 100000
                 ? "wanted 1 to 100000 per cent"
                 : "";
    }
  return ("no kind '" + parts[1] + "' of slowness; wanted compute, host or late").str();
}

/// Reads one --clock; what is wrong with it, or "".
std::string parseClock(StringRef text, const Options &options, HostClock &clock) {
  SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].getAsInteger(10, clock.host))
    return "wanted HOST:OFFSET or HOST:OFFSET:DRIFT, say 1:-3ms or 1:40us:2500";
  if (clock.host < 0 || clock.host >= options.hosts)
    return "there are " + std::to_string(options.hosts) + " hosts, from 0";
  StringRef offset = parts[1];
  bool behind = offset.consume_front("-");
  std::optional<int64_t> time = offset == "0" ? 0 : parseTime(offset);
  if (!time)
    return "wanted an offset, say 3ms or -20us or 0";
  clock.offset = behind ? -*time : *time;
  if (parts.size() == 3 &&
      (parts[2].getAsInteger(10, clock.drift) || clock.drift < -1000000 || clock.drift > 1000000))
    return "wanted a drift of at most 1000000 ns a second";
  return "";
}

/// What does not go together, or "".
std::string parseConflicts(const Options &options) {
  bool leadIn =
      llvm::any_of(options.gaps, [](const GapRequest &gap) { return gap.plant == Plant::LeadIn; });
  if (leadIn && options.midQueue)
    return "--mid-queue: the device works when the first step begins, so there is no lead-in";
  if (leadIn && options.marks == Marks::None)
    return "--marks=none: without marks there is no lead-in";
  if (options.syncRows && options.vendor == Vendor::Rocm)
    return "--with-sync: ROCm records no synchronisations on the device";
  if (!options.manifest.empty() && options.era == Era::Torch1_13)
    return "--manifest: stamps of era 1.13 are cut to microseconds, so no gap is exact";
  if (options.format == Format::Kineto && options.ranks > 1 && options.output == "-")
    return "Kineto files of several ranks need a folder: -o FOLDER";
  if (options.ranks % options.tensorParallel)
    return "--tensor-parallel: " + std::to_string(options.ranks) +
           " ranks do not fall into groups of " + std::to_string(options.tensorParallel);
  if (options.tensorParallel > 1 && options.graphs)
    return "--tensor-parallel: graphs hold no collectives here";
  if (options.inference() && (options.graphs || options.compiled || options.pageable))
    return "--inference: not with --graphs, --compile or --pageable, which are about training";
  if (options.compiled && (options.graphs || options.era == Era::Torch1_13))
    return "--compile: not with --graphs, and not in era 1.13, which had no compiler";
  if (options.compiled && options.tensorParallel > 1)
    return "--compile: compiled layers hold no collectives here";
  if (options.ranks % options.hosts)
    return "--hosts: " + std::to_string(options.ranks) + " ranks do not spread over " +
           std::to_string(options.hosts) + " hosts";
  if (!options.manifest.empty() && !options.clocks.empty())
    return "--manifest: on a clock that is wrong no gap is exact";
  bool hostSlow =
      llvm::any_of(options.stragglers, [](const Straggler &s) { return s.kind == Slowness::Host; });
  if (hostSlow && !options.gaps.empty())
    return "--straggler: a slow host makes planted gaps longer than they were asked for";
  return "";
}

} // namespace

llvm::StringRef heddle::gen::slownessName(Slowness kind) {
  switch (kind) {
  case Slowness::Compute:
    return "compute";
  case Slowness::Host:
    return "host";
  case Slowness::Late:
    return "late";
  }
  return "";
}

std::optional<Options> heddle::gen::parseOptions(int argc, char **argv, int &exitCode) {
  removeForeignOptions();
  CommandLine line;
  cl::SetVersionPrinter([](raw_ostream &os) { os << "heddle-gen " HEDDLE_VERSION "\n"; });
  exitCode = 2;
  if (!cl::ParseCommandLineOptions(argc, argv, "made-up traces of training jobs, by seed\n",
                                   &errs()))
    return std::nullopt;

  auto usage = [](const Twine &message) {
    errs() << "heddle-gen: error: " << message << '\n';
    return std::nullopt;
  };
  Options options;
  struct Bound {
    StringRef name;
    int64_t value, low, high;
    int64_t &to;
  } bounds[] = {{"ranks", line.ranks, 1, 1024, options.ranks},
                {"tensor-parallel", line.tensorParallel, 1, 64, options.tensorParallel},
                {"hosts", line.hosts, 1, 1024, options.hosts},
                {"steps", line.steps, 1, 100000, options.steps},
                {"layers", line.layers, 1, 10000, options.layers},
                {"streams", line.streams, 1, 8, options.streams},
                {"first-step", line.firstStep, 0, 1000000000, options.firstStep},
                {"kernel-scale", line.kernelScale, 1, 100000, options.kernelScale},
                {"short-kernels", line.shortKernels, 0, 1000, options.shortKernels},
                {"mid-queue", line.midQueue, 0, 1000000, options.midQueue}};
  for (Bound &bound : bounds) {
    if (bound.value < bound.low || bound.value > bound.high)
      return usage("--" + bound.name + "=" + Twine(bound.value) + " is not in " + Twine(bound.low) +
                   ".." + Twine(bound.high));
    bound.to = bound.value;
  }
  options.seed = line.seed;
  options.format = line.format;
  options.era = line.era;
  options.vendor = line.vendor;
  options.stack = line.stack || line.frames;
  options.frames = line.frames;
  options.shapes = line.shapes;
  options.memory = line.memory || line.allocator;
  options.allocator = line.allocator;
  options.output = line.output;
  options.manifest = line.manifest;
  options.facts = line.facts;
  options.graphs = line.graphs;
  options.compiled = line.compiled;
  options.pageable = line.pageable;
  options.workers = line.workers;
  options.syncRows = line.syncRows;
  options.marks = line.marks;
  if (StringRef cycle = line.inference.getValue(); !cycle.empty()) {
    auto [prefills, decodes] = cycle.split(':');
    if (prefills.getAsInteger(10, options.prefills) || decodes.getAsInteger(10, options.decodes) ||
        options.prefills < 0 || options.decodes < 0 || options.prefills > 1000 ||
        options.decodes > 1000 || !options.inference())
      return usage("--inference=" + cycle + ": wanted PREFILL:DECODE, say 1:3");
    options.marks = Marks::Engine;
  }
  for (const std::string &text : line.syncs) {
    SyncRequest sync;
    if (std::string wrong = parseSync(text, options, sync); !wrong.empty())
      return usage(Twine("--sync=") + text + ": " + wrong);
    options.syncs.push_back(sync);
  }
  for (const std::string &text : line.gaps) {
    GapRequest gap;
    if (std::string wrong = parseGap(text, options, gap); !wrong.empty())
      return usage(Twine("--gap=") + text + ": " + wrong);
    options.gaps.push_back(gap);
  }
  for (const std::string &text : line.clocks) {
    HostClock clock;
    if (std::string wrong = parseClock(text, options, clock); !wrong.empty())
      return usage(Twine("--clock=") + text + ": " + wrong);
    options.clocks.push_back(clock);
  }
  for (const std::string &text : line.stragglers) {
    Straggler straggler;
    if (std::string wrong = parseStraggler(text, options, straggler); !wrong.empty())
      return usage(Twine("--straggler=") + text + ": " + wrong);
    options.stragglers.push_back(straggler);
  }
  if (std::string wrong = parseConflicts(options); !wrong.empty())
    return usage(wrong);
  return options;
}
