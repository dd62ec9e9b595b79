//===- EditTexts.cpp - Every text of a rank, replaced ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "TrackSort.h"
#include "heddle/IR/Editor.h"
#include "llvm/ADT/STLExtras.h"

using namespace heddle;
using llvm::StringRef;

namespace {

using Rewriter = llvm::function_ref<std::string(const TextPlace &, StringRef)>;

/// Moves texts from one table to another, asking once for each text of a place.
class Mover {
public:
  Mover(const StringTable &from, StringTable &to, Rewriter rewrite)
      : from(from), to(to), rewrite(rewrite) {}

  void operator()(StringId &id, TextRole role, EventKind kind = EventKind::Other,
                  StringId key = StringId::Empty) {
    if (id == StringId::None)
      return;
    uint64_t place = static_cast<uint64_t>(role) | static_cast<uint64_t>(kind) << 8 |
                     static_cast<uint64_t>(key) << 16;
    auto [it, isNew] = known.try_emplace({place, static_cast<uint32_t>(id)});
    if (isNew)
      it->second = to.intern(rewrite({role, kind, from[key]}, from[id]));
    id = it->second;
  }
  void operator()(SourceId &id) {
    if (id.form == SourceId::String)
      (*this)(id.text, TextRole::Id);
    else if (id.form == SourceId::Raw)
      (*this)(id.text, TextRole::RawId);
  }
  /// The values of a derived column, whose name is in no table.
  void values(std::vector<StringId> &ids, StringRef column) {
    llvm::DenseMap<StringId, StringId> seen;
    for (StringId &id : ids) {
      if (id == StringId::None)
        continue;
      auto [it, isNew] = seen.try_emplace(id);
      if (isNew)
        it->second = to.intern(rewrite({TextRole::Value, EventKind::Other, column}, from[id]));
      id = it->second;
    }
  }
  void operator()(std::string &text, TextRole role, StringRef key = "") {
    if (!text.empty())
      text = rewrite({role, EventKind::Other, key}, text);
  }

private:
  const StringTable &from;
  StringTable &to;
  Rewriter rewrite;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, StringId> known;
};

} // namespace

static void moveStore(Mover &move, LayoutStore &store) {
  std::vector<Entry> &entries = store.layout.entries;
  bool whole =
      entries.size() == 1 && entries[0].type == ValueType::Raw && entries[0].key == StringId::Empty;
  for (size_t i = 0; i != entries.size(); ++i) {
    TextRole role = whole                                  ? TextRole::WholeEvent
                    : entries[i].type == ValueType::String ? TextRole::Value
                    : entries[i].type == ValueType::List   ? TextRole::Nested
                                                           : TextRole::RawToken;
    for (StringId &id : store.columns[i].strings)
      move(id, role, EventKind::Other, entries[i].key);
    if (!whole)
      move(entries[i].key, TextRole::Key);
  }
  move(store.layout.cat, TextRole::Category);
}

static void moveTrack(Mover &move, Track &t) {
  for (uint32_t i = 0; i != t.size(); ++i)
    move(t.names[i], TextRole::EventName, t.kinds[i]);
  move(t.name, TextRole::TrackName);
  move(t.key.pid);
  if (t.key.family == Family::Async && t.key.tid.form == SourceId::String)
    move(t.key.tid.text, TextRole::Category); // what such a lane is named after
  else
    move(t.key.tid);
  std::map<std::string, DerivedColumn, std::less<>> derived;
  for (auto &[name, column] : t.derived) {
    move.values(column.strings, name);
    std::string key = name;
    move(key, TextRole::Key);
    derived[key] = std::move(column);
  }
  t.derived = std::move(derived);
}

static void moveCounts(Mover &move, std::map<std::string, uint64_t, std::less<>> &counts) {
  std::map<std::string, uint64_t, std::less<>> moved;
  for (auto &[name, count] : counts) {
    std::string key = name;
    move(key, TextRole::CountName);
    moved[key] += count;
  }
  counts = std::move(moved);
}

static void moveRecording(Mover &move, Recording &r) {
  move(r.path, TextRole::Path);
  move(r.format, TextRole::Format);
  move(r.producer, TextRole::Format);
  move(r.part, TextRole::Id);
  for (Document::Member &m : r.document.members) {
    move(m.value, TextRole::DocumentValue, m.key);
    move(m.key, TextRole::DocumentKey);
  }
  for (Device &d : r.devices)
    move(d.name, TextRole::DeviceName);
  moveCounts(move, r.repairs);
  moveCounts(move, r.notes);
}

llvm::Error RankEditor::rewriteTexts(Rewriter rewrite) {
  if (llvm::Error e = requireStructural("replaces texts"))
    return e;
  for (ColumnId c : {ColumnId::Name, ColumnId::Attributes, ColumnId::Derived, ColumnId::TrackMeta,
                     ColumnId::RankMeta, ColumnId::Results})
    if (llvm::Error e = require(c, "all texts"))
      return e;
  auto fresh = std::make_unique<StringTable>();
  Mover move(*rank.stringTable, *fresh, rewrite);
  for (Track &t : rank.trackList)
    moveTrack(move, t);
  for (LayoutStore &store : rank.layoutList)
    moveStore(move, store);
  for (FlowRow &f : rank.flowList) {
    if (rank.isEnd(f) && f.anchor.valid()) // it is found by its begin's name
      move(f.name, TextRole::EventName, rank.kind(f.anchor));
    else
      move(f.name, TextRole::FlowName);
    move(f.pid);
    move(f.tid);
  }
  for (LooseRow &l : rank.looseList)
    move(l.text, TextRole::WholeEvent);
  move(rank.host, TextRole::Host);
  move(rank.backend, TextRole::Backend);
  moveRecording(move, rank.recording);
  rank.stringTable = std::move(fresh);
  ++rank.gen;

  // Tracks whose ids are texts stand in the order of those.
  std::vector<uint32_t> place = orderTracks(rank.trackList, *rank.stringTable);
  if (llvm::is_sorted(place))
    return llvm::Error::success();
  Remap remap;
  std::vector<Track> sorted(rank.trackList.size());
  for (uint32_t t = 0; t != place.size(); ++t) {
    remap.places.emplace_back();
    for (uint32_t i = 0; i != rank.trackList[t].size(); ++i)
      remap.places.back().push_back({place[t], i});
    sorted[place[t]] = std::move(rank.trackList[t]);
  }
  rank.trackList = std::move(sorted);
  applyRemap(
      remap, rank.edgeList, rank.flowList, [&](const FlowRow &f) { return rank.isEnd(f); }, lost);
  applied.push_back(std::move(remap));
  return llvm::Error::success();
}
