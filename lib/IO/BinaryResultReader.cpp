//===- BinaryResultReader.cpp - Frames become results ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryResults.h"
#include <bit>

using namespace llvm;

namespace heddle::binary {

using flatbuffers::Vector;

static Error damaged(const Twine &cause) { return inputError("hb-damaged", cause); }

namespace {
/// Copies what a message says. Tables and texts may be referred to often: each copy is counted, and
/// where they are too many the copies are empty, which `end` tells.
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
  /// Counts bytes; false where there is no room for them.
  bool count(uint64_t bytes) {
    tooMuch = tooMuch ? tooMuch : budget.fits(bytes) ? 0 : bytes;
    if (!tooMuch)
      cantFail(budget.take(bytes));
    return !tooMuch;
  }
  /// The error, if there was no room.
  Error end() { return tooMuch ? budget.take(tooMuch) : Error::success(); }

  Error table(const hb::ResultTable &from, Table &to);
  Error remark(const hb::Remark &from, Remark &to);

private:
  Budget &budget;
  uint64_t tooMuch = 0; ///< Bytes that there was no room for.
};
} // namespace

Error Copier::table(const hb::ResultTable &from, Table &to) {
  to.id = text(from.id());
  to.title = text(from.title());
  for (const hb::TableColumn *c : each(from.columns(), sizeof(TableColumn))) {
    if (c->unit() > hb::Unit::Percent)
      return damaged("the table '" + to.id + "' has the unknown unit " +
                     Twine(static_cast<int>(c->unit())));
    to.columns.push_back({text(c->key()), static_cast<Unit>(c->unit()), c->is_text()});
  }
  size_t cells = from.cells() ? from.cells()->size() : 0, width = to.columns.size();
  if (!count(cells * sizeof(Cell) + from.rows() * sizeof(std::vector<Cell>)))
    return end();
  if (cells != uint64_t{from.rows()} * width)
    return damaged("the table '" + to.id + "' has " + Twine(cells) + " cells for " +
                   Twine(from.rows()) + " rows of " + Twine(width));
  uint32_t texts = from.texts() ? from.texts()->size() : 0;
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
      if (static_cast<uint64_t>(c->value()) >= texts)
        return damaged("a cell of the table '" + to.id + "' has text " + Twine(c->value()) +
                       " of " + Twine(texts));
      row.emplace_back(text(from.texts()->Get(static_cast<unsigned>(c->value()))));
      break;
    default:
      return damaged("a cell of the table '" + to.id + "' is of the unknown kind " +
                     Twine(static_cast<int>(c->kind())));
    }
  }
  return Error::success();
}

Error Copier::remark(const hb::Remark &from, Remark &to) {
  to.id = text(from.id());
  if (from.level() > static_cast<uint8_t>(Remark::Level::Warning) ||
      from.confidence() > static_cast<uint8_t>(Confidence::High))
    return damaged("the remark '" + to.id + "' has level " + Twine(from.level()) +
                   " and confidence " + Twine(from.confidence()) + ", and the greatest are 2");
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
  return Error::success();
}

/// Whether a table is the same but for its rows.
static bool sameColumns(const Table &a, const Table &b) {
  return a.id == b.id && a.title == b.title &&
         llvm::equal(a.columns, b.columns, [](const TableColumn &x, const TableColumn &y) {
           return x.key == y.key && x.unit == y.unit && x.isText == y.isText;
         });
}

template <typename T> static void moveBehind(std::vector<T> &to, std::vector<T> &from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Error ResultReader::take(const hb::Result &from) {
  Copier copy(budget);
  PassResult unit;
  unit.pass = copy.text(from.pass());
  unit.passName = copy.text(from.name());
  unit.rank = from.rank();
  unit.generation = from.generation();
  unit.stale = from.stale();
  uint32_t expected = more ? pieces : 0;
  if (from.piece() != expected)
    return damaged("piece " + Twine(from.piece()) + " of what '" + unit.passName +
                   "' published stands where piece " + Twine(expected) + " should");
  PassResult *whole = expected ? &read.units.back() : nullptr;
  if (whole &&
      std::tie(whole->pass, whole->passName, whole->rank, whole->generation, whole->stale) !=
          std::tie(unit.pass, unit.passName, unit.rank, unit.generation, unit.stale))
    return damaged("a piece of what '" + whole->passName + "' published is of another result");
  Table *open = whole && !whole->tables.empty() ? &whole->tables.back() : nullptr;
  bool goesOn = false;
  for (const hb::ResultTable *t : copy.each(from.tables(), sizeof(Table))) {
    if (Error e = copy.table(*t, unit.tables.emplace_back()))
      return e;
    if (!t->continues())
      continue;
    goesOn = true;
    if (unit.tables.size() != 1 || !open || !sameColumns(*open, unit.tables.back()))
      return damaged("the table '" + unit.tables.back().id + "' does not continue the one before");
  }
  for (const hb::Remark *r : copy.each(from.remarks(), sizeof(Remark)))
    if (Error e = copy.remark(*r, unit.remarks.emplace_back()))
      return e;
  for (const hb::Statistic *s : copy.each(from.statistics(), sizeof(Statistic))) {
    if (s->severity() > static_cast<uint8_t>(Statistic::Severity::Loss))
      return damaged("a statistic has the unknown severity " + Twine(s->severity()));
    unit.stats.push_back(
        {copy.text(s->name()), s->value(), static_cast<Statistic::Severity>(s->severity())});
  }
  for (const hb::Abstention *a : copy.each(from.abstained(), sizeof(Abstention)))
    unit.abstained.push_back({copy.text(a->reason()), copy.text(a->record())});
  if (Error e = copy.end())
    return e;
  pieces = expected + 1;
  more = from.more();
  if (!whole) {
    read.units.push_back(std::move(unit));
    return Error::success();
  }
  if (goesOn) {
    moveBehind(open->rows, unit.tables.front().rows);
    unit.tables.erase(unit.tables.begin());
  }
  moveBehind(whole->tables, unit.tables);
  moveBehind(whole->remarks, unit.remarks);
  moveBehind(whole->stats, unit.stats);
  moveBehind(whole->abstained, unit.abstained);
  return Error::success();
}

Error ResultReader::end() const {
  if (!more)
    return Error::success();
  return damaged("what '" + read.units.back().passName + "' published lacks its last piece");
}

Error readProvenance(const hb::Provenance &from, Budget &budget, Trace &to) {
  Copier copy(budget);
  to.provenance.toolVersion = copy.text(from.tool());
  to.provenance.pipeline = copy.text(from.pipeline());
  uint32_t sources = from.sources() ? from.sources()->size() : 0;
  if (sources > to.ranks.size())
    return damaged("the provenance names " + Twine(sources) + " files for " +
                   Twine(to.ranks.size()) + " ranks");
  for (uint32_t i = 0; i != sources; ++i) {
    const hb::Source &s = *from.sources()->Get(i);
    to.ranks[i]->recording.path = copy.text(s.path());
    to.ranks[i]->recording.bytes = s.bytes();
  }
  return copy.end();
}

} // namespace heddle::binary
