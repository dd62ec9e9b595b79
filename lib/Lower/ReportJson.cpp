//===- ReportJson.cpp - All results as JSON -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// One object: schema and version, the inputs, the pipeline, and of every pass its tables with the
// units of their columns, remarks, statistics and abstentions. Integers stay integers; text that
// is no UTF-8 has its bad bytes replaced by U+FFFD. The same results give the same bytes.
//===----------------------------------------------------------------------===//
#include "heddle/Lower/Emitter.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace heddle {

namespace {
constexpr int64_t kSchemaVersion = 1;

class Writer {
public:
  explicit Writer(raw_ostream &os) : out(os, /*IndentSize=*/1) {}

  void document(const Trace &trace, const Results &results, const EmitOptions &options) {
    out.object([&] {
      out.attribute("schema", "heddle-report");
      out.attribute("version", kSchemaVersion);
      out.attribute("tool", text(trace.provenance.toolVersion));
      out.attribute("pipeline", text(trace.provenance.pipeline));
      out.attributeArray("arguments", [&] {
        for (const std::string &s : options.inputs)
          out.value(text(s));
      });
      out.attributeArray("inputs", [&] {
        for (size_t i = 0; i != trace.ranks.size(); ++i)
          input(*trace.ranks[i], i);
      });
      out.attributeArray("results", [&] {
        for (const PassResult &r : results.units)
          result(r);
      });
    });
  }

private:
  static std::string text(StringRef s) { return json::fixUTF8(s); }
  static json::Value optional(const std::optional<int64_t> &n) {
    return n ? json::Value(*n) : json::Value(nullptr);
  }
  static json::Value cell(const Cell &c) {
    if (const auto *n = std::get_if<int64_t>(&c))
      return *n;
    if (const auto *s = std::get_if<std::string>(&c))
      return text(*s);
    const auto *d = std::get_if<double>(&c);
    return d && std::isfinite(*d) ? json::Value(*d) : json::Value(nullptr);
  }

  void input(const Rank &rank, size_t ordinal) {
    const Recording &r = rank.recording;
    out.object([&] {
      out.attribute("input", static_cast<int64_t>(ordinal));
      out.attribute("file", text(r.path));
      out.attribute("format", text(r.format));
      out.attribute("producer", text(r.producer));
      out.attribute("rank", optional(rank.number));
      out.attribute("cycle", optional(rank.cycle));
      out.attribute("world_size", optional(rank.worldSize));
      out.attribute("host", text(rank.host));
      out.attribute("backend", text(rank.backend));
      out.attribute("bytes", r.bytes);
      out.attribute("origin_ns", r.origin);
      out.attribute("base_ns", optional(r.base));
      out.attribute("source_events", r.sourceEvents);
      out.attribute("partial", r.partial);
      out.attributeArray("devices", [&] {
        for (const Device &d : r.devices)
          out.object([&] {
            out.attribute("id", d.id);
            out.attribute("name", text(d.name));
          });
      });
      counts("repairs", r.repairs);
      counts("notes", r.notes);
    });
  }

  void counts(StringRef key, const std::map<std::string, uint64_t, std::less<>> &map) {
    out.attributeObject(key, [&] {
      for (const auto &[kind, n] : map)
        out.attribute(text(kind), n);
    });
  }

  void result(const PassResult &r) {
    out.object([&] {
      out.attribute("pass", text(r.pass));
      out.attribute("input", r.rank < 0 ? json::Value(nullptr) : json::Value(r.rank));
      out.attribute("generation", r.generation);
      out.attribute("stale", r.stale);
      out.attributeArray("tables", [&] {
        for (const Table &t : r.tables)
          table(t);
      });
      out.attributeArray("remarks", [&] {
        for (const Remark &m : r.remarks)
          remark(m);
      });
      out.attributeArray("statistics", [&] {
        for (const Statistic &s : r.stats)
          out.object([&] {
            out.attribute("name", text(s.name));
            out.attribute("value", s.value);
            out.attribute("severity", s.severity == Statistic::Severity::Loss ? "loss" : "info");
          });
      });
      out.attributeArray("abstentions", [&] {
        for (const Abstention &a : r.abstained)
          out.object([&] {
            out.attribute("reason", text(a.reason));
            out.attribute("record", text(a.record));
          });
      });
    });
  }

  void table(const Table &t) {
    out.object([&] {
      out.attribute("id", text(t.id));
      out.attribute("title", text(t.title));
      out.attributeArray("columns", [&] {
        for (const TableColumn &c : t.columns)
          out.object([&] {
            out.attribute("key", text(c.key));
            out.attribute("unit", unitName(c.unit));
            out.attribute("type", c.isText ? "text" : "number");
          });
      });
      out.attributeArray("rows", [&] {
        for (const auto &row : t.rows) {
          json::Array values;
          for (const Cell &c : row)
            values.push_back(cell(c));
          // A row a line, so that two reports compare line by line.
          out.rawValue([&](raw_ostream &os) { os << json::Value(std::move(values)); });
        }
      });
    });
  }

  void remark(const Remark &m) {
    static constexpr StringLiteral levels[] = {"note", "finding", "warning"};
    static constexpr StringLiteral confidences[] = {"low", "medium", "high"};
    out.object([&] {
      out.attribute("id", text(m.id));
      out.attribute("level", levels[static_cast<size_t>(m.level)]);
      out.attribute("message", text(m.message));
      out.attribute("input", optional(m.rank));
      out.attribute("device", optional(m.device));
      out.attribute("window_ns", optional(m.windowNs));
      out.attribute("cost_ns", optional(m.costNs));
      out.attribute("lower_ns", optional(m.lowerNs));
      out.attribute("upper_ns", optional(m.upperNs));
      out.attribute("advice", text(m.advice));
      out.attribute("confidence", confidences[static_cast<size_t>(m.confidence)]);
      // A list: nothing says that keys differ.
      out.attributeArray("args", [&] {
        for (const auto &[key, value] : m.args)
          out.value(json::Array{text(key), text(value)});
      });
      out.attributeArray("evidence", [&] {
        for (EventRef e : m.evidence)
          out.value(json::Array{static_cast<int64_t>(e.track), static_cast<int64_t>(e.index)});
      });
    });
  }

  json::OStream out;
};

constexpr StringLiteral suffixes[] = {".report.json"};

Error emit(const Trace &trace, const Results &results, raw_ostream &os,
           const EmitOptions &options) {
  Writer(os).document(trace, results, options);
  os << '\n';
  return Error::success();
}
} // namespace

const EmitterInfo reportJsonEmitter = {
    "report-json", "all tables, remarks and statistics as JSON, with units and a schema version",
    suffixes, emit};

} // namespace heddle
