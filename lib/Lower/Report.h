//===- Report.h - Parts of the report emitter -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_REPORT_H
#define HEDDLE_LIB_LOWER_REPORT_H

#include "heddle/Lower/Emitter.h"
#include "heddle/Lower/ReportText.h"
#include <map>

namespace heddle::report {

enum class Style : uint8_t { Plain, Bold, Dim, Red, Green, Yellow, Blue, Cyan };

/// Where text goes, how wide it may be, and whether it may be coloured.
class Page {
public:
  Page(llvm::raw_ostream &os, const EmitOptions &options);

  unsigned width() const { return columns; }
  bool unicode() const { return options.unicode; }
  /// A name from a trace or a pass, safe for a terminal.
  std::string safe(llvm::StringRef text) const { return safeName(text, options.unicode); }
  /// Text with the codes of a style around it where colours are on.
  std::string styled(llvm::StringRef text, Style style) const;
  /// One line; `text` is safe, may hold codes, and is not cut.
  void line(llvm::StringRef text = "");
  /// `lead`, then `text` wrapped to the page, with further lines below the text.
  void wrapped(llvm::StringRef lead, llvm::StringRef text, Style leadStyle = Style::Plain);
  /// A heading, with an empty line before it but at the top.
  void heading(llvm::StringRef text);

private:
  llvm::raw_ostream &os;
  const EmitOptions &options;
  unsigned columns;
  bool begun = false;
};

/// The rows of a table of a trace-level pass that are about one input and device. A null cell, and
/// a column that is not there, fits all.
class Rows {
public:
  Rows(const Results &results, llvm::StringRef id, std::optional<int64_t> input = std::nullopt,
       std::optional<int64_t> device = std::nullopt);
  size_t size() const { return indices.size(); }
  bool empty() const { return indices.empty(); }
  llvm::StringRef text(size_t row, llvm::StringRef key) const {
    return table->getText(indices[row], key);
  }
  std::optional<int64_t> integer(size_t row, llvm::StringRef key) const {
    return table->getInt(indices[row], key);
  }
  int64_t number(size_t row, llvm::StringRef key) const { return integer(row, key).value_or(0); }
  /// The numbers of a column; null counts as 0.
  std::vector<int64_t> column(llvm::StringRef key) const;

private:
  const Table *table;
  std::vector<size_t> indices;
};

/// The first screen from the tables of `summary` and `health`. False if there are none.
bool printScreen(Page &page, const Results &results);
/// "Can you believe it": the rows of `health`. Of several inputs, what is alike for all is told
/// once.
class Health {
public:
  Health(const Results &results, size_t inputs);
  void
  printShared(Page &page) const; ///< Several inputs only: the trace's rows and the shared ones.
  void print(Page &page, int64_t input) const;

private:
  Rows rows;
  bool several;
  std::vector<size_t> ofAll;
  std::map<int64_t, std::vector<size_t>> ofInput;
};

/// One device of one input: window, verdict, bar, causes beside kinds, findings.
void printDevice(Page &page, const Results &results, int64_t input, std::optional<int64_t> device);
/// A table as it is, with the units of its columns in its header.
void printTable(Page &page, const Table &table, size_t maxRows = SIZE_MAX);
/// GPU time by user code, from the tables of `symbolize`, with what has no place last. False if it
/// made none.
bool printCode(Page &page, const Results &results);
/// Remarks, abstentions and losses of all passes; with `screen` only what the first screen does not
/// say already.
void printRemarks(Page &page, const Results &results, bool screen);

} // namespace heddle::report

#endif
