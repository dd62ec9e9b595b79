//===- Tables.h - Fills the tables that summary publishes -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SUMMARY_TABLES_H
#define HEDDLE_PLUGINS_SUMMARY_TABLES_H

#include "Model.h"

namespace heddle::summary {

/// Gathers rows and publishes all tables at once.
class Tables {
public:
  Tables();
  void input(const Trace &trace, uint32_t input, int64_t label, const RankFacts &facts);
  /// Everything about one device; findings of other passes about it are listed with ours.
  void view(const View &v, const Verdict &verdict, const Results &results);
  /// The verdict on an input without a device to show. `tabled`: gpu-breakdown
  /// has looked; `selected`: a selection may be why.
  void withoutView(uint32_t input, int64_t label, InputKind kind, const RankFacts &facts,
                   bool tabled, bool selected);
  void host(uint32_t input, int64_t label, const HostTotals &totals, size_t top);
  void notes(const Trace &trace, const Results &results);
  void next(const Trace &trace, bool anyDevice);
  void publish(TraceContext &context);

private:
  using Row = std::vector<Cell>;
  void add(llvm::StringRef table, Row row);
  void parts(const View &v);
  void findings(const View &v, const Verdict &verdict, const Results &results);
  std::vector<Table> tables;
};

} // namespace heddle::summary

#endif
