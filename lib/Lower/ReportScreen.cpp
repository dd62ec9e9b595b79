//===- ReportScreen.cpp - The first screen of the report ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace heddle::report {

namespace {
/// Further inputs have a line in the overview only.
constexpr size_t kFullInputs = 8;
/// Side by side from this width on.
constexpr unsigned kTwoColumns = 96;

TimeScale scaleOf(const Rows &window) {
  int64_t length = window.number(0, "window_ns");
  return timeScale(length, window.number(0, "quantum_ns") >= 1000 && length < 2'000'000);
}

std::string upper(StringRef s) { return s.upper(); }

/// The columns of the window as shown; the same helper as in `summary`, so the same figures.
struct WindowFigures {
  TimeScale scale;
  int64_t windowSteps = 0;
  std::vector<int64_t> parts;
  Shown bar;
  int64_t idleSteps = 0, idleTenths = 0;

  WindowFigures(const Rows &window, const Rows &barRows) {
    int64_t length = window.number(0, "window_ns");
    scale = scaleOf(window);
    windowSteps = scale.steps(length);
    parts = barRows.column("ns");
    bar = closeWindow(parts, scale);
    for (size_t i = 0; i != barRows.size(); ++i)
      if (barRows.text(i, "part") == "idle") {
        idleSteps = bar.steps[i];
        idleTenths = bar.tenths[i];
      }
  }
};

void printBar(Page &page, const Rows &rows, const WindowFigures &f, const std::string &lead) {
  static constexpr StringLiteral ascii[] = {"#", "=", "-", "."};
  static constexpr StringLiteral blocks[] = {"\u2588", "\u2593", "\u2592", "\u00b7"};
  static constexpr Style styles[] = {Style::Green, Style::Yellow, Style::Blue, Style::Dim};
  ArrayRef<StringLiteral> glyphs = page.unicode() ? ArrayRef(blocks) : ArrayRef(ascii);
  unsigned cells = page.width() - textWidth(lead);
  std::vector<int64_t> lengths = apportion(f.parts, cells);
  std::string bar;
  // Codes take no room: the legend is laid out by its plain widths.
  unsigned indent = textWidth(lead), used = indent;
  std::vector<std::string> legend{std::string(indent, ' ')};
  for (size_t i = 0; i != rows.size(); ++i) {
    size_t kind = std::min<size_t>(i, glyphs.size() - 1);
    std::string part;
    for (int64_t n = 0; n < lengths[i]; ++n)
      part += glyphs[kind];
    bar += page.styled(part, styles[kind]);
    // Communication and copies are named where there are any.
    if (!f.parts[i] && !rows.integer(i, "hidden_ns").value_or(0) && i != 0 && i + 1 != rows.size())
      continue;
    std::string text = " " + page.safe(rows.text(i, "label")) + " " + percentText(f.bar.tenths[i]);
    // What stays hidden says whether the exposed part could.
    if (auto hidden = rows.integer(i, "hidden_ns"); hidden && f.parts[i] + *hidden > 0) {
      int64_t tenths = tenthsOf(*hidden, f.parts[i] + *hidden).value_or(0);
      text += *hidden == 0 ? " (none hidden)" : " (" + percentText(tenths) + " of it hidden)";
    }
    unsigned width = 1 + textWidth(text);
    if (used != indent && used + 4 + width > page.width()) {
      legend.push_back(std::string(indent, ' '));
      used = indent;
    } else if (used != indent) {
      legend.back() += "    ";
      used += 4;
    }
    legend.back() += page.styled(glyphs[kind], styles[kind]) + text;
    used += width;
  }
  page.line(page.styled(lead, Style::Bold) + bar);
  for (const std::string &l : legend)
    page.line(l);
}

/// One row of a block of figures: label, calls, time, share.
struct FigureRow {
  std::string label, calls;
  int64_t steps = 0, tenths = 0;
};

/// Rows under a title, laid out in columns.
struct Block {
  std::string title;
  std::vector<FigureRow> rows;
  TimeScale scale;
  unsigned label = 0, calls = 0, time = 0; ///< Widths.

  Block() = default;
  Block(std::string heading, std::vector<FigureRow> figures, const TimeScale &timeScale)
      : title(std::move(heading)), rows(std::move(figures)), scale(timeScale) {
    for (const FigureRow &r : rows) {
      label = std::max(label, textWidth(r.label));
      calls = std::max(calls, textWidth(r.calls));
      time = std::max(time, textWidth(scale.text(r.steps)));
    }
  }
  unsigned fixed() const { return 2 + (calls ? calls + 2 : 0) + 2 + time + 9; }
  unsigned width() const { return std::max(textWidth(title), label + fixed()); }
  /// Cuts labels so that rows are at most `room` wide.
  void narrowTo(unsigned room) {
    if (label + fixed() > room)
      label = std::max(8u, room > fixed() ? room - fixed() : 0);
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> out{title};
    for (const FigureRow &r : rows) {
      std::string line = "  " + padRight(fitText(r.label, label), label);
      if (calls)
        line += "  " + padLeft(r.calls, calls);
      out.push_back(line + "  " + padLeft(scale.text(r.steps), time) +
                    padLeft(percentText(r.tenths), 9));
    }
    return out;
  }
};

/// Most time first; rows of no time last, in the table's order.
std::vector<size_t> bySize(const std::vector<int64_t> &ns) {
  std::vector<size_t> order(ns.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](size_t a, size_t b) { return ns[a] > ns[b]; });
  return order;
}

Block idleBlock(Page &page, const Rows &rows, const WindowFigures &f) {
  std::vector<int64_t> ns = rows.column("ns");
  // The same groups as in `summary`, less those of no time, which take no part in rounding.
  std::vector<unsigned> groups;
  for (int64_t g : rows.column("group"))
    groups.push_back(static_cast<unsigned>(std::clamp<int64_t>(g, 0, 1000)));
  Shown shown = closeGroups(ns, groups, f.idleSteps, f.idleTenths);
  std::vector<FigureRow> figures;
  for (size_t i : bySize(ns))
    figures.push_back({page.safe(rows.text(i, "label")), "", shown.steps[i], shown.tenths[i]});
  return {"Idle " + f.scale.text(f.idleSteps) + " by cause, % of window", std::move(figures),
          f.scale};
}

Block kindBlock(Page &page, const Rows &rows, const WindowFigures &f, size_t room) {
  std::vector<int64_t> ns = rows.column("ns");
  std::vector<size_t> order = bySize(ns);
  size_t full = order.size() > room ? room - 1 : order.size();
  std::vector<FigureRow> figures;
  std::vector<int64_t> shownNs; // the last row holds all further kinds: summed, then rounded
  int64_t otherCalls = 0, other = 0;
  for (size_t n = 0; n != order.size(); ++n) {
    size_t i = order[n];
    if (n < full) {
      figures.push_back(
          {page.safe(rows.text(i, "kind")), countText(rows.number(i, "calls")) + " x", 0, 0});
      shownNs.push_back(ns[i]);
      continue;
    }
    otherCalls += rows.number(i, "calls");
    other += ns[i];
  }
  if (full < order.size()) {
    figures.push_back({plural(static_cast<int64_t>(order.size() - full), "more kind"),
                       countText(otherCalls) + " x", 0, 0});
    shownNs.push_back(other);
  }
  int64_t sum = std::accumulate(ns.begin(), ns.end(), int64_t{0});
  int64_t sumSteps = f.scale.steps(sum);
  Shown shown = closeColumns(shownNs, sumSteps, sum > 0 ? 1000 : 0);
  for (size_t n = 0; n != figures.size(); ++n) {
    figures[n].steps = shown.steps[n];
    figures[n].tenths = shown.tenths[n];
  }
  return {"Activities " + f.scale.text(sumSteps) + " by kind, % of their sum", std::move(figures),
          f.scale};
}

void printBlocks(Page &page, const Results &results, int64_t input, int64_t device,
                 const WindowFigures &f) {
  Rows idle(results, "summary-idle", input, device),
      kinds(results, "summary-activities", input, device);
  Block left, right;
  if (!idle.empty())
    left = idleBlock(page, idle, f);
  if (!kinds.empty())
    right = kindBlock(page, kinds, f, std::max<size_t>(6, left.rows.size()));
  page.line();
  constexpr unsigned gap = 5;
  if (!left.rows.empty() && !right.rows.empty() && page.width() >= kTwoColumns) {
    right.narrowTo(page.width() > left.width() + gap ? page.width() - left.width() - gap : 0);
    left.narrowTo(page.width() > right.width() + gap ? page.width() - right.width() - gap : 0);
    if (left.width() + gap + right.width() <= page.width()) {
      std::vector<std::string> a = left.lines(), b = right.lines();
      for (size_t i = 0; i != std::max(a.size(), b.size()); ++i)
        page.line(padRight(i < a.size() ? a[i] : "", left.width() + gap) +
                  (i < b.size() ? b[i] : ""));
      return;
    }
  }
  bool first = true;
  for (Block *block : {&left, &right}) {
    if (block->rows.empty())
      continue;
    if (!first)
      page.line();
    first = false;
    block->narrowTo(page.width());
    for (const std::string &l : block->lines())
      page.line(l);
  }
}

void printFindings(Page &page, const Results &results, int64_t input, int64_t device) {
  Rows rows(results, "summary-findings", input, device);
  page.heading(rows.empty() ? "Findings   none that costs enough"
                            : "Findings, by cost in this window");
  unsigned idWidth = 0, costWidth = 0;
  for (size_t i = 0; i != rows.size(); ++i) {
    idWidth = std::max(idWidth, textWidth(page.safe(rows.text(i, "id"))));
    costWidth = std::max(costWidth, textWidth(page.safe(rows.text(i, "cost"))));
  }
  for (size_t i = 0; i != rows.size(); ++i) {
    std::string lead = padLeft(itostr(static_cast<int64_t>(i) + 1), 2) + "  " +
                       padRight(page.safe(rows.text(i, "id")), idWidth) + "  " +
                       padLeft(page.safe(rows.text(i, "cost")), costWidth) + "  " +
                       padLeft(page.safe(rows.text(i, "share")), 7) + "   ";
    std::string text = page.safe(rows.text(i, "message"));
    for (size_t j = 0; j != rows.size(); ++j)
      if (!rows.text(i, "inside").empty() && rows.text(j, "id") == rows.text(i, "inside"))
        text = "inside " + itostr(static_cast<int64_t>(j) + 1) + ": " + text;
    page.wrapped(lead, text, Style::Bold);
    if (!rows.text(i, "why").empty())
      page.wrapped("      why    ", page.safe(rows.text(i, "why")));
    if (!rows.text(i, "advice").empty())
      page.wrapped("      try    ", page.safe(rows.text(i, "advice")));
    if (!rows.text(i, "bound").empty())
      page.wrapped("      bound  ", page.safe(rows.text(i, "bound")));
  }
  Rows checked(results, "summary-checked", input, device);
  std::string seen, unseen;
  for (size_t i = 0; i != checked.size(); ++i) {
    std::string &text = checked.integer(i, "seen") == 0 ? unseen : seen;
    text += (text.empty() ? "" : ", ") + page.safe(checked.text(i, "message"));
  }
  if (!seen.empty())
    page.wrapped(" ", "checked, nothing found: " + seen);
  if (!unseen.empty())
    page.wrapped(" ", "-- not to be seen in this recording: " + unseen);
}

/// Host time by name, where there is no device. In a trace of another tool lanes may be anything.
void printHost(Page &page, const Results &results, int64_t input, bool known) {
  Rows rows(results, "summary-host", input);
  if (rows.empty())
    return;
  std::vector<int64_t> ns = rows.column("self_ns");
  int64_t sum = std::accumulate(ns.begin(), ns.end(), int64_t{0});
  TimeScale scale = timeScale(sum, false);
  int64_t sumSteps = scale.steps(sum);
  Shown shown = closeColumns(ns, sumSteps, sum > 0 ? 1000 : 0);
  std::vector<FigureRow> figures;
  for (size_t i = 0; i != rows.size(); ++i)
    figures.push_back({page.safe(rows.text(i, "name")), countText(rows.number(i, "spans")) + " x",
                       shown.steps[i], shown.tenths[i]});
  page.line();
  Block block((known ? "Host " : "All lanes ") + scale.text(sumSteps) +
                  " inside spans, by self time, % of it",
              std::move(figures), scale);
  block.narrowTo(page.width());
  for (const std::string &l : block.lines())
    page.line(l);
}

void printVerdict(Page &page, const Rows &verdict) {
  for (size_t i = 0; i != verdict.size(); ++i) {
    StringRef id = verdict.text(i, "verdict");
    page.line();
    page.wrapped(upper(page.safe(id)) + "   ", page.safe(verdict.text(i, "message")),
                 id == "gpu-bound" ? Style::Green : Style::Red);
  }
}
} // namespace

void printDevice(Page &page, const Results &results, int64_t input, std::optional<int64_t> device) {
  Rows verdict(results, "summary-verdict", input, device);
  Rows window(results, "summary-window", input, device);
  if (!device || window.empty()) {
    printVerdict(page, verdict);
    printHost(page, results, input, verdict.empty() || verdict.text(0, "verdict") != "empty");
    return;
  }
  page.wrapped("window   ", page.safe(window.text(0, "message")));
  printVerdict(page, verdict);
  Rows bar(results, "summary-bar", input, device);
  WindowFigures figures(window, bar);
  printBar(page, bar, figures, "GPU " + itostr(*device) + "   ");
}

/// What stands below "can you believe it" about a device.
static void printDetails(Page &page, const Results &results, int64_t input, int64_t device,
                         bool named) {
  Rows window(results, "summary-window", input, device), bar(results, "summary-bar", input, device);
  if (window.empty())
    return;
  if (named)
    page.heading("GPU " + itostr(device));
  printBlocks(page, results, input, device, WindowFigures(window, bar));
  Rows launches(results, "summary-launches", input, device);
  for (size_t i = 0; i != launches.size(); ++i)
    page.wrapped("", page.safe(launches.text(i, "message")));
  printFindings(page, results, input, device);
}

/// One line an input: what tells inputs apart at a glance.
static void printOverview(Page &page, const Results &results, const Rows &inputs) {
  int64_t ranks = 0; // further cycles of a rank are none
  for (size_t i = 0; i != inputs.size(); ++i)
    ranks += inputs.integer(i, "cycle").value_or(1) <= 1;
  std::string given = plural(static_cast<int64_t>(inputs.size()), "input");
  if (ranks != static_cast<int64_t>(inputs.size()))
    given += " of " + plural(ranks, "rank");
  page.heading(given + ", % of each window");
  std::vector<std::array<std::string, 9>> lines;
  std::array<unsigned, 9> widths{};
  auto add = [&](std::array<std::string, 9> line) {
    for (size_t i = 0; i != line.size(); ++i)
      widths[i] = std::max(widths[i], textWidth(line[i]));
    lines.push_back(std::move(line));
  };
  add({"rank", "GPU", "verdict", "step", "window", "compute", "comm", "copies", "idle"});
  std::vector<std::string> files{"file"};
  for (size_t i = 0; i != inputs.size(); ++i) {
    int64_t input = inputs.number(i, "input");
    std::string rank = itostr(inputs.number(i, "rank")), file = page.safe(inputs.text(i, "file"));
    if (auto cycle = inputs.integer(i, "cycle"))
      rank += " cycle " + itostr(*cycle);
    Rows verdicts(results, "summary-verdict", input);
    for (size_t v = 0; v != verdicts.size(); ++v) {
      files.push_back(file);
      auto device = verdicts.integer(v, "device");
      std::string id = page.safe(verdicts.text(v, "verdict"));
      Rows window(results, "summary-window", input, device);
      if (!device || window.empty()) {
        add({rank, "--", id, "--", "--", "--", "--", "--", "--"});
        continue;
      }
      Rows bar(results, "summary-bar", input, device);
      WindowFigures f(window, bar);
      std::array<std::string, 9> line{rank, itostr(*device), id, page.safe(window.text(0, "step")),
                                      f.scale.text(f.windowSteps)};
      for (size_t p = 0; p != 4; ++p)
        line[5 + p] = p < f.bar.tenths.size() ? percentText(f.bar.tenths[p]) : "--";
      add(std::move(line));
    }
  }
  for (size_t n = 0; n != lines.size(); ++n) {
    std::string text = "  ";
    for (size_t i = 0; i != widths.size(); ++i) {
      // A narrow page has no room for what is small most of the time.
      if (page.width() < 80 && (i == 6 || i == 7))
        continue;
      text +=
          (i == 2 || i == 3 ? padRight(lines[n][i], widths[i]) : padLeft(lines[n][i], widths[i])) +
          "  ";
    }
    unsigned used = textWidth(text);
    if (page.width() > used + 8)
      text += fitText(files[n], page.width() - used, /*cutFront=*/true);
    page.line(n ? text : page.styled(text, Style::Dim));
  }
}

/// The file's name and what it is: on one line where that fits.
static void printInput(Page &page, StringRef file, StringRef message) {
  std::string name = page.safe(file), text = page.safe(message);
  if (textWidth(name) > page.width() / 2)
    name = fitText(page.safe(sys::path::filename(file)), page.width(), /*cutFront=*/true);
  unsigned indent = textWidth(name) + 3;
  if (indent + textWidth(text) <= page.width() || indent <= 30) {
    page.wrapped(name + "   ", text, Style::Bold);
    return;
  }
  page.line(page.styled(name, Style::Bold));
  page.wrapped("         ", text);
}

bool printScreen(Page &page, const Results &results) {
  Rows inputs(results, "summary-input");
  if (inputs.empty())
    return false;
  bool several = inputs.size() > 1;
  Health health(results, inputs.size());
  if (several) {
    printOverview(page, results, inputs);
    health.printShared(page);
    page.line();
  }
  Rows notes(results, "summary-notes");
  for (size_t i = 0; i != notes.size(); ++i)
    page.wrapped(" note  ", page.safe(notes.text(i, "message")), Style::Dim);
  for (size_t i = 0; i != inputs.size() && i != kFullInputs; ++i) {
    int64_t input = inputs.number(i, "input");
    if (several) {
      page.line();
      page.line(std::string(page.width(), '-'));
    }
    printInput(page, inputs.text(i, "file"), inputs.text(i, "message"));
    Rows verdicts(results, "summary-verdict", input);
    for (size_t v = 0; v != verdicts.size(); ++v)
      printDevice(page, results, input, verdicts.integer(v, "device"));
    health.print(page, input);
    for (size_t v = 0; v != verdicts.size(); ++v)
      if (auto device = verdicts.integer(v, "device"))
        printDetails(page, results, input, *device, verdicts.size() > 1);
  }
  if (inputs.size() > kFullInputs) {
    page.line();
    page.line(plural(static_cast<int64_t>(inputs.size() - kFullInputs), "more input") +
              " in the overview only");
  }
  return true;
}

} // namespace heddle::report
