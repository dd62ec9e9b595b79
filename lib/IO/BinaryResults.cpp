//===- BinaryResults.cpp - Results and provenance as frames ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryResults.h"
#include <bit>

using namespace llvm;

namespace heddle::binary {

using flatbuffers::Offset;
using flatbuffers::Vector;

namespace {
/// Builds the message of one unit.
class ResultBuilder {
public:
  Offset<hb::Result> build(const PassResult &unit) {
    auto pass = text(unit.pass), name = text(unit.passName);
    std::vector<Offset<hb::ResultTable>> tables;
    for (const Table &t : unit.tables)
      tables.push_back(table(t));
    std::vector<Offset<hb::Remark>> remarks;
    for (const Remark &r : unit.remarks)
      remarks.push_back(remark(r));
    std::vector<Offset<hb::Statistic>> stats;
    for (const Statistic &s : unit.stats)
      stats.push_back(
          hb::CreateStatistic(message, text(s.name), s.value, static_cast<uint8_t>(s.severity)));
    std::vector<Offset<hb::Abstention>> abstained;
    for (const Abstention &a : unit.abstained) {
      auto reason = text(a.reason);
      abstained.push_back(hb::CreateAbstention(message, reason, text(a.record)));
    }
    auto tableList = message.CreateVector(tables);
    auto remarkList = message.CreateVector(remarks);
    auto statList = message.CreateVector(stats);
    auto abstainedList = message.CreateVector(abstained);
    return hb::CreateResult(message, pass, name, unit.rank, unit.generation, unit.stale, tableList,
                            remarkList, statList, abstainedList);
  }
  /// Beyond what a frame can hold texts are left out: the frame is then refused.
  Offset<hb::Text> text(StringRef bytes) {
    total += bytes.size();
    if (total > 2 * frame::kMaxBytes)
      bytes = {};
    return hb::CreateText(
        message,
        message.CreateVector(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  }
  flatbuffers::FlatBufferBuilder message{1 << 14};
  uint64_t total = 0; ///< Bytes of all texts.

private:
  Offset<hb::ResultTable> table(const Table &t) {
    auto id = text(t.id), title = text(t.title);
    std::vector<Offset<hb::TableColumn>> columns;
    for (const TableColumn &c : t.columns)
      columns.push_back(
          hb::CreateTableColumn(message, text(c.key), static_cast<hb::Unit>(c.unit), c.isText));
    std::vector<hb::Cell> cells;
    std::vector<Offset<hb::Text>> texts;
    for (const std::vector<Cell> &row : t.rows)
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
                                 static_cast<uint32_t>(t.rows.size()), textList);
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
};
} // namespace

Error writeResults(const Results &results, Out &out) {
  for (const PassResult &unit : results.units) {
    ResultBuilder b;
    auto root = b.build(unit);
    if (b.total > frame::kMaxBytes)
      return tooLarge("what '" + unit.passName + "' published", b.total);
    if (auto placed =
            out.put(frame::Type::Result, b.message, root, "what '" + unit.passName + "' published");
        !placed)
      return placed.takeError();
  }
  return Error::success();
}

Error writeProvenance(const Trace &trace, Out &out) {
  ResultBuilder b;
  auto tool = b.text(trace.provenance.toolVersion), pipeline = b.text(trace.provenance.pipeline);
  std::vector<Offset<hb::Source>> sources;
  for (const auto &rank : trace.ranks)
    sources.push_back(
        hb::CreateSource(b.message, b.text(rank->recording.path), rank->recording.bytes));
  auto list = b.message.CreateVector(sources);
  auto root = hb::CreateProvenance(b.message, tool, pipeline, list);
  auto placed = out.put(frame::Type::Provenance, b.message, root, "the provenance");
  return placed ? Error::success() : placed.takeError();
}

namespace {
/// Copies what a message says. Tables and texts may be referred to often: each copy is counted, and
/// where they are too many the copies are empty and `full` is set.
class Copier {
public:
  explicit Copier(Budget &budget) : budget(budget) {}

  std::string text(const hb::Text *t) {
    uint64_t size = t && t->bytes() ? t->bytes()->size() : 0;
    if (!count(size) || size == 0)
      return {};
    return {reinterpret_cast<const char *>(t->bytes()->data()), size};
  }
  /// The elements of a vector that may be absent, each of which takes so much in memory.
  template <typename T> auto each(const Vector<T> *list, uint64_t bytes) {
    using Element = typename Vector<T>::return_type;
    std::vector<Element> all;
    bytes += sizeof(Element);
    if (list && count(uint64_t{list->size()} * bytes))
      for (auto element : *list)
        all.push_back(element);
    return all;
  }
  bool count(uint64_t bytes) {
    full |= !budget.fits(bytes);
    if (!full)
      cantFail(budget.take(bytes));
    return !full;
  }
  bool table(const hb::ResultTable &from, Table &to);
  bool remark(const hb::Remark &from, Remark &to);
  bool full = false;

private:
  Budget &budget;
};
} // namespace

bool Copier::table(const hb::ResultTable &from, Table &to) {
  to.id = text(from.id());
  to.title = text(from.title());
  for (const hb::TableColumn *c : each(from.columns(), sizeof(TableColumn))) {
    if (c->unit() > hb::Unit::Percent)
      return false;
    to.columns.push_back({text(c->key()), static_cast<Unit>(c->unit()), c->is_text()});
  }
  size_t cells = from.cells() ? from.cells()->size() : 0, width = to.columns.size();
  if (cells != uint64_t{from.rows()} * width || (width == 0 && from.rows()))
    return false;
  if (!count(cells * sizeof(Cell) + from.rows() * sizeof(std::vector<Cell>)))
    return false;
  to.rows.resize(from.rows());
  for (size_t i = 0; i != cells; ++i) {
    const hb::Cell *c = from.cells()->Get(static_cast<unsigned>(i));
    std::vector<Cell> &row = to.rows[i / width];
    if (row.empty())
      row.reserve(width);
    switch (c->kind()) {
    case hb::CellKind::Null:
      row.emplace_back();
      break;
    case hb::CellKind::Int:
      row.emplace_back(c->value());
      break;
    case hb::CellKind::Real:
      row.emplace_back(std::bit_cast<double>(c->value()));
      break;
    case hb::CellKind::Text:
      if (!from.texts() || static_cast<uint64_t>(c->value()) >= from.texts()->size())
        return false;
      row.emplace_back(text(from.texts()->Get(static_cast<unsigned>(c->value()))));
      break;
    default:
      return false;
    }
  }
  return true;
}

bool Copier::remark(const hb::Remark &from, Remark &to) {
  if (from.level() > static_cast<uint8_t>(Remark::Level::Warning) ||
      from.confidence() > static_cast<uint8_t>(Confidence::High))
    return false;
  to.id = text(from.id());
  to.level = static_cast<Remark::Level>(from.level());
  to.message = text(from.message());
  to.rank = from.rank();
  to.device = from.device();
  to.windowNs = from.window_ns();
  to.costNs = from.cost_ns();
  to.lowerNs = from.lower_ns();
  to.upperNs = from.upper_ns();
  for (const hb::EventRef *e : each(from.evidence(), sizeof(EventRef)))
    to.evidence.push_back({e->track(), e->index()});
  to.advice = text(from.advice());
  for (const hb::Argument *a : each(from.args(), 2 * sizeof(std::string)))
    to.args.emplace_back(text(a->key()), text(a->value()));
  to.confidence = static_cast<Confidence>(from.confidence());
  return true;
}

bool readResult(const hb::Result &from, Budget &budget, Results &to) {
  Copier copy(budget);
  PassResult unit;
  unit.pass = copy.text(from.pass());
  unit.passName = copy.text(from.name());
  unit.rank = from.rank();
  unit.generation = from.generation();
  unit.stale = from.stale();
  for (const hb::ResultTable *t : copy.each(from.tables(), sizeof(Table)))
    if (!copy.table(*t, unit.tables.emplace_back()))
      return false;
  for (const hb::Remark *r : copy.each(from.remarks(), sizeof(Remark)))
    if (!copy.remark(*r, unit.remarks.emplace_back()))
      return false;
  for (const hb::Statistic *s : copy.each(from.statistics(), sizeof(Statistic))) {
    if (s->severity() > static_cast<uint8_t>(Statistic::Severity::Loss))
      return false;
    unit.stats.push_back(
        {copy.text(s->name()), s->value(), static_cast<Statistic::Severity>(s->severity())});
  }
  for (const hb::Abstention *a : copy.each(from.abstained(), sizeof(Abstention)))
    unit.abstained.push_back({copy.text(a->reason()), copy.text(a->record())});
  to.units.push_back(std::move(unit));
  return !copy.full;
}

bool readProvenance(const hb::Provenance &from, Budget &budget, Trace &to) {
  Copier copy(budget);
  to.provenance.toolVersion = copy.text(from.tool());
  to.provenance.pipeline = copy.text(from.pipeline());
  size_t i = 0;
  for (const hb::Source *s : copy.each(from.sources(), 0)) {
    if (i == to.ranks.size())
      break;
    to.ranks[i]->recording.path = copy.text(s->path());
    to.ranks[i++]->recording.bytes = s->bytes();
  }
  return !copy.full;
}

} // namespace heddle::binary
