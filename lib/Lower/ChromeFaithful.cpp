//===- ChromeFaithful.cpp - A recording as it came ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Writes the document back: its members in order, every event in the order of the file with its
/// keys, duplicates and values token for token. White space is ours: an event a line. Events that
/// passes added follow those that were read.
//===----------------------------------------------------------------------===//
#include "ChromeText.h"
#include "heddle/Lower/Emitter.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {
namespace {

using chrome::ChromeText;

/// A layout as pieces of text with values between them.
struct Shape {
  struct Piece {
    std::string before; ///< Key and punctuation.
    ValueType type = ValueType::Int;
    uint8_t scale = 0;
    const Column *column = nullptr;
  };
  std::vector<Piece> pieces;
  std::string after;
  bool made = false;
};

/// An event, flow row or loose row by its place in the file.
struct Item {
  enum Source : uint32_t { Flow = 0xffffffff, Loose = 0xfffffffe }; ///< Above the tracks.
  uint32_t seq, source, index, part;
};

/// The events of one rank.
class EventWriter {
public:
  EventWriter(const Rank &rank, raw_ostream &os)
      : rank(rank), out(rank, os, BadBytes::Keep), shapes(rank.layouts().size()) {}
  void event(const Item &item);

  const Rank &rank;
  ChromeText out;

private:
  const Shape &shape(LayoutId id);
  std::string keyText(const Entry &e) const;
  void row(LayoutId layout, uint32_t row, StringId name, const SourceId &pid, const SourceId &tid,
           int64_t begin, int64_t length);

  std::vector<Shape> shapes;
};

/// A document, whose events may be those of several ranks.
class FaithfulWriter {
public:
  FaithfulWriter(ArrayRef<std::unique_ptr<Rank>> ranks, raw_ostream &os) {
    for (const auto &rank : ranks)
      parts.push_back(std::make_unique<EventWriter>(*rank, os));
  }
  void write();

private:
  std::vector<Item> itemsInOrder() const;
  void events();

  std::vector<std::unique_ptr<EventWriter>> parts;
};

/// In the order of the file. O(n) where ordinals are dense, as readers give them.
std::vector<Item> FaithfulWriter::itemsInOrder() const {
  std::vector<Item> items;
  uint64_t total = 0;
  for (const auto &part : parts)
    total += part->rank.numEvents() + part->rank.flows().size() + part->rank.loose().size();
  items.reserve(total);
  for (uint32_t p = 0; p != parts.size(); ++p) {
    const Rank &rank = parts[p]->rank;
    for (uint32_t t = 0; t != rank.tracks().size(); ++t)
      for (uint32_t i = 0; i != rank.track(t).size(); ++i)
        items.push_back({rank.track(t).seq[i], t, i, p});
    for (uint32_t i = 0; i != rank.flows().size(); ++i)
      items.push_back({rank.flows()[i].seq, Item::Flow, i, p});
    for (uint32_t i = 0; i != rank.loose().size(); ++i)
      items.push_back({rank.loose()[i].seq, Item::Loose, i, p});
  }
  uint32_t last = 0;
  for (const Item &i : items)
    last = std::max(last, i.seq);
  // Ordinals are unique in a rank; what passes added to several may have the same.
  if (last > 2 * total || parts.size() > 1) {
    stable_sort(items, [](const Item &a, const Item &b) { return a.seq < b.seq; });
    return items;
  }
  std::vector<uint32_t> at(size_t{last} + 1, 0xffffffff);
  for (uint32_t i = 0; i != items.size(); ++i)
    at[items[i].seq] = i;
  std::vector<Item> sorted;
  sorted.reserve(total);
  for (uint32_t i : at)
    if (i != 0xffffffff)
      sorted.push_back(items[i]);
  return sorted;
}

std::string EventWriter::keyText(const Entry &e) const {
  SmallString<64> text;
  appendJsonString(text, rank.str(e.key), BadBytes::Keep);
  text += ": ";
  return text.str().str();
}

const Shape &EventWriter::shape(LayoutId id) {
  Shape &s = shapes[static_cast<uint16_t>(id)];
  if (s.made)
    return s;
  s.made = true;
  const LayoutStore &store = rank.layout(id);
  const std::vector<Entry> &entries = store.layout.entries;
  // What did not fit any layout is one raw value, the whole event.
  if (entries.size() == 1 && entries[0].type == ValueType::Raw &&
      entries[0].key == StringId::Empty) {
    s.pieces.push_back({"", ValueType::Raw, 0, &store.columns[0]});
    return s;
  }
  std::string text = "{";
  bool inArgs = false, first = true;
  for (size_t i = 0; i != entries.size(); ++i) {
    const Entry &e = entries[i];
    if (inArgs && e.scope == Scope::Event) {
      text += '}';
      inArgs = false;
      first = false;
    }
    if (!first)
      text += ", ";
    first = false;
    text += keyText(e);
    switch (e.type) {
    case ValueType::Args:
      text += '{';
      inArgs = first = true;
      continue;
    case ValueType::Null:
      text += "null";
      continue;
    case ValueType::Phase:
      text += {'"', store.layout.phase, '"'};
      continue;
    case ValueType::Cat: {
      SmallString<32> cat;
      appendJsonString(cat, rank.str(store.layout.cat), BadBytes::Keep);
      text += cat;
      continue;
    }
    default:
      break;
    }
    bool quoted = (e.type == ValueType::Ts || e.type == ValueType::Dur) && e.quoted;
    if (quoted)
      text += '"';
    s.pieces.push_back({std::move(text), e.type, e.scale, &store.columns[i]});
    text = quoted ? "\"" : "";
  }
  s.after = std::move(text) + (inArgs ? "}}" : "}");
  return s;
}

void EventWriter::row(LayoutId layout, uint32_t row, StringId name, const SourceId &pid,
                      const SourceId &tid, int64_t begin, int64_t length) {
  const Shape &s = shape(layout);
  for (const Shape::Piece &p : s.pieces) {
    out << p.before;
    switch (p.type) {
    case ValueType::Name:
      out.string(name);
      break;
    case ValueType::Pid:
      out.id(pid);
      break;
    case ValueType::Tid:
      out.id(tid);
      break;
    case ValueType::Ts:
      out.micros(begin + rank.recording.origin, p.scale);
      break;
    case ValueType::Dur:
      out.micros(length, p.scale);
      break;
    default:
      out.value(*p.column, row);
    }
  }
  out << s.after;
}

void EventWriter::event(const Item &item) {
  if (item.source == Item::Loose) {
    out << rank.str(rank.loose()[item.index].text);
  } else if (item.source == Item::Flow) {
    const FlowRow &f = rank.flows()[item.index];
    row(f.layout, f.row, f.name, f.pid, f.tid, f.at.ns, 0);
  } else {
    const Track &t = rank.track(item.source);
    uint32_t i = item.index;
    row(t.layouts[i], t.rows[i], t.names[i], t.key.pid, t.key.tid, t.begin[i].ns, t.duration(i).ns);
  }
  out.breathe();
}

void FaithfulWriter::events() {
  bool first = true;
  uint32_t last = 0;
  for (const Item &item : itemsInOrder()) {
    if (item.part != last)
      parts[last]->out.flush();
    last = item.part;
    parts[last]->out << (first ? "\n  " : ",\n  ");
    first = false;
    parts[last]->event(item);
  }
  parts[last]->out.flush();
  parts[0]->out << (first ? "" : "\n");
}

void FaithfulWriter::write() {
  const Document &document = parts[0]->rank.recording.document;
  ChromeText &out = parts[0]->out;
  out << (document.isArray ? "[" : "{");
  bool any = false, wroteEvents = document.isArray;
  if (document.isArray)
    events();
  for (const Document::Member &m : document.members) {
    out << (any ? ",\n" : "\n");
    any = true;
    out.string(m.key);
    out << ": ";
    if (m.key != "traceEvents" || !m.value.empty() || wroteEvents) {
      out << m.value;
      continue;
    }
    out << "[";
    events();
    out << "]";
    wroteEvents = true;
  }
  if (!wroteEvents) {
    out << (any ? ",\n" : "\n") << "\"traceEvents\": [";
    events();
    out << "]";
  }
  out << (document.isArray ? "]\n" : "\n}\n");
}

} // namespace

/// Whether these are the parts of one file.
static bool isOneRecording(const Trace &trace) {
  if (trace.ranks.size() <= 1)
    return trace.ranks.size() == 1;
  const Recording &first = trace.ranks[0]->recording;
  return all_of(trace.ranks, [&](const auto &rank) {
    return !rank->recording.part.empty() && rank->recording.path == first.path &&
           rank->recording.bytes == first.bytes && rank->recording.origin == first.origin;
  });
}

static Error emitFaithful(const Trace &trace, const Results &, raw_ostream &os,
                          const EmitOptions &options) {
  if (!isOneRecording(trace))
    return usageError("one-recording", "--emit=chrome:faithful writes one recording back as it "
                                       "came, but the trace has " +
                                           Twine(trace.ranks.size()));
  Expected<std::vector<RankHold>> all = holdAll(trace);
  if (!all)
    return all.takeError();
  FaithfulWriter(trace.ranks, os).write();
  if (options.diagnostics && trace.ranks[0]->placement)
    options.diagnostics->report({Severity::Note,
                                 "left-out",
                                 "not written by chrome:faithful: the place of the recording among "
                                 "others, which it did not have when it was read",
                                 {}});
  return Error::success();
}

const EmitterInfo chromeFaithfulEmitter = {
    "chrome:faithful", "Chrome trace JSON, every event as it was read", {}, emitFaithful};

} // namespace heddle
