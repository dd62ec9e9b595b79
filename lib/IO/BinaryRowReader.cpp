//===- BinaryRowReader.cpp - Frames of rows become columns ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryRankReader.h"
#include "heddle/IR/Verifier.h"

using namespace llvm;

namespace heddle::binary {

static Error damaged(const Twine &cause) { return inputError("hb-damaged", cause); }

Error RankReader::column(const hb::Column *from, uint64_t count, StringRef what,
                         std::vector<int64_t> &to) {
  to.clear();
  if (!from && count == 0)
    return Error::success();
  if (!from || from->count() != count)
    return damaged("the column '" + what + "' has " + Twine(from ? from->count() : 0) +
                   " values for " + Twine(count));
  if (from->encoding() > hb::Encoding::Dictionary || from->unit() == 0)
    return damaged("the column '" + what + "' has an unknown encoding");
  // Columns may share one list of bytes: what bounds the work is that it is counted.
  uint64_t dataBytes = from->data() ? from->data()->size() : 0;
  if (Error e = budget.take((count + from->entries()) * sizeof(int64_t) + dataBytes))
    return e;
  frame::ColumnHead head;
  head.encoding = static_cast<frame::Encoding>(from->encoding());
  head.width = from->width();
  head.entryWidth = from->entry_width();
  head.count = from->count();
  head.entries = from->entries();
  head.first = from->first();
  head.second = from->second();
  head.unit = from->unit();
  std::vector<uint32_t> sizes;
  if (from->sizes())
    sizes.assign(from->sizes()->begin(), from->sizes()->end());
  std::span<const uint8_t> data;
  if (from->data())
    data = {from->data()->data(), from->data()->size()};
  to.resize(count);
  if (!frame::decodeColumn(head, sizes, data, to, codec))
    return damaged("the column '" + what + "' cannot be decoded");
  return Error::success();
}

/// Replaces numbers by ids of the rank's table, in the rows that are kept.
Error RankReader::strings(std::vector<int64_t> &numbers, bool orNone) {
  for (size_t row = 0; row != numbers.size(); ++row) {
    if (!keeps(row))
      continue;
    int64_t &n = numbers[row];
    Expected<StringId> id = orNone ? stringOrNone(n) : string(n);
    if (!id)
      return id.takeError();
    n = static_cast<uint32_t>(*id);
  }
  return Error::success();
}

/// Reads the shape of each row.
Error RankReader::shapes(const flatbuffers::Vector<const hb::Shape *> *list, const hb::Column *from,
                         uint32_t rows, bool withKinds) {
  std::vector<int64_t> numbers;
  if (Error e = column(from, rows, "shape", numbers))
    return e;
  size_t count = list ? list->size() : 0;
  for (size_t i = 0; i != count; ++i) {
    const hb::Shape &s = *list->Get(static_cast<unsigned>(i));
    if (s.layout() >= layouts.size() || s.kind() > (withKinds ? hb::Kind::Other : hb::Kind::CpuOp))
      return damaged("a shape has layout " + Twine(s.layout()) + " of " + Twine(layouts.size()) +
                     " and kind " + Twine(static_cast<int>(s.kind())));
  }
  rowShapes.clear();
  for (int64_t n : numbers) {
    if (static_cast<uint64_t>(n) >= count)
      return damaged("a row has shape " + Twine(n) + " of " + Twine(count));
    rowShapes.push_back(*list->Get(static_cast<unsigned>(n)));
  }
  return Error::success();
}

/// Reads the columns of one slot; `next` is the first in the list that is not read.
Error RankReader::attribute(uint32_t slot, const Columns *from, unsigned &next) {
  SlotValues &to = slotValues[slot];
  auto read = [&](hb::Part part, std::vector<int64_t> &values) -> Error {
    const hb::Column *c = from && next < from->size() ? from->Get(next++) : nullptr;
    if (!c || c->slot() != slot || c->part() != part)
      return damaged("the column of slot " + Twine(slot) + " is not where it should be");
    return column(c, to.count, "attributes", values);
  };
  if (Error e = read(hb::Part::Values, to.values))
    return e;
  switch (slots.type(slot)) {
  case ValueType::Decimal:
    if (Error e = read(hb::Part::Scales, to.scales))
      return e;
    for (int64_t s : to.scales)
      if (s < 0 || s > 18)
        return damaged("a decimal has " + Twine(s) + " digits behind its point");
    return Error::success();
  case ValueType::Int:
    return Error::success();
  case ValueType::Bool:
    for (int64_t b : to.values)
      if (b < 0 || b > 1)
        return damaged("a truth value is " + Twine(b));
    return Error::success();
  default:
    return Error::success(); // strings are looked up row by row
  }
}

Error RankReader::attributes(const Columns *from) {
  slotValues.resize(slots.size());
  touched.clear();
  // How many values each slot has; what they add up to, before any is decoded.
  std::map<uint16_t, uint32_t> uses;
  for (const hb::Shape &s : rowShapes)
    ++uses[s.layout()];
  uint64_t total = 0;
  for (auto [layout, rows] : uses)
    total += uint64_t{rows} * slots.places(layout).size();
  if (!budget.fits(total * sizeof(int64_t)))
    return budget.take(total * sizeof(int64_t));
  for (auto [layout, rows] : uses)
    for (Slots::Place p : slots.places(layout)) {
      SlotValues &to = slotValues[p.slot];
      if (to.count == 0)
        touched.push_back(p.slot);
      to.count += rows;
    }
  llvm::sort(touched);
  unsigned next = 0;
  for (uint32_t slot : touched)
    if (Error e = attribute(slot, from, next))
      return e;
  if (from && next != from->size())
    return damaged("there are columns of attributes that no row has");

  rowIds.assign(rowShapes.size(), 0);
  for (size_t row = 0; row != rowShapes.size(); ++row) {
    const hb::Shape &shape = rowShapes[row];
    LayoutId id = layouts[shape.layout()];
    if (!keeps(row)) {
      for (Slots::Place p : slots.places(shape.layout()))
        ++slotValues[p.slot].next;
      continue;
    }
    LayoutStore &store = builder.store(id);
    rowIds[row] = builder.endRow(id);
    for (Slots::Place p : slots.places(shape.layout())) {
      SlotValues &v = slotValues[p.slot];
      Column &to = store.columns[p.entry];
      int64_t value = v.values[v.next];
      switch (to.type) {
      case ValueType::Decimal:
        to.bytes.push_back(static_cast<uint8_t>(v.scales[v.next]));
        [[fallthrough]];
      case ValueType::Int:
        to.ints.push_back(value);
        break;
      case ValueType::Bool:
        to.bytes.push_back(static_cast<uint8_t>(value));
        break;
      default: {
        Expected<StringId> text = string(value);
        if (!text)
          return text.takeError();
        to.strings.push_back(*text);
        break;
      }
      }
      ++v.next;
    }
  }
  for (uint32_t slot : touched)
    slotValues[slot].next = slotValues[slot].count = 0;
  return Error::success();
}

Error RankReader::beginChunk(uint64_t count, StringRef what) {
  if (count == 0 || count > kChunkRows)
    return damaged("a frame has " + Twine(count) + " " + what);
  chunks.emplace_back().extent.rows = static_cast<uint32_t>(count);
  return Error::success();
}

Error RankReader::rows(uint64_t count) {
  if (Error e = beginChunk(count, "rows"))
    return e;
  totalRows += count;
  if (totalRows > limits.maxEvents)
    return inputError("limit-exceeded",
                      "a rank has more than " + Twine(limits.maxEvents) + " events");
  return Error::success();
}

/// Ordinals are counted from 0 and have 32 bits, but for a few at the end.
static Error checkSeq(ArrayRef<int64_t> seq) {
  for (int64_t s : seq)
    if (s < 0 || s > kMaxSeq)
      return damaged("a row has the ordinal " + Twine(s) + ", and the greatest is " +
                     Twine(kMaxSeq));
  return Error::success();
}

/// Finds the rows of a chunk that are in the part.
void RankReader::keepInTime(const hb::Events &from, ArrayRef<int64_t> begin,
                            ArrayRef<int64_t> duration) {
  for (const hb::Segment *s : *from.segments()) {
    Interval part =
        isStream(builder.trackAt(trackPlaces[s->track()]).key.family) ? time->device : time->host;
    for (uint32_t i = 0; i != s->rows(); ++i) {
      size_t row = kept.size();
      kept.push_back(overlaps(part, begin[row], begin[row] + duration[row]));
    }
  }
}

/// Whether the last row of a track comes before one with these, in canonical order.
static bool isBefore(const Track &t, int64_t begin, int64_t end, int64_t seq) {
  if (t.begin.back().ns != begin)
    return t.begin.back().ns < begin;
  return t.end.back().ns != end ? t.end.back().ns > end : t.seq.back() < seq;
}

Error RankReader::events(const hb::Events &from) {
  uint64_t count = 0, onStreams = 0;
  uint32_t firstTrack = UINT32_MAX, lastTrack = 0;
  if (!from.segments())
    return damaged("a chunk has no rows");
  for (const hb::Segment *s : *from.segments()) {
    if (s->track() >= trackPlaces.size() || s->rows() == 0)
      return damaged("a chunk has " + Twine(s->rows()) + " rows of track " + Twine(s->track()) +
                     " of " + Twine(trackPlaces.size()));
    count += s->rows();
    firstTrack = std::min(firstTrack, s->track());
    lastTrack = std::max(lastTrack, s->track());
    if (isStream(builder.trackAt(trackPlaces[s->track()]).key.family))
      onStreams += s->rows();
  }
  if (Error e = rows(count))
    return e;
  std::vector<int64_t> begin, duration, name, seq, launched;
  if (Error e = shapes(from.shapes(), from.shape(), static_cast<uint32_t>(count), true))
    return e;
  for (auto [column, n, what, to] :
       {std::tuple(from.begin(), count, "begin", &begin),
        std::tuple(from.duration(), count, "duration", &duration),
        std::tuple(from.name(), count, "name", &name), std::tuple(from.seq(), count, "seq", &seq),
        std::tuple(from.launched(), onStreams, "launched", &launched)})
    if (Error e = this->column(column, n, what, *to))
      return e;
  Extent &extent = chunks.back().extent;
  extent.firstTrack = firstTrack;
  extent.lastTrack = lastTrack;
  for (size_t i = 0; i != count; ++i) {
    int64_t end;
    if (duration[i] < 0 || __builtin_add_overflow(begin[i], duration[i], &end))
      return damaged("an event begins at " + Twine(begin[i]) + " and has the duration " +
                     Twine(duration[i]));
    extent.add(begin[i], end);
  }
  for (int64_t l : launched)
    if (l < 0 || l > 1)
      return damaged("an event's mark of being launched is " + Twine(l));
  kept.clear();
  if (time)
    keepInTime(from, begin, duration);
  if (Error e = strings(name, false))
    return e;
  if (Error e = checkSeq(seq))
    return e;
  if (Error e = attributes(from.attributes()))
    return e;
  std::vector<uint32_t> before;
  size_t row = 0, streamRow = 0;
  for (const hb::Segment *s : *from.segments()) {
    uint32_t place = trackPlaces[s->track()];
    Track &t = builder.trackAt(place);
    before.push_back(t.size());
    for (size_t last = row + s->rows(); row != last; ++row) {
      bool launch = isStream(t.key.family) && launched[streamRow++];
      if (!keeps(row))
        continue;
      int64_t end = begin[row] + duration[row];
      if (!t.empty() && !isBefore(t, begin[row], end, seq[row]) && !unsorted)
        unsorted = s->track();
      uint32_t index = builder.event(place, {begin[row]}, {end}, static_cast<StringId>(name[row]),
                                     static_cast<EventKind>(rowShapes[row].kind()),
                                     layouts[rowShapes[row].layout()], rowIds[row],
                                     static_cast<uint32_t>(seq[row]));
      if (launch)
        builder.edges().push_back({EdgeKind::Launch, {place, index}, {place, index}});
    }
  }
  return derived(from, before);
}

/// `before`: how many rows the track of each segment had.
Error RankReader::derived(const hb::Events &from, ArrayRef<uint32_t> before) {
  if (!from.derived())
    return Error::success();
  std::vector<bool> keptRows = std::move(kept);
  std::vector<size_t> firstRow;
  size_t row = 0;
  for (const hb::Segment *s : *from.segments()) {
    firstRow.push_back(row);
    row += s->rows();
  }
  for (const hb::Derived *d : *from.derived()) {
    if (d->segment() >= before.size())
      return damaged("a derived column is of no segment");
    const hb::Segment &s = *from.segments()->Get(d->segment());
    Expected<std::string> name = text(d->name());
    if (!name)
      return name.takeError();
    DerivedColumn &to = builder.trackAt(trackPlaces[s.track()]).derived[*name];
    if ((d->is_text() ? to.strings.size() : to.ints.size()) != before[d->segment()])
      return damaged("the derived column '" + *name + "' lacks rows");
    std::vector<int64_t> values;
    if (Error e = column(d->values(), s.rows(), "derived", values))
      return e;
    if (!keptRows.empty()) {
      size_t to = 0;
      for (size_t i = 0; i != values.size(); ++i)
        if (keptRows[firstRow[d->segment()] + i])
          values[to++] = values[i];
      values.resize(to);
    }
    if (!d->is_text()) {
      to.ints.insert(to.ints.end(), values.begin(), values.end());
      continue;
    }
    if (Error e = strings(values, true))
      return e;
    for (int64_t v : values)
      to.strings.push_back(static_cast<StringId>(v));
  }
  return Error::success();
}

Error RankReader::flows(const hb::Flows &from) {
  uint64_t count = from.seq() ? from.seq()->count() : 0;
  if (Error e = rows(count))
    return e;
  chunks.back().statedBegin = from.min_time();
  chunks.back().statedEnd = from.max_time();
  auto chunk = static_cast<uint32_t>(chunks.size() - 1);
  if (Error e = shapes(from.shapes(), from.shape(), static_cast<uint32_t>(count), false))
    return e;
  kept.clear();
  std::vector<int64_t> seq, anchor, at, name, lane;
  for (auto [column, what, to] :
       {std::tuple(from.seq(), "seq", &seq), std::tuple(from.anchor(), "anchor", &anchor),
        std::tuple(from.at(), "at", &at), std::tuple(from.name(), "name", &name),
        std::tuple(from.lane(), "lane", &lane)})
    if (Error e = this->column(column, count, what, *to))
      return e;
  if (Error e = strings(name, false))
    return e;
  if (Error e = checkSeq(seq))
    return e;
  if (Error e = attributes(from.attributes()))
    return e;
  std::vector<std::pair<SourceId, SourceId>> lanes;
  if (from.lanes())
    for (const hb::Lane *l : *from.lanes()) {
      Expected<SourceId> pid = sourceId(l->pid());
      if (!pid)
        return pid.takeError();
      Expected<SourceId> tid = sourceId(l->tid());
      if (!tid)
        return tid.takeError();
      lanes.emplace_back(*pid, *tid);
    }
  for (size_t i = 0; i != count; ++i) {
    FlowRow f;
    f.at = {at[i]};
    f.name = static_cast<StringId>(name[i]);
    f.layout = layouts[rowShapes[i].layout()];
    f.row = rowIds[i];
    f.seq = static_cast<uint32_t>(seq[i]);
    if (static_cast<uint64_t>(lane[i]) > lanes.size() || (lane[i] == 0 && anchor[i] == 0))
      return damaged("flow row " + Twine(f.seq) + " has no lane");
    if (lane[i])
      std::tie(f.pid, f.tid) = lanes[static_cast<size_t>(lane[i]) - 1];
    if (!rank.flows().empty() && rank.flows().back().seq >= f.seq)
      return damaged("the flow rows are not in the order of their ordinals");
    builder.flow(f);
    unbound.push_back({anchor[i], lane[i] == 0, chunk});
  }
  return Error::success();
}

Error RankReader::loose(const hb::Loose &from) {
  uint64_t count = from.seq() ? from.seq()->count() : 0;
  if (Error e = rows(count))
    return e;
  chunks.back().extent.add(0, 0);
  kept.clear();
  std::vector<int64_t> seq, text;
  if (Error e = column(from.seq(), count, "seq", seq))
    return e;
  if (Error e = column(from.text(), count, "text", text))
    return e;
  if (Error e = checkSeq(seq))
    return e;
  if (Error e = strings(text, false))
    return e;
  for (size_t i = 0; i != count; ++i) {
    if (!rank.loose().empty() && rank.loose().back().seq >= seq[i])
      return damaged("the loose rows are not in the order of their ordinals");
    builder.loose({static_cast<uint32_t>(seq[i]), static_cast<StringId>(text[i])});
  }
  return Error::success();
}

Error RankReader::edges(const hb::Edges &from) {
  uint64_t count = from.kind() ? from.kind()->count() : 0;
  if (Error e = beginChunk(count, "edges"))
    return e;
  auto chunk = static_cast<uint32_t>(chunks.size() - 1);
  std::vector<int64_t> kind, source, step;
  for (auto [column, what, to] :
       {std::tuple(from.kind(), "kind", &kind), std::tuple(from.from(), "from", &source),
        std::tuple(from.to(), "to", &step)})
    if (Error e = this->column(column, count, what, *to))
      return e;
  for (size_t i = 0; i != count; ++i) {
    int64_t to;
    if (static_cast<uint64_t>(kind[i]) >= kNumEdgeKinds)
      return damaged("an edge has the unknown kind " + Twine(kind[i]));
    if (__builtin_add_overflow(source[i], step[i], &to))
      return damaged("an edge leads nowhere");
    links.push_back({static_cast<EdgeKind>(kind[i]), chunk, source[i], to});
  }
  return Error::success();
}

} // namespace heddle::binary
