//===- LinkParser.cpp - Parses edges, flow and loose rows; ends a rank ----===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include <algorithm>

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

unsigned Parser::labelOf(StringRef text) {
  auto [it, isNew] = r->labelIndex.try_emplace(text, r->labels.size());
  if (isNew)
    r->labels.push_back({text, {}});
  return it->second;
}

bool Parser::edge() {
  skip();
  const char *at = p;
  StringRef w = word(), text;
  RankState::PendingEdge e{};
  llvm::SmallVector<StringRef, 8> known;
  for (unsigned i = 0; i != kNumEdgeKinds; ++i) {
    known.push_back(edgeKindName(EdgeKind(i)));
    if (w == known.back())
      e.kind = EdgeKind(i);
  }
  if (w != edgeKindName(e.kind))
    return w.empty() ? failExpected("a kind of edge") : failUnknown(at, "kind of edge", w, known);
  skip();
  e.fromAt = p;
  if (!label(text))
    return false;
  e.fromLabel = labelOf(text);
  if (!expect('-') || !expect('>'))
    return false;
  skip();
  e.toAt = p;
  if (!label(text))
    return false;
  e.toLabel = labelOf(text);
  r->pendingEdges.push_back(e);
  return true;
}

/// A flow event, or the end of a span of two events.
bool Parser::flow(bool isEnd) {
  const char *start = p;
  FlowRow f;
  StringRef text;
  RankState::PendingAnchor anchor{};
  if (!string(text))
    return false;
  f.name = r->builder.intern(text);
  if (!expectWord("at") || !time(f.at.ns))
    return false;
  if (acceptWord("pid") && !(anchor.pidGiven = sourceId(f.pid)))
    return false;
  if (acceptWord("tid") && !(anchor.tidGiven = sourceId(f.tid)))
    return false;
  std::optional<uint64_t> seq;
  unsigned part = ~0u, found;
  slotValues.clear();
  if (peek() != '[')
    return failExpected(isEnd ? "'[' and the layout of the end"
                              : "'[' and the layout of the flow row");
  const char *at = p;
  if (!bracket(seq, part))
    return false;
  if (part == ~0u)
    return fail(at, "text-layout",
                llvm::Twine(isEnd ? "an end" : "a flow row") + " needs a layout, as in [@0]");
  if (!members(~0u) || !shape(part, start, ~0u, found) || !takeSeq(start, seq, f.seq))
    return false;
  f.layout = r->shapes[found].layout;
  if (isEndPhase(phaseOf(f.layout)) != isEnd)
    return fail(at, "text-layout",
                isEnd
                    ? "the layout of an end has the phase E, e or F"
                    : "a row of this layout ends a span of two events: it is an 'end', no 'flow'");
  if (acceptWord("on")) {
    skip();
    anchor.at = p;
    if (!label(text))
      return false;
    anchor.label = labelOf(text);
    r->pendingAnchors.push_back({r->builder.flows().size(), anchor});
  } else if (isEnd)
    return failExpected("'on' and the span that ends");
  f.row = appendRow(r->shapes[found]);
  r->builder.flow(f);
  return true;
}

bool Parser::loose() {
  const char *start = p;
  std::optional<uint64_t> seq;
  LooseRow l;
  // A '[' may also begin a list.
  if (peek() == '[' && p + 1 != end && p[1] == '#') {
    uint64_t n;
    if (!expect('[') || !expect('#') || !natural(n, UINT32_MAX) || !expect(']'))
      return false;
    seq = n;
  }
  llvm::SmallString<256> text;
  if (!json(text, /*scalars=*/false) || !takeSeq(start, seq, l.seq))
    return false;
  l.text = r->builder.intern(text);
  r->looseRows.push_back(l);
  return true;
}

//===----------------------------------------------------------------------===//
// The end of a rank
//===----------------------------------------------------------------------===//

bool Parser::resolveLabel(unsigned label, const char *at, EventRef &out) {
  out = r->labels[label].event;
  if (out.valid())
    return true;
  constexpr size_t mostOffered = 1000; // The nearest of millions would take long to find.
  llvm::SmallVector<StringRef, 16> known;
  for (const RankState::Label &l : r->labels)
    if (l.event.valid() && known.size() != mostOffered)
      known.push_back(l.text);
  StringRef text = r->labels[label].text;
  StringRef best = nearest(text, known);
  return fail(at, "text-label",
              "no event of this rank is named '%" + shown(text) + "'" +
                  (best.empty() ? std::string() : ("; did you mean '%" + best + "'?").str()));
}

bool Parser::resolveEnd(const FlowRow &f, const char *at) {
  const Track &t = r->builder.trackAt(f.anchor.track);
  char begin = phaseOf(t.layouts[f.anchor.index]);
  if (endPhaseOf(begin) != phaseOf(f.layout))
    return fail(at, "text-end",
                "an event of phase " + shown(StringRef(&begin, 1)) +
                    " does not end with one of phase " + llvm::Twine(phaseOf(f.layout)));
  uint64_t span = uint64_t{f.anchor.track} << 32 | f.anchor.index;
  return r->endedSpans.insert(span).second ||
         fail(at, "text-duplicate", "this span has an end above");
}

bool Parser::resolve() {
  size_t errorsBefore = errors.size();
  auto family = [&](EventRef e) { return r->builder.trackAt(e.track).key.family; };
  for (RankState::PendingEdge &p : r->pendingEdges) {
    if (stopped())
      return false;
    Edge e{p.kind, p.from, {}};
    if ((!e.from.valid() && !resolveLabel(p.fromLabel, p.fromAt, e.from)) ||
        !resolveLabel(p.toLabel, p.toAt, e.to))
      continue;
    if (p.kind == EdgeKind::Launch && !isThread(family(e.from)))
      fail(p.fromAt, "text-edge", "a launch begins on a thread");
    else if (p.kind == EdgeKind::Launch && !isStream(family(e.to)))
      fail(p.toAt, "text-edge", "a launch leads to a stream");
    else
      r->builder.edges().push_back(e);
  }
  for (auto &[index, anchor] : r->pendingAnchors) {
    if (stopped())
      return false;
    FlowRow &f = r->builder.flows()[index];
    if (!resolveLabel(anchor.label, anchor.at, f.anchor))
      continue;
    const TrackKey &key = r->builder.trackAt(f.anchor.track).key;
    if (!anchor.pidGiven)
      f.pid = key.pid;
    if (!anchor.tidGiven)
      f.tid = key.tid;
    if (isEndPhase(phaseOf(f.layout)))
      resolveEnd(f, anchor.at);
  }
  return errors.size() == errorsBefore && checkSeqs();
}

bool Parser::checkSeqs() {
  if (!r->anySeq)
    return true;
  std::vector<uint32_t> seqs;
  for (const Track &t : r->rank->tracks())
    seqs.insert(seqs.end(), t.seq.begin(), t.seq.end());
  for (const FlowRow &f : r->builder.flows())
    seqs.push_back(f.seq);
  for (const LooseRow &l : r->looseRows)
    seqs.push_back(l.seq);
  std::sort(seqs.begin(), seqs.end());
  auto twice = std::adjacent_find(seqs.begin(), seqs.end());
  return twice == seqs.end() ||
         fail(r->head, "text-duplicate",
              "two events of this rank have the ordinal #" + llvm::Twine(*twice));
}

void Parser::finishRank() {
  Rank &rank = *r->rank;
  for (const RankState::EmptyDerived &e : r->emptyDerived) {
    Track &t = r->builder.trackAt(e.track);
    if (DerivedColumn &c = t.derived[e.name]; c == DerivedColumn())
      if (!pad(c, e.isText, t.size(), r->head))
        return;
  }
  for (uint32_t i = 0; i != rank.tracks().size(); ++i)
    for (auto &[name, column] : r->builder.trackAt(i).derived)
      if (!pad(column, column.ints.empty(), rank.track(i).size(), r->head))
        return;
  r->builder.finish();
  // Text without ordinals means the canonical order, whatever order its lines have.
  uint32_t seq = 0;
  if (!r->anySeq) {
    for (uint32_t i = 0; i != rank.tracks().size(); ++i)
      for (uint32_t &s : r->builder.trackAt(i).seq)
        s = seq++;
    for (FlowRow &f : r->builder.flows())
      f.seq = seq++;
    for (LooseRow &l : r->looseRows)
      l.seq = seq++;
  }
  std::stable_sort(r->looseRows.begin(), r->looseRows.end(),
                   [](const LooseRow &a, const LooseRow &b) { return a.seq < b.seq; });
  for (const LooseRow &l : r->looseRows)
    r->builder.loose(l);
  if (!r->hasVendor)
    for (const Track &t : rank.tracks())
      if (isStream(t.key.family))
        rank.recording.vendor = Vendor::Cuda;
  if (options.lines) {
    llvm::DenseMap<uint64_t, uint32_t> lineOfRow;
    auto rowKey = [](LayoutId layout, uint32_t row) {
      return static_cast<uint64_t>(layout) << 32 | row;
    };
    for (const RankState::Line &l : r->lines)
      lineOfRow[rowKey(l.layout, l.row)] = l.line;
    eventLines.emplace_back();
    for (const Track &t : rank.tracks()) {
      eventLines.back().emplace_back();
      for (uint32_t i = 0; i != t.size(); ++i)
        eventLines.back().back().push_back(lineOfRow.lookup(rowKey(t.layouts[i], t.rows[i])));
    }
  }
  ranks.push_back(std::move(r->rank));
}
