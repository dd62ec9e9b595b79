//===- Eras.h - What the whole file tells -----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Steps that run after the last event was read: the time base, the facts of the document, and
/// links between events. Each works on the columns.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_ERAS_H
#define HEDDLE_LIB_IMPORT_ERAS_H

#include "Sink.h"

namespace heddle::chrome {

/// Finds the time base, the meaning of fractions and the origin, pairs begins and ends, takes
/// durations that no recording can have for empty, and makes all times relative to the origin.
/// Before finish().
void settleTime(Sink &sink);
/// Makes spans of the begins and ends that were read, and instants of those that have no partner.
/// Part of settleTime: times are the file's own.
void pairSpans(Sink &sink);
/// Format, devices, rank number, world size, backend, host, vendor. Before finish().
void settleFacts(Sink &sink);
/// Names of tracks from metadata rows. Before finish().
void nameTracks(Sink &sink);
/// Makes device work and calls of rows that only the names of their processes tell, as Ascend's
/// profilers write them. Before finish(), after the steps above.
void settleLanes(Sink &sink);
/// Brings the events of a file that was written for viewers back to the rows that they came from.
/// Before finish(), after the steps above.
void restoreRows(Sink &sink);
/// All of that for a rank of an export of several, after they were told apart: its facts, rows and
/// times as it had them.
void restoreRank(Sink &sink);
/// An id as a number where it is one: 1.8 writes "25738" and "stream 7" in some rows and 25738 and
/// 7 in others.
SourceId plainId(const SourceId &id, const Rank &rank);
/// The phrase for people, once everything else is known.
std::string producerPhrase(const Sink &sink, const Rank &rank);
/// Counts what is odd but needs no mend: overlaps, numbers beyond int64, long strings. After
/// finish().
void countFacts(Sink &sink);
/// Finds out whether external ids link, binds flow rows to events, and adds the edges from API
/// calls to activities, from forward to backward ops, and of other flows. After finish().
void linkEvents(Sink &sink);

} // namespace heddle::chrome

#endif
