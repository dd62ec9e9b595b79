//===- RankPrinter.cpp - Prints one rank as .ht text ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "RankPrinter.h"
#include "Escape.h"
#include <algorithm>
#include <charconv>

using namespace heddle;
using namespace heddle::text;

Out &Out::operator<<(int64_t n) {
  char digits[24];
  append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  return *this;
}

void Out::number(uint64_t n) {
  char digits[24];
  append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void RankPrinter::quoted(llvm::StringRef text) { appendQuoted(out, text); }
void RankPrinter::key(llvm::StringRef text) { appendKey(out, text); }

void RankPrinter::quoted(StringId id) {
  llvm::StringRef text = rank.str(id);
  uint8_t &state = plainCache[static_cast<uint32_t>(id)];
  if (state == 0)
    state = isPlain(text) ? 1 : 2;
  if (state == 1)
    out << '"' << text << '"';
  else
    quoted(text);
}

void RankPrinter::json(StringId id) {
  llvm::StringRef text = rank.str(id);
  uint8_t &state = jsonCache[static_cast<uint32_t>(id)];
  if (state == 0)
    state = static_cast<uint8_t>(jsonForm(text)) + 1;
  switch (static_cast<JsonForm>(state - 1)) {
  case JsonForm::AsIs:
    out << text;
    break;
  case JsonForm::Spaced:
    appendSpaced(out, text);
    break;
  case JsonForm::Quoted:
    out << "#json";
    quoted(text);
    break;
  }
}

void RankPrinter::value(const Column &c, uint32_t row) {
  switch (c.type) {
  case ValueType::Int:
    out << c.ints[row];
    break;
  case ValueType::Decimal:
    c.decimal(row).print(out);
    if (c.bytes[row] == 0)
      out << '.';
    break;
  case ValueType::String:
    quoted(c.strings[row]);
    break;
  case ValueType::Bool:
    out << (c.bytes[row] ? "true" : "false");
    break;
  case ValueType::List:
    json(c.strings[row]);
    break;
  case ValueType::Raw:
    out << '#';
    quoted(c.strings[row]);
    break;
  default:
    out << "null";
    break;
  }
}

void RankPrinter::id(const SourceId &id) {
  switch (id.form) {
  case SourceId::Absent:
    out << "none";
    break;
  case SourceId::Int:
    out << id.value;
    break;
  case SourceId::Raw:
    out << '#';
    [[fallthrough]];
  case SourceId::String:
    quoted(id.text);
    break;
  }
}

//===----------------------------------------------------------------------===//
// Labels and layouts
//===----------------------------------------------------------------------===//

void RankPrinter::needLabel(EventRef e) {
  std::vector<uint32_t> &track = labels[e.track];
  if (track.empty())
    track.resize(rank.track(e.track).size());
  track[e.index] = 1;
}

static unsigned labelLetter(EventKind kind) {
  switch (kind) {
  case EventKind::Kernel:
    return 'k';
  case EventKind::Memcpy:
    return 'c';
  case EventKind::Memset:
    return 'f';
  case EventKind::Runtime:
  case EventKind::Driver:
    return 'l';
  case EventKind::CpuOp:
    return 'o';
  case EventKind::Annotation:
    return 'a';
  default:
    return 'e';
  }
}

void RankPrinter::nameEvents() {
  labels.resize(rank.tracks().size());
  edges = rank.edges();
  if (!std::is_sorted(edges.begin(), edges.end())) {
    sortedEdges.assign(edges.begin(), edges.end());
    std::sort(sortedEdges.begin(), sortedEdges.end());
    edges = sortedEdges;
  }
  for (const Edge &e : edges) {
    needLabel(e.to);
    if (e.kind != EdgeKind::Launch)
      needLabel(e.from);
  }
  if (!strip)
    for (const FlowRow &f : rank.flows())
      if (f.anchor.valid())
        needLabel(f.anchor);
  uint32_t next[128] = {};
  for (uint32_t t = 0; t != labels.size(); ++t)
    for (uint32_t i = 0; i != labels[t].size(); ++i)
      if (labels[t][i])
        labels[t][i] = ++next[labelLetter(rank.track(t).kinds[i])];
}

void RankPrinter::label(EventRef e) {
  out << '%' << static_cast<char>(labelLetter(rank.kind(e)))
      << static_cast<int64_t>(labels[e.track][e.index] - 1);
}

RankPrinter::Plan &RankPrinter::plan(LayoutId id) {
  Plan &p = plans[static_cast<uint16_t>(id)];
  if (p.built)
    return p;
  p.built = true;
  const LayoutStore &store = rank.layout(id);
  Part part = partOf(rank, store.layout);
  p.braces = part.hasBraces();
  p.part = spell(part);
  for (size_t i = 0; i != store.layout.entries.size(); ++i) {
    const Entry &e = store.layout.entries[i];
    if (e.type > ValueType::Null)
      continue;
    std::vector<Field> &fields = e.scope == Scope::Args ? p.members : p.slots;
    llvm::SmallString<64> prefix;
    if (e.scope == Scope::Args)
      prefix = fields.empty() ? " { " : ", ";
    appendKey(prefix, rank.str(e.key));
    prefix += " = ";
    fields.push_back({prefix.str().str(), &store.columns[i]});
  }
  return p;
}

bool RankPrinter::isSpanLine(const Track &t, uint32_t i) const {
  return t.begin[i] != t.end[i] || !mayBeInstant(t.kinds[i]) ||
         !isInstant(rank.layout(t.layouts[i]).layout.phase, t.kinds[i]);
}

bool RankPrinter::isUsual(const Track &t, uint32_t i) {
  static constexpr size_t kCodes = kNumEventKinds << 5;
  Plan &p = plan(t.layouts[i]);
  PartContext context{t.kinds[i],
                      isStream(t.key.family),
                      t.key.pid.form != SourceId::Absent,
                      t.key.tid.form != SourceId::Absent,
                      isSpanLine(t, i),
                      p.braces};
  uint8_t &state = usualCache[static_cast<uint16_t>(t.layouts[i]) * kCodes + context.code()];
  if (state == 0) {
    StringId cat = rank.layout(t.layouts[i]).layout.cat;
    std::optional<llvm::StringRef> text;
    if (cat != StringId::None)
      text = rank.str(cat);
    state = spell(usualPart(context, text)) == p.part ? 1 : 2;
  }
  return state == 1;
}

void RankPrinter::partLine(Plan &p) {
  if (p.partNumber != ~0u)
    return;
  auto [it, isNew] = partNumbers.try_emplace(p.part, partLines.size());
  if (isNew)
    partLines.push_back(p.part);
  p.partNumber = it->second;
}

void RankPrinter::numberParts() {
  plans.resize(rank.layouts().size());
  usualCache.resize(rank.layouts().size() * (kNumEventKinds << 5));
  if (strip)
    return;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (!isUsual(t, i))
        partLine(plan(t.layouts[i]));
  for (const FlowRow &f : rank.flows())
    partLine(plan(f.layout));
}

//===----------------------------------------------------------------------===//
// Tracks and events
//===----------------------------------------------------------------------===//

void RankPrinter::trackHeader(const Track &t) {
  Family family = t.key.family;
  out << "    " << familyHead(family);
  if (isThread(family)) {
    out << ' ';
    id(t.key.tid);
  } else if (isStream(family)) {
    out << ' ' << t.stream << " device " << t.device;
  }
  if (llvm::StringRef word = familyWord(family); !word.empty())
    out << ' ' << word;
  if (t.name != StringId::None) {
    out << ' ';
    quoted(t.name);
  }
  UsualIds usual = usualIds(family, hostPid, t.device, t.stream);
  if (IdText::of(t.key.pid, rank.strings()) != usual.pid) {
    out << " pid ";
    id(t.key.pid);
  }
  if (!isThread(family) && IdText::of(t.key.tid, rank.strings()) != usual.tid) {
    out << " tid ";
    id(t.key.tid);
  }
  if (!isStream(family)) {
    if (t.device != -1)
      out << " device " << t.device;
    if (t.stream != -1)
      out << " stream " << t.stream;
  }
  out << " {\n";
}

static bool isNull(const DerivedColumn &c, uint32_t i) {
  return c.ints.empty() ? c.strings[i] == StringId::None : c.ints[i] == DerivedColumn::kNullInt;
}

/// Columns that no line shows, since all their values are absent.
void RankPrinter::emptyDerived(const Track &t) {
  bool any = false;
  for (const auto &[name, column] : t.derived) {
    bool shown = false;
    for (uint32_t i = 0; i != t.size() && !shown; ++i)
      shown = !isNull(column, i);
    if (shown)
      continue;
    out << (any ? ", " : "      derived { ");
    any = true;
    key(name);
    out << " = " << (column.ints.empty() ? "string" : "int");
  }
  if (any)
    out << " }\n";
}

void RankPrinter::bracket(bool usual, const Plan &p, uint32_t seq, uint32_t row) {
  if (strip)
    return;
  bool open = false;
  auto separate = [&] {
    out << (open ? ", " : " [");
    open = true;
  };
  if (seq != nextSeq) {
    separate();
    out << '#';
    out.number(seq);
  }
  nextSeq = uint64_t{seq} + 1;
  if (!usual) {
    separate();
    out << '@';
    out.number(p.partNumber);
    for (const Field &f : p.slots) {
      separate();
      out << f.prefix;
      value(*f.column, row);
    }
  }
  if (open)
    out << ']';
}

void RankPrinter::braces(const Plan &p, uint32_t row) {
  if (!p.braces)
    return;
  if (p.members.empty()) {
    out << " {}";
    return;
  }
  for (const Field &f : p.members) {
    out << f.prefix;
    value(*f.column, row);
  }
  out << " }";
}

void RankPrinter::derived(const Track &t, uint32_t i) {
  bool any = false;
  for (const auto &[name, column] : t.derived) {
    if (isNull(column, i))
      continue;
    out << (any ? ", " : " !{ ");
    any = true;
    key(name);
    out << " = ";
    if (column.ints.empty())
      quoted(column.strings[i]);
    else
      out << column.ints[i];
  }
  if (any)
    out << " }";
}

void RankPrinter::event(uint32_t track, uint32_t i) {
  const Track &t = rank.track(track);
  const Plan &p = plan(t.layouts[i]);
  out << "      ";
  if (!labels[track].empty() && labels[track][i]) {
    label({track, i});
    out << " = ";
  }
  StringId cat = rank.layout(t.layouts[i]).layout.cat;
  if (t.kinds[i] == EventKind::Other && cat != StringId::None)
    quoted(cat);
  else
    out << kindName(t.kinds[i]);
  out << ' ';
  quoted(t.names[i]);
  out << " at " << t.begin[i].ns;
  if (isSpanLine(t, i))
    out << " for " << t.duration(i).ns;
  bracket(strip || isUsual(t, i), p, t.seq[i], t.rows[i]);
  braces(p, t.rows[i]);
  if (!t.derived.empty())
    derived(t, i);
  for (llvm::StringRef before = " -> "; nextLaunch != edges.size(); ++nextLaunch, before = ", ") {
    const Edge &e = edges[nextLaunch];
    if (e.kind != EdgeKind::Launch || e.from != EventRef{track, i})
      break;
    out << before;
    label(e.to);
  }
  out << '\n';
  out.flushIfFull();
}

void RankPrinter::edgesAfterTracks() {
  for (const Edge &e : edges) {
    if (e.kind == EdgeKind::Launch)
      continue;
    out << "    edge " << edgeKindName(e.kind) << ' ';
    label(e.from);
    out << " -> ";
    label(e.to);
    out << '\n';
    out.flushIfFull();
  }
}

void RankPrinter::flows() {
  for (const FlowRow &f : rank.flows()) {
    out << (rank.isEnd(f) ? "    end " : "    flow ");
    quoted(f.name);
    out << " at " << f.at.ns;
    SourceId usualPid, usualTid;
    if (f.anchor.valid()) {
      usualPid = rank.track(f.anchor.track).key.pid;
      usualTid = rank.track(f.anchor.track).key.tid;
    }
    if (f.pid != usualPid) {
      out << " pid ";
      id(f.pid);
    }
    if (f.tid != usualTid) {
      out << " tid ";
      id(f.tid);
    }
    const Plan &p = plan(f.layout);
    bracket(false, p, f.seq, f.row);
    braces(p, f.row);
    if (f.anchor.valid()) {
      out << " on ";
      label(f.anchor);
    }
    out << '\n';
    out.flushIfFull();
  }
}

void RankPrinter::loose() {
  for (const LooseRow &l : rank.loose()) {
    out << "    loose ";
    if (l.seq != nextSeq) {
      out << "[#";
      out.number(l.seq);
      out << "] ";
    }
    nextSeq = uint64_t{l.seq} + 1;
    json(l.text);
    out << '\n';
    out.flushIfFull();
  }
}

void RankPrinter::print() {
  plainCache.resize(rank.strings().size());
  jsonCache.resize(rank.strings().size());
  nameEvents();
  numberParts();
  chooseDefaults();
  header();
  for (size_t i = 0; i != partLines.size(); ++i) {
    out << "    layout @";
    out.number(i);
    out << ' ' << partLines[i] << '\n';
  }
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    trackHeader(track);
    emptyDerived(track);
    for (uint32_t i = 0; i != track.size(); ++i)
      event(t, i);
    out << "    }\n";
  }
  edgesAfterTracks();
  if (!strip) {
    flows();
    loose();
  }
  out << "  }\n";
}
