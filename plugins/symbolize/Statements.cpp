//===- Statements.cpp - Which statement of a user frame it was ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Statements.h"
#include "Modules.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace heddle;
using namespace heddle::symbolize;
using llvm::StringRef;
static constexpr uint32_t kNone = PythonStacks::kNone;
static constexpr size_t kMostFiles = 4096;

/// Of "<built-in method mm of type object at 0x7f00>", "<built-in function linear>", and
/// "<method 'relu' of ...>" the name; else "".
static StringRef nativeName(StringRef frame) {
  if (frame.consume_front("<built-in method "))
    return frame.split(' ').first;
  if (frame.consume_front("<built-in function "))
    return frame.split('>').first;
  if (frame.consume_front("<method '"))
    return frame.split('\'').first;
  return "";
}

Statements::Call Statements::callOf(const CodePlace &place) const {
  Call call;
  for (uint32_t leaf : {place.stack, place.forward}) {
    if (leaf == kNone || frames->user[leaf] == kNone)
      continue;
    const StackNode &user = stacks->nodes[frames->user[leaf]];
    if (user.statement)
      return call;
    if (inward[leaf] != kNone) {
      call.callee = stacks->nodes[inward[leaf]].frame;
    } else {
      if (leaf != place.stack || place.op == StringId::None)
        return call;
      call.callee = kOp | static_cast<uint32_t>(place.op);
    }
    call.frame = user.frame;
    return call;
  }
  return call;
}

uint32_t Statements::lineOf(const CodePlace &place) const {
  if (lines.empty())
    return 0;
  Call call = callOf(place);
  return call.frame == kNone ? 0 : lines.lookup({call.frame, call.callee});
}

namespace heddle::symbolize {

/// Finds the lines, file by file.
class StatementFinder {
public:
  StatementFinder(Statements &out, const Rank &rank, const FrameRule &rule)
      : out(out), stacks(*out.stacks), rank(rank), rule(rule) {}

  void run(const SourceFolders &folders) {
    collect();
    findStart();
    size_t asked = 0;
    for (auto &[file, functions] : files) {
      std::unique_ptr<llvm::MemoryBuffer> text;
      SourceFolders::Outcome outcome =
          asked++ < kMostFiles ? folders.read(file, text) : SourceFolders::Outcome::Refused;
      if (outcome == SourceFolders::Outcome::Read)
        read(text->getBuffer(), functions);
      else
        ++(outcome == SourceFolders::Outcome::Missing ? out.counts.notFound : out.counts.refused);
    }
  }

private:
  struct Function {
    std::vector<uint64_t> callees;
    std::vector<uint32_t> called; ///< Frames.
    bool wanted = false;
  };

  /// What is asked for, and all functions of the files that are.
  void collect() {
    functions.resize(stacks.frames.size());
    for (uint32_t f = 0; f != stacks.frames.size(); ++f)
      frameOf[stacks.frames[f]] = f;
    llvm::DenseSet<std::pair<uint32_t, uint64_t>> seen;
    for (const CodePlace &place : stacks.places) {
      Statements::Call call = out.callOf(place);
      if (call.frame == kNone || !seen.insert({call.frame, call.callee}).second)
        continue;
      functions[call.frame].wanted = true;
      functions[call.frame].callees.push_back(call.callee);
    }
    llvm::DenseSet<std::pair<uint32_t, uint32_t>> pairs;
    std::vector<uint32_t> callerOf(stacks.nodes.size(), kNone); // but for decorators
    for (uint32_t n = 0; n != stacks.nodes.size(); ++n) {
      const StackNode &node = stacks.nodes[n];
      native |= !nativeName(stacks.frames[node.frame]).empty();
      if (node.parent == kNone)
        continue;
      uint32_t outer = callerOf[node.parent];
      bool decorated = outer != kNone && out.frames->user[node.parent] != node.parent &&
                       isDecorator(stacks.frames[stacks.nodes[node.parent].frame]);
      callerOf[n] = decorated ? outer : node.parent;
      uint32_t caller = stacks.nodes[callerOf[n]].frame;
      if (functions[caller].wanted && pairs.insert({caller, node.frame}).second)
        functions[caller].called.push_back(node.frame);
    }
    for (uint32_t f = 0; f != stacks.frames.size(); ++f)
      if (functions[f].wanted)
        if (auto text = parseFrame(stacks.frames[f]))
          files[text->file];
    for (uint32_t f = 0; f != stacks.frames.size(); ++f)
      if (auto text = parseFrame(stacks.frames[f]))
        if (auto it = files.find(text->file); it != files.end())
          it->second.push_back(f);
  }

  /// The frames that may have run when recording began: each the first that its caller calls.
  void findStart() {
    for (const Track &track : rank.tracks()) {
      if (track.key.family != Family::ThreadPython)
        continue;
      for (uint32_t i = 0; i != track.size() && (!i || track.begin[i] < track.end[i - 1]); ++i)
        if (auto f = frameOf.find(rank.str(track.names[i])); f != frameOf.end())
          atStart.insert(f->second);
    }
  }

  /// Infers in one file, if all of its functions are where the trace says.
  void read(StringRef text, llvm::ArrayRef<uint32_t> frames) {
    std::optional<PythonSource> source = PythonSource::parse(text);
    if (!source) {
      ++out.counts.refused;
      return;
    }
    llvm::DenseMap<uint32_t, uint32_t> lines;
    unsigned around = 0;
    for (uint32_t f : frames) {
      FrameText frame = *parseFrame(stacks.frames[f]);
      if (frame.function.starts_with("<"))
        continue;
      uint32_t number = 0, line = PythonSource::kNone;
      if (!frame.line.getAsInteger(10, number)) {
        line = source->find(frame.function, number);
        // What runs when recording begins has the line at which it is then, a generator the one
        // at which it was left.
        if (line == PythonSource::kNone && ++around <= kMostAround &&
            (atStart.contains(f) || source->yields(number)))
          line = source->around(frame.function, number);
      }
      if (line == PythonSource::kNone) {
        ++out.counts.otherVersion;
        return;
      }
      lines[f] = line;
    }
    PythonNames names(*source);
    std::map<uint32_t, unsigned> times; // that a function was read
    for (uint32_t f : frames) {
      if (!functions[f].wanted)
        continue;
      auto it = lines.find(f);
      // The file's top is that of this version if some function of it is.
      bool top = parseFrame(stacks.frames[f])->function == "<module>" && !lines.empty();
      uint32_t def = top || it == lines.end() ? PythonSource::kNone : it->second;
      if ((it == lines.end() && !top) || ++times[def] > kMostReadings)
        out.counts.unnamed += static_cast<int64_t>(functions[f].callees.size());
      else
        infer(f, *source, names, def);
    }
  }

  /// A function is recorded under its own line, a generator under those at which it was left: of a
  /// file and of a function a few. More would let a trace have a file read as often as it likes.
  static constexpr unsigned kMostAround = 64, kMostReadings = 64;

  void infer(uint32_t f, const PythonSource &source, const PythonNames &names, uint32_t def) {
    llvm::StringSet<> seen;
    for (uint32_t frame : functions[f].called)
      if (PythonCallee callee = calleeOf(frame); !callee.name.empty())
        seen.insert(callee.kind == PythonCallee::Module ? ("nn.Module: " + callee.name).str()
                                                        : callee.name.str());
    PythonBody body(names, source, def, seen);
    for (uint64_t key : functions[f].callees) {
      PythonCallee callee = key & Statements::kOp
                                ? opOf(static_cast<StringId>(static_cast<uint32_t>(key)))
                                : calleeOf(static_cast<uint32_t>(key));
      PythonCandidates found;
      if (!callee.name.empty())
        found = body.find(callee);
      if (found.line && !found.several) {
        out.lines[{f, key}] = found.line;
        ++out.counts.inferred;
      } else {
        ++(found.line ? out.counts.ambiguous : out.counts.unnamed);
      }
    }
  }
  PythonCallee opOf(StringId name) const {
    StringRef text = rank.str(name);
    if (!text.consume_front("aten::"))
      return {};
    return {native ? PythonCallee::Op : PythonCallee::NamedOp, text};
  }
  PythonCallee calleeOf(uint32_t frame) const {
    StringRef text = stacks.frames[frame];
    if (StringRef module = moduleOfFrame(text); !module.empty())
      return {PythonCallee::Module, moduleClass(module)};
    if (StringRef name = nativeName(text); !name.empty())
      return {PythonCallee::Function, name};
    std::optional<FrameText> f = parseFrame(text);
    if (!f || rule.classify(text) == FrameClass::Generated)
      return {};
    return {PythonCallee::Function, f->function};
  }

  Statements &out;
  const PythonStacks &stacks;
  const Rank &rank;
  const FrameRule &rule;
  std::vector<Function> functions; ///< By frame.
  llvm::MapVector<StringRef, std::vector<uint32_t>> files;
  llvm::DenseMap<StringRef, uint32_t> frameOf; ///< By text.
  llvm::DenseSet<uint32_t> atStart;
  bool native = false; ///< Functions of C are recorded.
};

} // namespace heddle::symbolize

Statements::Statements(const Rank &rank, const PythonStacks &stacks, const UserFrames &frames,
                       const FrameRule &rule, const SourceFolders &folders)
    : stacks(&stacks), frames(&frames) {
  if (folders.empty())
    return;
  inward.assign(stacks.nodes.size(), kNone);
  for (uint32_t n = 0; n != stacks.nodes.size(); ++n) {
    uint32_t parent = stacks.nodes[n].parent;
    if (parent == kNone || frames.user[n] == n || frames.user[n] == kNone)
      continue;
    inward[n] = parent == frames.user[n] ? n : inward[parent];
    // What a decorator calls is what the statement names, if it is a function of Python too.
    StringRef called = stacks.frames[stacks.nodes[n].frame];
    if (inward[n] == parent && parseFrame(called) &&
        isDecorator(stacks.frames[stacks.nodes[parent].frame]))
      inward[n] = n;
  }
  StatementFinder(*this, rank, rule).run(folders);
}
