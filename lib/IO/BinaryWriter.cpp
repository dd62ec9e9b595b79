//===- BinaryWriter.cpp - Writes .hb --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryRankWriter.h"
#include "BinaryResults.h"
#include "head_generated.h"
#include "heddle/IO/Binary.h"
#include "heddle/IR/Verifier.h"

using namespace llvm;
using namespace heddle::binary;

namespace heddle {

static Error writeHead(Out &out) {
  flatbuffers::FlatBufferBuilder message;
  auto root = hb::CreateHead(message, kVersion);
  auto placed = out.put(frame::Type::Head, message, root, "the head");
  return placed ? Error::success() : placed.takeError();
}

static flatbuffers::Offset<hb::RankEntry> rankEntry(flatbuffers::FlatBufferBuilder &message,
                                                    const Rank &rank, const RankIndex &index,
                                                    ArrayRef<BinaryStep> from) {
  std::vector<hb::Step> steps;
  for (const BinaryStep &s : from)
    steps.emplace_back(s.device, s.number, s.window.begin.ns, s.window.end.ns, s.host.begin.ns,
                       s.host.end.ns);
  auto heads = message.CreateVectorOfStructs(index.heads);
  auto strings = message.CreateVectorOfStructs(index.strings);
  auto chunks = message.CreateVectorOfStructs(index.chunks);
  auto stepList = message.CreateVectorOfStructs(steps);
  flatbuffers::Offset<hb::Placement> placement;
  if (const std::optional<Placement> &p = rank.placement) {
    hb::PlacementBuilder b(message);
    b.add_origin(p->origin);
    if (p->stated)
      b.add_stated(*p->stated);
    b.add_clock(p->clock);
    b.add_ids(p->ids);
    b.add_assumed(p->assumed);
    placement = b.Finish();
  }
  hb::RankEntryBuilder b(message);
  if (rank.number)
    b.add_number(*rank.number);
  if (rank.cycle)
    b.add_cycle(*rank.cycle);
  b.add_heads(heads);
  b.add_strings(strings);
  b.add_chunks(chunks);
  b.add_steps(stepList);
  b.add_placement(placement);
  return b.Finish();
}

/// The last frame: a reader that may seek finds the footer through it.
static Error writeEnd(Out &out, uint64_t footer) {
  uint8_t message[sizeof footer];
  for (size_t i = 0; i != sizeof footer; ++i)
    message[i] = static_cast<uint8_t>(footer >> (8 * i));
  auto placed = out.put(frame::Type::End, message, "the end");
  return placed ? Error::success() : placed.takeError();
}

Error writeBinary(const Trace &trace, const Results &results, raw_ostream &os,
                  const BinaryWriteOptions &options) {
  if (Error e = verify(trace, results))
    return e;
  Out out(os);
  if (Error e = writeHead(out))
    return e;
  flatbuffers::FlatBufferBuilder footer;
  std::vector<flatbuffers::Offset<hb::RankEntry>> entries;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    Expected<RankIndex> index = RankWriter(*trace.ranks[i], static_cast<uint32_t>(i), out).write();
    if (!index)
      return index.takeError();
    ArrayRef<BinaryStep> steps;
    if (i < options.steps.size())
      steps = options.steps[i];
    entries.push_back(rankEntry(footer, *trace.ranks[i], *index, steps));
  }
  auto list = footer.CreateVector(entries);
  std::vector<hb::Clock> clocks;
  for (const ClockDomain &c : trace.clocks)
    clocks.emplace_back(c.reference, c.offset, c.drift, c.error.value_or(0), c.error.has_value());
  flatbuffers::Offset<flatbuffers::Vector<const hb::Clock *>> clockList;
  if (!clocks.empty())
    clockList = footer.CreateVectorOfStructs(clocks);
  auto root = hb::CreateFooter(footer, /*canonical=*/true, list, clockList);
  auto placed = out.put(frame::Type::Footer, footer, root, "the footer");
  if (!placed)
    return placed.takeError();
  if (Error e = writeResults(results, out))
    return e;
  if (Error e = writeProvenance(trace, out))
    return e;
  return writeEnd(out, placed->offset);
}

} // namespace heddle
