//===- BinaryResults.cpp - Results and provenance as frames ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryResults.h"
#include "BinaryParts.h"
#include <bit>

using namespace llvm;

namespace heddle::binary {

using flatbuffers::Offset;

/// About what these take in a message.
static uint64_t bytesOf(StringRef text) { return text.size() + 24; }
static uint64_t bytesOf(const std::vector<Cell> &row) {
  uint64_t bytes = 0;
  for (const Cell &c : row) {
    const auto *text = std::get_if<std::string>(&c);
    bytes += sizeof(hb::Cell) + (text ? bytesOf(*text) : 0);
  }
  return bytes;
}
static uint64_t headBytesOf(const Table &t) {
  uint64_t bytes = 64 + bytesOf(t.id) + bytesOf(t.title);
  for (const TableColumn &c : t.columns)
    bytes += 16 + bytesOf(c.key);
  return bytes;
}
static uint64_t bytesOf(const Remark &r) {
  uint64_t bytes = 128 + bytesOf(r.id) + bytesOf(r.message) + bytesOf(r.advice) +
                   r.evidence.size() * sizeof(hb::EventRef);
  for (const auto &[key, value] : r.args)
    bytes += 16 + bytesOf(key) + bytesOf(value);
  return bytes;
}

static Offset<hb::Text> addText(flatbuffers::FlatBufferBuilder &message, StringRef text) {
  return hb::CreateText(
      message, message.CreateVector(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

namespace {
/// Writes one unit, as a frame or, if that would be long, as several pieces: a table goes on in the
/// next piece, all else stands in one.
class ResultWriter {
public:
  ResultWriter(const PassResult &unit, Out &out)
      : unit(unit), out(out), what("what '" + unit.passName + "' published"),
        used(bytesOf(unit.pass) + bytesOf(unit.passName)) {}

  Error write() {
    if (used > frame::kMaxBytes)
      return tooLarge(what, used);
    for (const Table &t : unit.tables)
      if (Error e = table(t))
        return e;
    for (const Remark &r : unit.remarks) {
      if (Error e = room(bytesOf(r), "a remark"))
        return e;
      remarks.push_back(remark(r));
    }
    for (const Statistic &s : unit.stats) {
      if (Error e = room(32 + bytesOf(s.name), "a statistic"))
        return e;
      stats.push_back(
          hb::CreateStatistic(message, text(s.name), s.value, static_cast<uint8_t>(s.severity)));
    }
    for (const Abstention &a : unit.abstained) {
      if (Error e = room(32 + bytesOf(a.reason) + bytesOf(a.record), "an abstention"))
        return e;
      auto reason = text(a.reason);
      abstained.push_back(hb::CreateAbstention(message, reason, text(a.record)));
    }
    return end(/*more=*/false);
  }

private:
  Offset<hb::Text> text(StringRef bytes) { return addText(message, bytes); }

  bool isFull(uint64_t bytes) const { return hasParts && used + bytes > kPieceBytes; }
  /// Makes room for a part, in the next piece if this one is full.
  Error room(uint64_t bytes, const char *part) {
    if (bytes > frame::kMaxBytes)
      return tooLarge(what + ", " + part + ",", bytes);
    if (isFull(bytes))
      if (Error e = end(/*more=*/true))
        return e;
    used += bytes;
    hasParts = true;
    return Error::success();
  }

  /// Writes the piece.
  Error end(bool more) {
    auto pass = text(unit.pass), name = text(unit.passName);
    auto tableList = message.CreateVector(tables);
    auto remarkList = message.CreateVector(remarks);
    auto statList = message.CreateVector(stats);
    auto abstainedList = message.CreateVector(abstained);
    auto root = hb::CreateResult(message, pass, name, unit.rank, unit.generation, unit.stale,
                                 tableList, remarkList, statList, abstainedList, piece, more);
    if (auto placed = out.put(frame::Type::Result, message, root, what); !placed)
      return placed.takeError();
    tables.clear();
    remarks.clear();
    stats.clear();
    abstained.clear();
    ++piece;
    used = bytesOf(unit.pass) + bytesOf(unit.passName);
    hasParts = false;
    return Error::success();
  }

  Error table(const Table &t) {
    if (Error e = room(headBytesOf(t), "a table's columns"))
      return e;
    size_t first = 0, row = 0;
    for (bool continues = false;;) {
      for (; row != t.rows.size() && !isFull(bytesOf(t.rows[row])); ++row)
        if (Error e = room(bytesOf(t.rows[row]), "a row"))
          return e;
      tables.push_back(part(t, first, row, continues));
      if (row == t.rows.size())
        return Error::success();
      if (uint64_t bytes = bytesOf(t.rows[row]); bytes > frame::kMaxBytes)
        return tooLarge(what + ", a row,", bytes);
      if (Error e = end(/*more=*/true))
        return e;
      first = row++; // which a piece of its own holds, however long it is
      used += headBytesOf(t) + bytesOf(t.rows[first]);
      continues = hasParts = true;
    }
  }

  /// Rows of a table from `first` to before `end`.
  Offset<hb::ResultTable> part(const Table &t, size_t first, size_t end, bool continues) {
    auto id = text(t.id), title = text(t.title);
    std::vector<Offset<hb::TableColumn>> columns;
    for (const TableColumn &c : t.columns)
      columns.push_back(
          hb::CreateTableColumn(message, text(c.key), static_cast<hb::Unit>(c.unit), c.isText));
    std::vector<hb::Cell> cells;
    std::vector<Offset<hb::Text>> texts;
    for (const std::vector<Cell> &row : ArrayRef(t.rows).slice(first, end - first))
      for (const Cell &c : row) {
        if (const auto *n = std::get_if<int64_t>(&c)) {
          cells.emplace_back(*n, hb::CellKind::Int);
        } else if (const auto *d = std::get_if<double>(&c)) {
          cells.emplace_back(std::bit_cast<int64_t>(*d), hb::CellKind::Real);
        } else if (const auto *s = std::get_if<std::string>(&c)) {
          cells.emplace_back(static_cast<int64_t>(texts.size()), hb::CellKind::Text);
          texts.push_back(text(*s));
        } else {
          cells.emplace_back(0, hb::CellKind::Null);
        }
      }
    auto columnList = message.CreateVector(columns);
    auto cellList = message.CreateVectorOfStructs(cells);
    auto textList = message.CreateVector(texts);
    return hb::CreateResultTable(message, id, title, columnList, cellList,
                                 static_cast<uint32_t>(end - first), textList, continues);
  }

  Offset<hb::Remark> remark(const Remark &r) {
    auto id = text(r.id), words = text(r.message), advice = text(r.advice);
    std::vector<hb::EventRef> evidence;
    for (EventRef e : r.evidence)
      evidence.emplace_back(e.track, e.index);
    std::vector<Offset<hb::Argument>> args;
    for (const auto &[key, value] : r.args) {
      auto k = text(key);
      args.push_back(hb::CreateArgument(message, k, text(value)));
    }
    auto evidenceList = message.CreateVectorOfStructs(evidence);
    auto argList = message.CreateVector(args);
    hb::RemarkBuilder b(message);
    if (r.rank)
      b.add_rank(*r.rank);
    if (r.device)
      b.add_device(*r.device);
    if (r.windowNs)
      b.add_window_ns(*r.windowNs);
    if (r.costNs)
      b.add_cost_ns(*r.costNs);
    if (r.lowerNs)
      b.add_lower_ns(*r.lowerNs);
    if (r.upperNs)
      b.add_upper_ns(*r.upperNs);
    b.add_id(id);
    b.add_message(words);
    b.add_advice(advice);
    b.add_evidence(evidenceList);
    b.add_args(argList);
    b.add_level(static_cast<uint8_t>(r.level));
    b.add_confidence(static_cast<uint8_t>(r.confidence));
    return b.Finish();
  }

  const PassResult &unit;
  Out &out;
  std::string what;
  flatbuffers::FlatBufferBuilder message{1 << 14};
  // Of the piece at work.
  std::vector<Offset<hb::ResultTable>> tables;
  std::vector<Offset<hb::Remark>> remarks;
  std::vector<Offset<hb::Statistic>> stats;
  std::vector<Offset<hb::Abstention>> abstained;
  uint32_t piece = 0;
  uint64_t used; ///< Bytes of it, about.
  bool hasParts = false;
};
} // namespace

Error writeResults(const Results &results, Out &out) {
  for (const PassResult &unit : results.units)
    if (Error e = ResultWriter(unit, out).write())
      return e;
  return Error::success();
}

Error writeProvenance(const Trace &trace, Out &out) {
  uint64_t bytes = trace.provenance.toolVersion.size() + trace.provenance.pipeline.size();
  for (const auto &rank : trace.ranks)
    bytes += rank->recording.path.size();
  if (bytes > frame::kMaxBytes)
    return tooLarge("the provenance", bytes);
  flatbuffers::FlatBufferBuilder message{1 << 14};
  auto tool = addText(message, trace.provenance.toolVersion),
       pipeline = addText(message, trace.provenance.pipeline);
  std::vector<Offset<hb::Source>> sources;
  for (const auto &rank : trace.ranks)
    sources.push_back(
        hb::CreateSource(message, addText(message, rank->recording.path), rank->recording.bytes));
  auto list = message.CreateVector(sources);
  auto root = hb::CreateProvenance(message, tool, pipeline, list);
  auto placed = out.put(frame::Type::Provenance, message, root, "the provenance");
  return placed ? Error::success() : placed.takeError();
}

} // namespace heddle::binary
