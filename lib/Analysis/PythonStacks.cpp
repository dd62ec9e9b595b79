//===- PythonStacks.cpp - Which Python code did it ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/PythonStacks.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace heddle;
static constexpr uint32_t kNone = PythonStacks::kNone;

namespace {

/// The tree of stacks.
class Tree {
public:
  explicit Tree(PythonStacks &out) : out(out) {}

  uint32_t child(uint32_t parent, uint32_t frame, bool statement) {
    auto [it, isNew] = nodeIndex.try_emplace({parent, uint64_t{frame} << 1 | statement},
                                             static_cast<uint32_t>(out.nodes.size()));
    if (isNew)
      out.nodes.push_back({parent, frame, statement});
    return it->second;
  }
  uint32_t frame(llvm::StringRef text) {
    auto [it, isNew] = frameIndex.try_emplace(text, static_cast<uint32_t>(out.frames.size()));
    if (isNew)
      out.frames.push_back(text);
    return it->second;
  }
  /// The same for a name of the rank; its text is looked at once.
  uint32_t frame(StringId name, const Rank &rank) {
    auto i = static_cast<uint32_t>(name);
    if (i >= frameOfName.size())
      frameOfName.resize(rank.strings().size(), kNone);
    if (frameOfName[i] == kNone)
      frameOfName[i] = frame(rank.str(name));
    return frameOfName[i];
  }
  /// The stack of a text "inner(3): f;outer(7): g;..."; kNone if there is none in it.
  uint32_t text(StringId id, llvm::StringRef text) {
    auto [it, isNew] = texts.try_emplace(static_cast<uint32_t>(id), kNone);
    if (!isNew)
      return it->second;
    uint32_t node = kNone;
    while (!text.empty()) {
      auto [callers, frame] = text.rsplit(';');
      if (callers.size() == text.size()) // no ';' left
        frame = text, callers = "";
      if (!frame.trim().empty())
        node = child(node, this->frame(frame.trim()), true);
      text = callers;
    }
    return it->second = node;
  }

private:
  PythonStacks &out;
  llvm::DenseMap<llvm::StringRef, uint32_t> frameIndex;
  std::vector<uint32_t> frameOfName;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> nodeIndex;
  llvm::DenseMap<uint32_t, uint32_t> texts;
};

/// The innermost open frame of a thread, as time goes by. What has not begun last and is none of
/// its callers is over, whatever its end.
class OpenFrame {
public:
  OpenFrame(const Track *track, const TrackNesting *nesting, llvm::ArrayRef<uint32_t> nodes)
      : track(track), nodes(nodes) {
    if (!track)
      return;
    over.reserve(track->size());
    caller.assign(nesting->parent.begin(), nesting->parent.end());
    for (uint32_t i = 0; i < track->size(); ++i)
      over.push_back(caller[i] == kNone ? track->end[i] : std::min(track->end[i], over[caller[i]]));
  }

  /// Goes on to a time, which is never before the one asked for last.
  void advance(Time t) {
    if (!track)
      return;
    while (next < track->size() && track->begin[next] <= t)
      last = next++;
    // What is over stays so: ways past it are made short.
    uint32_t found = last;
    while (found != kNone && over[found] <= t)
      found = caller[found];
    for (uint32_t i = last; i != found;) {
      uint32_t outer = caller[i];
      caller[i] = found;
      i = outer;
    }
    last = found;
  }
  uint32_t node() const { return last == kNone ? kNone : nodes[last]; }
  Time begin() const { return track->begin[last]; }

private:
  const Track *track;
  llvm::ArrayRef<uint32_t> nodes;
  std::vector<Time> over;       ///< A frame's end, or a caller's if that is earlier.
  std::vector<uint32_t> caller; ///< Or a caller of it, once those between are over.
  uint32_t next = 0, last = kNone;
};

/// What is known of an event before forward ops are asked.
struct Draft {
  uint32_t stack = kNone;
  StringId op = StringId::None; ///< The outermost op in the innermost frame.
  StringId hierarchy = StringId::None;
  EventRef forward;      ///< Of the backward op around it.
  bool inside = false;   ///< `stack` stems from inside that op, or there is none.
  bool backward = false; ///< In an op of autograd.
  bool argument = false; ///< `stack` is a recorded text.
};

class Finder {
public:
  Finder(const Rank &rank, const Nesting &nesting, const Launches &launches, PythonStacks &out)
      : rank(rank), nesting(nesting), launches(launches), out(out), tree(out),
        callStack(rank, "Call stack"), hierarchy(rank, "Module Hierarchy") {}

  void run() {
    out.placeOf.resize(rank.tracks().size());
    readFrames();
    findForward();
    drafts.resize(rank.tracks().size());
    for (uint32_t t = 0; t < rank.tracks().size(); ++t)
      if (rank.track(t).key.family == Family::ThreadWork)
        draft(t);
    for (uint32_t t = 0; t < rank.tracks().size(); ++t)
      if (rank.track(t).key.family == Family::ThreadWork)
        settle(t);
    for (uint32_t t = 0; t < rank.tracks().size(); ++t)
      if (rank.track(t).key.family == Family::StreamWork)
        followLaunches(t);
  }

private:
  using Thread = std::pair<SourceId, SourceId>;

  /// Nodes of all frames, and which track has those of a thread.
  void readFrames() {
    frameNodes.resize(rank.tracks().size());
    for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
      const Track &track = rank.track(t);
      if (track.key.family != Family::ThreadPython)
        continue;
      pythonOf[{track.key.pid, track.key.tid}] = t;
      for (uint32_t i = 0; i < track.size(); ++i) {
        uint32_t parent = nesting.tracks[t].parent[i];
        frameNodes[t].push_back(
            tree.child(parent == TrackNesting::kNone ? kNone : frameNodes[t][parent],
                       tree.frame(track.names[i], rank), false));
      }
    }
  }
  void findForward() {
    for (const Edge &e : rank.edges())
      if (e.kind == EdgeKind::FwdBwd)
        forwardOf.try_emplace({e.to.track, e.to.index}, e.from);
  }
  /// The forward op of a backward op; of the engine's span around one, that one's.
  EventRef forward(EventRef e) const {
    auto it = forwardOf.find({e.track, e.index});
    return it == forwardOf.end() ? EventRef() : it->second;
  }
  static bool isEngine(llvm::StringRef name) {
    return name.starts_with("autograd::engine::evaluate_function") ||
           name.starts_with("torch::autograd::");
  }

  static bool isMember(EventKind k) {
    return k == EventKind::CpuOp || k == EventKind::Annotation || isApiCall(k) ||
           k == EventKind::Comm;
  }

  void draft(uint32_t t) {
    const Track &track = rank.track(t);
    drafts[t].resize(track.size());
    auto python = pythonOf.find({track.key.pid, track.key.tid});
    bool has = python != pythonOf.end();
    OpenFrame frames(has ? &rank.track(python->second) : nullptr,
                     has ? &nesting.tracks[python->second] : nullptr,
                     has ? llvm::ArrayRef(frameNodes[python->second]) : llvm::ArrayRef<uint32_t>());
    // Ops that are open; what they say holds inside of them.
    struct Open {
      uint32_t frame = kNone; ///< The innermost one.
      Time end, stackBegin, backwardBegin, frameBegin;
      Draft said; ///< `stack` is a text's.
    };
    std::vector<Open> open;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (!isMember(track.kinds[i]))
        continue;
      Time now = track.begin[i];
      frames.advance(now);
      while (!open.empty() && open.back().end <= now)
        open.pop_back();
      const Open *outer = open.empty() ? nullptr : &open.back();
      Open self = outer ? *outer : Open();
      self.end = outer ? std::min(self.end, track.end[i]) : track.end[i];
      read(t, i, self.said, self.stackBegin, self.backwardBegin);
      self.frame = frames.node();
      self.frameBegin = self.frame == kNone ? Time() : frames.begin();
      if (!outer || outer->frame != self.frame || outer->frameBegin != self.frameBegin)
        self.said.op = StringId::None;
      if (self.said.op == StringId::None && track.kinds[i] == EventKind::CpuOp)
        self.said.op = track.names[i];
      Draft &d = drafts[t][i] = self.said;
      Time stackBegin = self.stackBegin;
      if (frames.node() != kNone) {
        d.stack = frames.node();
        d.argument = false;
        stackBegin = frames.begin();
      }
      d.inside = d.stack != kNone && stackBegin >= self.backwardBegin;
      if (track.end[i] > now)
        open.push_back(self);
    }
  }
  /// What an event says by itself.
  void read(uint32_t t, uint32_t i, Draft &said, Time &stackBegin, Time &backwardBegin) {
    const Track &track = rank.track(t);
    if (auto text = callStack.getString(track, i); text && !text->empty()) {
      uint32_t node = tree.text(textId(*text), *text);
      if (node != kNone) {
        said.stack = node;
        said.argument = true;
        stackBegin = track.begin[i];
      }
    }
    if (auto text = hierarchy.getString(track, i); text && !text->empty())
      said.hierarchy = textId(*text);
    EventRef from = forward({t, i});
    llvm::StringRef name = rank.str(track.names[i]);
    bool engine = isEngine(name);
    // The engine's span around an op has its name.
    if (!from.valid() && engine && i + 1 < track.size() && track.begin[i + 1] < track.end[i] &&
        name.ends_with((": " + rank.str(track.names[i + 1])).str()))
      from = forward({t, i + 1});
    if (from.valid() || engine) {
      said.forward = from;
      said.backward = true;
      backwardBegin = track.begin[i];
    }
  }
  /// Texts of a rank are stored once, so that each is looked up once, by where it lies.
  StringId textId(llvm::StringRef text) {
    auto [it, isNew] = textIds.try_emplace({text.data(), text.size()}, StringId::Empty);
    if (isNew)
      it->second = rank.strings().find(text).value_or(StringId::Empty);
    return it->second;
  }

  /// What has the stack of a forward op, which may itself be part of a backward op.
  const Draft *stackOf(EventRef op) const {
    for (unsigned order = 0; op.valid() && order != 4; ++order) {
      if (op.track >= drafts.size() || op.index >= drafts[op.track].size())
        return nullptr;
      const Draft &d = drafts[op.track][op.index];
      if (d.stack != kNone && (d.inside || !d.forward.valid()))
        return &d;
      if (!d.forward.valid() || d.forward == op)
        return nullptr;
      op = d.forward;
    }
    return nullptr;
  }
  void settle(uint32_t t) {
    const Track &track = rank.track(t);
    out.placeOf[t].assign(track.size(), kNone);
    bool hasFrames = pythonOf.contains({track.key.pid, track.key.tid});
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (!isMember(track.kinds[i]))
        continue;
      const Draft &d = drafts[t][i];
      CodePlace place;
      place.hierarchy = d.hierarchy;
      place.backward = d.backward;
      const Draft *forwardDraft = stackOf(d.forward);
      uint32_t forwardStack = forwardDraft ? forwardDraft->stack : kNone;
      if (d.stack != kNone && (d.inside || forwardStack == kNone)) {
        place.stack = d.stack;
        place.op = d.op;
        place.forward = forwardStack;
        place.source = d.argument ? StackSource::Argument : StackSource::Frames;
      } else if (forwardStack != kNone) {
        place.stack = forwardStack;
        place.op = forwardDraft->op;
        place.source = StackSource::Forward;
      } else {
        place.source = d.backward  ? StackSource::NoForward
                       : hasFrames ? StackSource::OutsideFrames
                                   : StackSource::NoFrames;
      }
      out.placeOf[t][i] = placeIndex(place);
    }
  }
  void followLaunches(uint32_t t) {
    out.placeOf[t].assign(rank.track(t).size(), kNone);
    for (uint32_t i = 0; i < rank.track(t).size(); ++i) {
      const LaunchCall *launch = launches.launchOf({t, i});
      if (!launch)
        continue;
      uint32_t place = placeAt(launch->call);
      // A call on a thread without frames may name an op elsewhere.
      if ((place == kNone || !hasStack(out.places[place].source)) && launch->op.valid())
        if (uint32_t p = placeAt(launch->op); p != kNone && hasStack(out.places[p].source))
          place = p;
      out.placeOf[t][i] = place;
    }
  }
  uint32_t placeAt(EventRef e) const {
    return e.index < out.placeOf[e.track].size() ? out.placeOf[e.track][e.index] : kNone;
  }
  uint32_t placeIndex(const CodePlace &p) {
    auto key = std::tuple(p.stack, p.forward, static_cast<uint32_t>(p.op),
                          static_cast<uint32_t>(p.hierarchy),
                          static_cast<uint32_t>(p.source) << 1 | p.backward);
    auto [it, isNew] = placeNumbers.try_emplace(key, static_cast<uint32_t>(out.places.size()));
    if (isNew)
      out.places.push_back(p);
    return it->second;
  }

  const Rank &rank;
  const Nesting &nesting;
  const Launches &launches;
  PythonStacks &out;
  Tree tree;
  AttrReader callStack, hierarchy;
  llvm::DenseMap<std::pair<const char *, size_t>, StringId> textIds;
  std::map<Thread, uint32_t> pythonOf;
  std::vector<std::vector<uint32_t>> frameNodes;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, EventRef> forwardOf;
  std::vector<std::vector<Draft>> drafts;
  llvm::DenseMap<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t>
      placeNumbers;
};

} // namespace

llvm::Expected<PythonStacks> PythonStacks::compute(const Rank &rank, AnalysisContext &context) {
  auto nesting = context.get<Nesting>();
  if (!nesting)
    return nesting.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  PythonStacks result;
  Finder(rank, **nesting, **launches, result).run();
  return result;
}
