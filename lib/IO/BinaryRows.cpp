//===- BinaryRows.cpp - Rows of a rank as frames --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryRankWriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::binary {

uint32_t RankWriter::shapeOf(LayoutId layout, hb::Kind kind) {
  uint16_t number = layoutNumber[static_cast<uint16_t>(layout)];
  uint32_t key = uint32_t{number} << 8 | static_cast<uint32_t>(kind);
  auto [it, added] = shapeIndex.try_emplace(key, static_cast<uint32_t>(shapes.size()));
  if (added)
    shapes.emplace_back(number, kind);
  return it->second;
}

/// Takes a row's attributes into the chunk's columns; strings as ids of the rank's table.
void RankWriter::gather(LayoutId layout, uint32_t row) {
  const LayoutStore &store = rank.layout(layout);
  for (Slots::Place p : slots.places(layoutNumber[static_cast<uint16_t>(layout)])) {
    const Column &c = store.columns[p.entry];
    SlotValues &to = slotValues[p.slot];
    if (to.values.empty())
      touched.push_back(p.slot);
    switch (c.type) {
    case ValueType::Decimal:
      to.scales.push_back(c.bytes[row]);
      [[fallthrough]];
    case ValueType::Int:
      to.values.push_back(c.ints[row]);
      break;
    case ValueType::Bool:
      to.values.push_back(c.bytes[row]);
      break;
    default:
      to.values.push_back(static_cast<int64_t>(c.strings[row]));
      break;
    }
  }
}

/// The gathered columns, by slot; empties them.
RankWriter::Columns RankWriter::attributes() {
  Columns columns;
  sort(touched);
  for (uint32_t s : touched) {
    SlotValues &from = slotValues[s];
    if (slots.type(s) >= ValueType::String && slots.type(s) != ValueType::Bool)
      for (int64_t &v : from.values)
        v = strings.of(static_cast<StringId>(v));
    columns.push_back(out.column(message, from.values, s));
    if (!from.scales.empty())
      columns.push_back(out.column(message, from.scales, s, hb::Part::Scales));
    from.values.clear();
    from.scales.clear();
  }
  touched.clear();
  return columns;
}

Error RankWriter::put(frame::Type type, const Extent &extent, Expected<Placed> placed) {
  if (!placed)
    return placed.takeError();
  index.chunks.emplace_back(hb::FrameEntry(placed->offset, placed->bytes), extent.begin, extent.end,
                            extent.rows, extent.firstTrack, extent.lastTrack,
                            static_cast<uint16_t>(type));
  return Error::success();
}

/// Cuts the tracks into chunks: each but the last of a rank is full.
Error RankWriter::events() {
  std::vector<Piece> pieces;
  uint32_t room = kChunkRows;
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    uint32_t size = rank.track(t).size();
    for (uint32_t first = 0; first != size;) {
      uint32_t rows = std::min(size - first, room);
      pieces.push_back({t, first, rows});
      first += rows;
      room -= rows;
      if (room)
        continue;
      if (Error e = chunk(pieces, kChunkRows))
        return e;
      pieces.clear();
      room = kChunkRows;
    }
  }
  return pieces.empty() ? Error::success() : chunk(pieces, kChunkRows - room);
}

Error RankWriter::chunk(ArrayRef<Piece> pieces, uint32_t rows) {
  std::vector<hb::Segment> segments;
  std::vector<int64_t> begin, duration, name, seq, calls;
  for (std::vector<int64_t> *c : {&begin, &duration, &name, &seq})
    c->reserve(rows);
  shapeIndex.clear();
  shapes.clear();
  shapeColumn.clear();
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  for (const Piece &p : pieces) {
    const Track &t = rank.track(p.track);
    segments.emplace_back(p.track, p.rows);
    bool onStream = isStream(t.key.family);
    for (uint32_t i = p.first; i != p.first + p.rows; ++i) {
      begin.push_back(t.begin[i].ns);
      duration.push_back(t.duration(i).ns);
      name.push_back(strings.of(t.names[i]));
      seq.push_back(t.seq[i]);
      shapeColumn.push_back(shapeOf(t.layouts[i], static_cast<hb::Kind>(t.kinds[i])));
      gather(t.layouts[i], t.rows[i]);
      if (onStream)
        calls.push_back(!launched[p.track].empty() && launched[p.track][i]);
      least = std::min(least, t.begin[i].ns);
      greatest = std::max(greatest, t.end[i].ns);
    }
  }
  Columns attributeColumns = attributes();
  std::vector<flatbuffers::Offset<hb::Derived>> derived;
  for (auto [s, p] : enumerate(pieces))
    for (const auto &[key, column] : rank.track(p.track).derived) {
      bool isText = column.ints.empty();
      std::vector<int64_t> values;
      uint32_t number = strings.of(key);
      for (uint32_t i = p.first; i != p.first + p.rows; ++i)
        values.push_back(isText ? strings.orNone(column.strings[i]) : column.ints[i]);
      auto packed = out.column(message, values);
      derived.push_back(
          hb::CreateDerived(message, static_cast<uint32_t>(s), number, isText, packed));
    }
  if (Error e = flushStrings())
    return e;
  auto segmentList = message.CreateVectorOfStructs(segments);
  auto shapeList = message.CreateVectorOfStructs(shapes);
  auto shapeData = out.column(message, shapeColumn), beginData = out.column(message, begin),
       durationData = out.column(message, duration), nameData = out.column(message, name),
       seqData = out.column(message, seq);
  flatbuffers::Offset<hb::Column> callData;
  if (!calls.empty())
    callData = out.column(message, calls);
  auto attributeList = message.CreateVector(attributeColumns);
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<hb::Derived>>> derivedList;
  if (!derived.empty())
    derivedList = message.CreateVector(derived);
  auto root =
      hb::CreateEvents(message, ordinal, segmentList, shapeList, shapeData, beginData, durationData,
                       nameData, seqData, callData, attributeList, derivedList);
  return put(frame::Type::Events,
             {least, greatest, rows, pieces.front().track, pieces.back().track},
             out.put(frame::Type::Events, message, root, "a chunk of events"));
}

Error RankWriter::flows() {
  for (ArrayRef<FlowRow> rows = rank.flows(); !rows.empty();
       rows = rows.drop_front(std::min<size_t>(rows.size(), kChunkRows)))
    if (Error e = flowChunk(rows.take_front(kChunkRows)))
      return e;
  return Error::success();
}

Error RankWriter::flowChunk(ArrayRef<FlowRow> rows) {
  std::vector<int64_t> seq, anchor, at, name, lane;
  std::vector<hb::Lane> lanes;
  std::map<std::pair<SourceId, SourceId>, int64_t> laneIndex;
  shapeIndex.clear();
  shapes.clear();
  shapeColumn.clear();
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  for (const FlowRow &f : rows) {
    const Track *t = f.anchor.valid() ? &rank.track(f.anchor.track) : nullptr;
    seq.push_back(f.seq);
    anchor.push_back(t ? int64_t{f.seq} - t->seq[f.anchor.index] : 0);
    at.push_back(t ? f.at.ns - t->begin[f.anchor.index].ns : f.at.ns);
    name.push_back(strings.of(f.name));
    if (t && f.pid == t->key.pid && f.tid == t->key.tid) {
      lane.push_back(0);
    } else {
      auto [it, added] = laneIndex.try_emplace({f.pid, f.tid}, lanes.size() + 1);
      if (added) {
        hb::SourceId pid = sourceId(f.pid);
        lanes.emplace_back(pid, sourceId(f.tid));
      }
      lane.push_back(it->second);
    }
    shapeColumn.push_back(shapeOf(f.layout, hb::Kind::CpuOp));
    gather(f.layout, f.row);
    least = std::min(least, f.at.ns);
    greatest = std::max(greatest, f.at.ns);
  }
  Columns attributeColumns = attributes();
  if (Error e = flushStrings())
    return e;
  auto shapeList = message.CreateVectorOfStructs(shapes);
  auto laneList = message.CreateVectorOfStructs(lanes);
  auto shapeData = out.column(message, shapeColumn), seqData = out.column(message, seq),
       anchorData = out.column(message, anchor), atData = out.column(message, at),
       nameData = out.column(message, name), laneData = out.column(message, lane);
  auto attributeList = message.CreateVector(attributeColumns);
  auto root = hb::CreateFlows(message, ordinal, least, greatest, shapeList, shapeData, seqData,
                              anchorData, atData, nameData, laneList, laneData, attributeList);
  return put(frame::Type::Flows, {least, greatest, static_cast<uint32_t>(rows.size()), 0, 0},
             out.put(frame::Type::Flows, message, root, "a chunk of flow rows"));
}

Error RankWriter::looseRows() {
  for (ArrayRef<LooseRow> rest = rank.loose(); !rest.empty();) {
    ArrayRef<LooseRow> rows = rest.take_front(kChunkRows);
    rest = rest.drop_front(rows.size());
    std::vector<int64_t> seq, text;
    for (const LooseRow &l : rows) {
      seq.push_back(l.seq);
      text.push_back(strings.of(l.text));
    }
    if (Error e = flushStrings())
      return e;
    auto seqData = out.column(message, seq), textData = out.column(message, text);
    auto root = hb::CreateLoose(message, ordinal, seqData, textData);
    if (Error e = put(frame::Type::Loose, {0, 0, static_cast<uint32_t>(rows.size()), 0, 0},
                      out.put(frame::Type::Loose, message, root, "a chunk of loose rows")))
      return e;
  }
  return Error::success();
}

Error RankWriter::edges() {
  auto seqOf = [&](EventRef e) { return int64_t{rank.track(e.track).seq[e.index]}; };
  for (ArrayRef<Edge> rest = stored; !rest.empty();) {
    ArrayRef<Edge> rows = rest.take_front(kChunkRows);
    rest = rest.drop_front(rows.size());
    std::vector<int64_t> kind, from, to;
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (const Edge &e : rows) {
      for (EventRef end : {e.from, e.to}) {
        least = std::min(least, rank.interval(end).begin.ns);
        greatest = std::max(greatest, rank.interval(end).begin.ns);
      }
      kind.push_back(static_cast<int64_t>(e.kind));
      from.push_back(seqOf(e.from));
      to.push_back(seqOf(e.to) - from.back());
    }
    auto kindData = out.column(message, kind), fromData = out.column(message, from),
         toData = out.column(message, to);
    auto root = hb::CreateEdges(message, ordinal, kindData, fromData, toData);
    if (Error e =
            put(frame::Type::Edges, {least, greatest, static_cast<uint32_t>(rows.size()), 0, 0},
                out.put(frame::Type::Edges, message, root, "a chunk of edges")))
      return e;
  }
  return Error::success();
}

} // namespace heddle::binary
