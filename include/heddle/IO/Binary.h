//===- heddle/IO/Binary.h - The .hb binary form -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Writes and reads Heddle binary; docs/TraceFormat.md is its specification. read(write(x)) equals
/// x, and what is written up to the footer depends on the IR alone, not on how it came about.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_BINARY_H
#define HEDDLE_IO_BINARY_H

#include "heddle/IO/Input.h"
#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

/// A step of a device, as a file's footer holds it, so that a reader of one step finds its rows.
struct BinaryStep {
  int64_t device = -1; ///< Its number; -1 if unknown.
  int64_t number = 0;  ///< What `--steps` takes.
  Interval window;     ///< Where the device's figures are taken.
  Interval host;       ///< The host's span that marks it; empty if none does.
};

/// How to write.
struct BinaryWriteOptions {
  /// Finds the steps of a rank; null: there are none.
  std::vector<BinaryStep> (*stepsOf)(const Rank &rank) = nullptr;
};

/// Writes a trace and its results. O(events). Fails where a layout, a document, or a row or remark
/// of a result is too large for a frame, and where a result names a rank or an event that is not
/// there.
llvm::Error writeBinary(const Trace &trace, const Results &results, llvm::raw_ostream &os,
                        const BinaryWriteOptions &options = {});

/// True if the bytes begin a .hb file.
bool looksLikeBinary(llvm::StringRef head);

/// How to read.
struct BinaryReadOptions {
  Limits limits;                ///< What a hostile input may make us do.
  Progress *progress = nullptr; ///< `done` counts bytes.
  Results *results = nullptr;   ///< Takes results; null drops them.
};

/// Reads a whole file and appends its ranks to `out`, each of which satisfies the verifier. Errors
/// name the offset and the cause; `out` and the results are then unchanged. O(bytes + events).
llvm::Error readBinary(Input &input, Trace &out, const BinaryReadOptions &options);

/// What a file's footer says of a rank.
struct BinaryRankInfo {
  std::optional<int64_t> number; ///< Rank in the job.
  std::optional<int64_t> cycle;  ///< Which recording of its rank it is.
  std::optional<Interval> time;  ///< Of its events; none if it has none.
  uint64_t events = 0;           ///< On tracks.
  std::vector<BinaryStep> steps; ///< Of its devices, each device's in order.
};

/// The time of a rank that is needed.
struct BinaryTime {
  Interval host;   ///< Of events on all tracks but streams.
  Interval device; ///< Of events on streams.
};

/// A part of a file.
struct BinaryPart {
  uint32_t rank = 0; ///< Index in BinaryFile::ranks().
  /// Events that overlap it, and what hangs on them; else all.
  std::optional<BinaryTime> time;
};

/// A file of which parts are read: what its footer says, and then the frames that a part needs.
/// Not thread-safe.
class BinaryFile {
public:
  /// Opens a file that can be sought in. Null, without an error, if it is none or no .hb.
  static llvm::Expected<std::unique_ptr<BinaryFile>> open(llvm::StringRef path,
                                                          const Limits &limits);
  virtual ~BinaryFile();

  /// In the order of the file.
  virtual llvm::ArrayRef<BinaryRankInfo> ranks() const = 0;
  /// Appends the parts to `out`, a rank each. A rank of which a time was asked for is marked as
  /// partial, and edges to events outside are left out and counted as a note, `outside-edge`; loose
  /// rows are left out of it. Results are not read.
  virtual llvm::Error read(llvm::ArrayRef<BinaryPart> parts, Trace &out) = 0;
  /// Appends all ranks to `out` with their events put aside, in these sources by rank; and what
  /// passes published, if `results` is given. Whether that points at events that are there is not
  /// looked at: `verify` does.
  virtual llvm::Error readHeads(llvm::ArrayRef<std::shared_ptr<const RankSource>> sources,
                                Trace &out, Results *results) = 0;
  /// Of the parts that `read` appended last: events whose launch is outside.
  virtual llvm::ArrayRef<std::vector<EventRef>> launchedOutside() const = 0;
  virtual uint64_t bytes() const = 0;     ///< Size of the file.
  virtual uint64_t bytesRead() const = 0; ///< Of them, so far.
};

/// What `recoverBinary` found.
struct BinaryRecovery {
  uint64_t frames = 0;       ///< Whole ones.
  uint64_t chunks = 0;       ///< Of them, with rows.
  uint64_t lostBytes = 0;    ///< That belong to no whole frame.
  uint64_t lostAt = 0;       ///< Where the first of them is.
  uint64_t unusable = 0;     ///< Whole frames that need one that is lost.
  uint64_t lostTexts = 0;    ///< Strings that rows name and no whole frame has.
  uint64_t lostEdges = 0;    ///< That lead from or to a lost event.
  bool hasFooter = false;    ///< It was whole: so are clocks and the places of ranks.
  uint64_t results = 0;      ///< That passes published, and that came back.
  uint64_t cutResults = 0;   ///< Of them, without pieces that are lost.
  uint64_t lostResults = 0;  ///< Results and remarks about ranks that are lost.
  uint64_t lostEvidence = 0; ///< Remarks whose events cannot be told any more.
};

/// Reads what is whole of a damaged file and appends its ranks to `out`, marked as partial if
/// anything is lost, and its results to `results`, marked as stale and without evidence if they are
/// about a rank of which something is or may be lost. An error if no rank has a whole head.
llvm::Expected<BinaryRecovery> recoverBinary(llvm::StringRef bytes, llvm::StringRef name,
                                             Trace &out, Results &results, const Limits &limits);

} // namespace heddle

#endif
