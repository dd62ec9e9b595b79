//===- TableShapes.h - The tables that summary publishes --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Names, columns and units. `input` is the ordinal of the rank in the trace, `rank` its label;
/// they stand first in every table about an input, and `device` follows where there is one.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SUMMARY_TABLESHAPES_H
#define HEDDLE_PLUGINS_SUMMARY_TABLESHAPES_H

#include "heddle/Pass/Pass.h"

namespace heddle::summary {

inline constexpr ColumnInfo inputColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"cycle", Unit::None, false, "which recording of the rank, from 1; null if it is the only one"},
    {"file", Unit::None, true, "as the user named it"},
    {"kind", Unit::None, true, "gpu, gpu-only, cpu-only or empty"},
    {"producer", Unit::None, true, "who wrote the file"},
    {"devices", Unit::None, true, "devices with work"},
    {"platform", Unit::None, true, "CUDA or ROCm version; empty if not stated"},
    {"world", Unit::Count, false, "world size; null if not stated"},
    {"backend", Unit::None, true, "communication backend; empty if not stated"},
    {"events", Unit::Count, false, "elements of traceEvents"},
    {"repaired", Unit::Count, false, "repairs"},
    {"range_ns", Unit::Nanoseconds, false, "from the first to the last event of host and devices"},
    {"message", Unit::None, true, "one line for people"},
};

inline constexpr ColumnInfo windowColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"step", Unit::None, true, "number of the step, or all"},
    {"name", Unit::None, true, "name of the mark; empty without marks"},
    {"source", Unit::None, true, "what marks steps"},
    {"steps", Unit::Count, false, "steps of the device"},
    {"typical", Unit::Count, false, "steps that a median is taken of"},
    {"begin_ns", Unit::Nanoseconds, false, "begin, as in gpu-breakdown"},
    {"end_ns", Unit::Nanoseconds, false, "end, as in gpu-breakdown"},
    {"window_ns", Unit::Nanoseconds, false, "length"},
    {"host_ns", Unit::Nanoseconds, false, "length of the host step; null without marks"},
    {"host_after_ns", Unit::Nanoseconds, false,
     "by how much the host step ends after the window; negative: before"},
    {"median_ns", Unit::Nanoseconds, false, "median length of typical steps"},
    {"min_ns", Unit::Nanoseconds, false, "shortest typical step"},
    {"max_ns", Unit::Nanoseconds, false, "longest typical step"},
    {"quantum_ns", Unit::Nanoseconds, false, "least step of time that is shown"},
    {"message", Unit::None, true, "one line for people"},
};

inline constexpr ColumnInfo verdictColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"verdict", Unit::None, true, "id"},
    {"cost_ns", Unit::Nanoseconds, false, "the part of the window that it names"},
    {"window_ns", Unit::Nanoseconds, false, "the window"},
    {"share_ppm", Unit::Count, false, "cost in millionths of the window"},
    {"message", Unit::None, true, "the numbers that justify it"},
};

inline constexpr ColumnInfo barColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"part", Unit::None, true, "compute, communication, copies, idle"},
    {"label", Unit::None, true, "for people"},
    {"ns", Unit::Nanoseconds, false, "they sum to the window"},
    {"hidden_ns", Unit::Nanoseconds, false,
     "of the same kind, under computation; null if not computed"},
};

inline constexpr ColumnInfo idleColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"cause", Unit::None, true, "as in idle-gaps-causes"},
    {"label", Unit::None, true, "for people"},
    {"group", Unit::None, false, "causes of one group are rounded together"},
    {"gaps", Unit::Count, false, "gaps that have a part of this cause"},
    {"ns", Unit::Nanoseconds, false, "they sum to the idle part of the bar"},
};

inline constexpr ColumnInfo activityColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"kind", Unit::None, true, "kind"},
    {"calls", Unit::Count, false, "activities that begin in the window"},
    {"ns", Unit::Nanoseconds, false, "sum of their durations, clipped to the window"},
};

inline constexpr ColumnInfo launchColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"kernels", Unit::Count, false, "kernels"},
    {"copies", Unit::Count, false, "copies"},
    {"fills", Unit::Count, false, "fills"},
    {"launches", Unit::Count, false, "API calls that own an activity"},
    {"graph_launches", Unit::Count, false, "of these, graph launches"},
    {"median_delay_ns", Unit::Nanoseconds, false,
     "from the end of a launch to the begin of its activity"},
    {"short_kernels", Unit::Count, false, "kernels under 10 us"},
    {"message", Unit::None, true, "one line for people"},
};

inline constexpr ColumnInfo findingColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"id", Unit::None, true, "id"},
    {"cost_ns", Unit::Nanoseconds, false, "time at stake"},
    {"window_ns", Unit::Nanoseconds, false, "the window"},
    {"share_ppm", Unit::Count, false, "cost in millionths of the window"},
    {"lower_ns", Unit::Nanoseconds, false, "at least; null if not known"},
    {"upper_ns", Unit::Nanoseconds, false, "at most; null if not known"},
    {"cost", Unit::None, true,
     "cost as the report shows it, so that it agrees with the columns beside it"},
    {"share", Unit::None, true, "share of the window, likewise"},
    {"inside", Unit::None, true, "the finding whose cost holds this one; else empty"},
    {"message", Unit::None, true, "what was seen"},
    {"why", Unit::None, true, "what explains it; may be empty"},
    {"advice", Unit::None, true, "what to try; may be empty"},
    {"bound", Unit::None, true, "what could be won at most, never a forecast; may be empty"},
};

inline constexpr ColumnInfo checkedColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"device", Unit::None, false, "device; null where there is none"},
    {"id", Unit::None, true, "id of the finding that it would be"},
    {"seen", Unit::None, false, "0: the recording does not tell"},
    {"message", Unit::None, true, "what was seen"},
};

inline constexpr ColumnInfo hostColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"name", Unit::None, true, "name of the span; the last row may be the rest"},
    {"spans", Unit::Count, false, "how many"},
    {"self_ns", Unit::Nanoseconds, false,
     "time for which it is the innermost; sums to the time inside spans"},
    {"total_ns", Unit::Nanoseconds, false, "sum of durations; null for the rest"},
};

inline constexpr ColumnInfo noteColumns[] = {
    {"message", Unit::None, true, "one line for people"},
};

inline constexpr ColumnInfo nextColumns[] = {
    {"command", Unit::None, true, "a command"},
    {"help", Unit::None, true, "what it shows"},
};

inline constexpr TableInfo summaryTables[] = {
    {"summary-input", "What was read", inputColumns},
    {"summary-window", "The window that the report shows", windowColumns},
    {"summary-verdict", "What limits the device", verdictColumns},
    {"summary-bar", "Parts of the window", barColumns},
    {"summary-idle", "Idle time of the window by cause", idleColumns},
    {"summary-activities", "Activities of the window by kind", activityColumns},
    {"summary-launches", "Launches of the window", launchColumns},
    {"summary-findings", "Findings by cost in the window", findingColumns},
    {"summary-checked", "Checked, below the threshold of a finding", checkedColumns},
    {"summary-host", "Host time by name, where no device was recorded", hostColumns},
    {"summary-notes", "What the report does not say", noteColumns},
    {"summary-next", "What to type next", nextColumns},
};

} // namespace heddle::summary

#endif
