//===- Editor.cpp - How rewrites change a rank ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Editor.h"
#include "TrackSort.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace heddle;

llvm::Error RankEditor::require(ColumnId c, llvm::StringRef what) {
  if (!allowed.writes(c))
    return internalError("undeclared-write",
                         "the pass writes " + what + ", which its PassInfo does not declare");
  done = done.with(c);
  rank.source.reset();
  return llvm::Error::success();
}

llvm::Error RankEditor::requireStructural(llvm::StringRef what) {
  if (!allowed.structural)
    return internalError("undeclared-write",
                         "the pass " + what + ", but its PassInfo declares no structural change");
  done.structural = true;
  rank.source.reset();
  return llvm::Error::success();
}

void heddle::applyRemap(const Remap &remap, std::vector<Edge> &edges, std::vector<FlowRow> &flows,
                        llvm::function_ref<bool(const FlowRow &)> isEnd, EditLoss &lost) {
  size_t before = edges.size();
  for (Edge &e : edges) {
    e.from = remap(e.from);
    e.to = remap(e.to);
  }
  llvm::erase_if(edges, [](const Edge &e) { return !e.from.valid() || !e.to.valid(); });
  lost.edges += before - edges.size();
  llvm::sort(edges);
  for (FlowRow &f : flows) {
    if (!f.anchor.valid())
      continue;
    f.anchor = remap(f.anchor);
    lost.anchors += !f.anchor.valid() && !isEnd(f);
  }
  llvm::erase_if(flows, [&](const FlowRow &f) { return !f.anchor.valid() && isEnd(f); });
}

// A layout's rows belong to events one to one, so that the rows of events that are gone go too.
static void compactRows(std::vector<LayoutStore> &layouts, std::vector<Track> &tracks,
                        std::vector<FlowRow> &flows) {
  std::vector<std::vector<uint32_t>> place(layouts.size());
  for (size_t l = 0; l != layouts.size(); ++l)
    place[l].assign(layouts[l].rows, kDropped);
  auto use = [&](LayoutId l, uint32_t row) { place[static_cast<uint16_t>(l)][row] = 0; };
  for (const Track &t : tracks)
    for (uint32_t i = 0; i != t.size(); ++i)
      use(t.layouts[i], t.rows[i]);
  for (const FlowRow &f : flows)
    use(f.layout, f.row);
  for (size_t l = 0; l != layouts.size(); ++l) {
    std::vector<uint32_t> order;
    for (uint32_t row = 0; row != layouts[l].rows; ++row)
      if (place[l][row] != kDropped) {
        place[l][row] = static_cast<uint32_t>(order.size());
        order.push_back(row);
      }
    if (order.size() == layouts[l].rows)
      continue;
    auto gather = [&](auto &column) {
      if (column.empty())
        return;
      for (uint32_t i = 0; i != order.size(); ++i)
        column[i] = column[order[i]];
      column.resize(order.size());
    };
    for (Column &c : layouts[l].columns) {
      gather(c.ints);
      gather(c.bytes);
      gather(c.strings);
    }
    layouts[l].rows = static_cast<uint32_t>(order.size());
  }
  for (Track &t : tracks)
    for (uint32_t i = 0; i != t.size(); ++i)
      t.rows[i] = place[static_cast<uint16_t>(t.layouts[i])][t.rows[i]];
  for (FlowRow &f : flows)
    f.row = place[static_cast<uint16_t>(f.layout)][f.row];
}

llvm::Expected<Remap> RankEditor::keep(const std::vector<std::vector<bool>> &mask) {
  if (llvm::Error e = requireStructural("removes events"))
    return e;
  for (uint32_t t = 0; t != std::min(mask.size(), rank.trackList.size()); ++t)
    if (!mask[t].empty() && mask[t].size() != rank.trackList[t].size())
      return internalError("mask-size", "the mask of track " + llvm::Twine(t) + " has " +
                                            llvm::Twine(mask[t].size()) + " elements for " +
                                            llvm::Twine(rank.trackList[t].size()) + " events");
  Remap remap;
  remap.places.resize(rank.trackList.size());
  std::vector<Track> kept;
  for (uint32_t t = 0; t != rank.trackList.size(); ++t) {
    Track &track = rank.trackList[t];
    bool all = t >= mask.size() || mask[t].empty();
    std::vector<uint32_t> order;
    remap.places[t].resize(track.size());
    for (uint32_t i = 0; i != track.size(); ++i)
      if (all || mask[t][i]) {
        remap.places[t][i] = {static_cast<uint32_t>(kept.size()),
                              static_cast<uint32_t>(order.size())};
        order.push_back(i);
      }
    if (order.empty())
      continue;
    if (order.size() != track.size())
      gatherTrack(track, order);
    kept.push_back(std::move(track));
  }
  rank.trackList = std::move(kept);
  applyRemap(
      remap, rank.edgeList, rank.flowList, [&](const FlowRow &f) { return rank.isEnd(f); }, lost);
  compactRows(rank.layoutList, rank.trackList, rank.flowList);
  ++rank.gen;
  applied.push_back(remap);
  return remap;
}

llvm::Expected<Remap> RankEditor::insert(llvm::function_ref<llvm::Error(RankBuilder &)> build) {
  if (llvm::Error e = requireStructural("adds events"))
    return e;
  // Where each old event goes is found by its seq, which is unique in a rank and survives sorting.
  std::vector<std::vector<uint32_t>> oldSeqs;
  for (const Track &t : rank.trackList)
    oldSeqs.push_back(t.seq);
  RankBuilder builder(rank);
  for (uint32_t i = 0; i != rank.trackList.size(); ++i)
    builder.adopt(i);
  if (llvm::Error e = build(builder))
    return e;
  builder.finish();
  llvm::DenseMap<uint32_t, EventRef> bySeq;
  for (uint32_t t = 0; t != rank.trackList.size(); ++t)
    for (uint32_t i = 0; i != rank.trackList[t].size(); ++i)
      bySeq.try_emplace(rank.trackList[t].seq[i], EventRef{t, i});
  Remap remap;
  for (const std::vector<uint32_t> &seqs : oldSeqs) {
    remap.places.emplace_back();
    for (uint32_t seq : seqs)
      remap.places.back().push_back(bySeq.lookup(seq));
  }
  ++rank.gen;
  applied.push_back(remap);
  return remap;
}

llvm::Error RankEditor::setDerived(uint32_t track, llvm::StringRef name, DerivedColumn column) {
  if (llvm::Error e = require(ColumnId::Derived, "a derived column"))
    return e;
  if (column.ints.size() + column.strings.size() != rank.trackList[track].size())
    return internalError("derived-size",
                         "the derived column '" + name + "' does not have the length of its track");
  rank.trackList[track].derived[name.str()] = std::move(column);
  return llvm::Error::success();
}

llvm::Error RankEditor::setName(EventRef e, llvm::StringRef name) {
  if (llvm::Error err = require(ColumnId::Name, "event names"))
    return err;
  rank.trackList[e.track].names[e.index] = rank.stringTable->intern(name);
  return llvm::Error::success();
}

llvm::Error RankEditor::keepLoose(llvm::function_ref<bool(const LooseRow &)> pred) {
  if (llvm::Error e = requireStructural("removes loose rows"))
    return e;
  llvm::erase_if(rank.looseList, [&](const LooseRow &l) { return !pred(l); });
  return llvm::Error::success();
}

llvm::Error RankEditor::keepFlows(llvm::function_ref<bool(const FlowRow &)> pred) {
  if (llvm::Error e = requireStructural("removes flow rows"))
    return e;
  llvm::erase_if(rank.flowList, [&](const FlowRow &f) { return !rank.isEnd(f) && !pred(f); });
  compactRows(rank.layoutList, rank.trackList, rank.flowList);
  return llvm::Error::success();
}

llvm::Error RankEditor::keepEdges(llvm::function_ref<bool(const Edge &)> pred) {
  if (llvm::Error e = requireStructural("removes edges"))
    return e;
  llvm::erase_if(rank.edgeList, [&](const Edge &e) { return !pred(e); });
  return llvm::Error::success();
}

llvm::Error RankEditor::keepArguments(llvm::function_ref<bool(llvm::StringRef)> pred) {
  if (llvm::Error e = require(ColumnId::Attributes, "arguments"))
    return e;
  for (LayoutStore &store : rank.layoutList) {
    size_t kept = 0;
    for (size_t i = 0; i != store.layout.entries.size(); ++i) {
      const Entry &entry = store.layout.entries[i];
      if (entry.scope == Scope::Args && !pred((*rank.stringTable)[entry.key]))
        continue;
      if (kept != i) {
        store.layout.entries[kept] = entry;
        store.columns[kept] = std::move(store.columns[i]);
      }
      ++kept;
    }
    store.layout.entries.resize(kept);
    store.columns.resize(kept);
  }
  return llvm::Error::success();
}

llvm::Error RankEditor::setPartial() {
  if (llvm::Error e = require(ColumnId::RankMeta, "the recording's marks"))
    return e;
  rank.recording.partial = true;
  return llvm::Error::success();
}

llvm::Error RankEditor::dropRank() {
  if (llvm::Error e = requireStructural("drops the rank"))
    return e;
  dropped = true;
  return llvm::Error::success();
}
