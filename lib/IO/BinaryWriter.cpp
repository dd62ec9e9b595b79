//===- BinaryWriter.cpp - Writes .hb --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryWriter.h"
#include "BinaryResults.h"
#include "head_generated.h"
#include "heddle/IR/Verifier.h"

using namespace llvm;
using namespace heddle::binary;

namespace heddle {

static flatbuffers::Offset<hb::RankEntry> rankEntry(flatbuffers::FlatBufferBuilder &message,
                                                    const Rank &rank, const RankIndex &index,
                                                    ArrayRef<BinaryStep> from, bool isPlaced) {
  std::vector<hb::Step> steps;
  for (const BinaryStep &s : from)
    steps.emplace_back(s.device, s.number, s.window.begin.ns, s.window.end.ns, s.host.begin.ns,
                       s.host.end.ns);
  auto heads = message.CreateVectorOfStructs(index.heads);
  auto strings = message.CreateVectorOfStructs(index.strings);
  auto chunks = message.CreateVectorOfStructs(index.chunks);
  auto stepList = message.CreateVectorOfStructs(steps);
  flatbuffers::Offset<hb::Placement> placement;
  if (const std::optional<Placement> &p = rank.placement; p && isPlaced) {
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

namespace binary {

Error FileWriter::begin() {
  flatbuffers::FlatBufferBuilder message;
  auto root = hb::CreateHead(message, kVersion);
  auto placed = out.put(frame::Type::Head, message, root, "the head");
  return placed ? Error::success() : placed.takeError();
}

Error FileWriter::rank(const Rank &rank, ArrayRef<BinaryStep> steps, bool isPlaced) {
  Expected<RankIndex> index = RankWriter(rank, static_cast<uint32_t>(entries.size()), out).write();
  if (!index)
    return index.takeError();
  entries.push_back(rankEntry(footer, rank, *index, steps, isPlaced));
  return Error::success();
}

Error FileWriter::ranksEnd(ArrayRef<ClockDomain> domains) {
  auto list = footer.CreateVector(entries);
  std::vector<hb::Clock> clocks;
  for (const ClockDomain &c : domains)
    clocks.emplace_back(c.reference, c.offset, c.drift, c.error.value_or(0), c.error.has_value());
  flatbuffers::Offset<flatbuffers::Vector<const hb::Clock *>> clockList;
  if (!clocks.empty())
    clockList = footer.CreateVectorOfStructs(clocks);
  auto root = hb::CreateFooter(footer, /*canonical=*/true, list, clockList);
  auto placed = out.put(frame::Type::Footer, footer, root, "the footer");
  if (!placed)
    return placed.takeError();
  footerAt = placed->offset;
  return Error::success();
}

Error FileWriter::end() {
  uint8_t message[sizeof footerAt];
  for (size_t i = 0; i != sizeof footerAt; ++i)
    message[i] = static_cast<uint8_t>(footerAt >> (8 * i));
  auto placed = out.put(frame::Type::End, message, "the end");
  return placed ? Error::success() : placed.takeError();
}

} // namespace binary

Error writeBinary(const Trace &trace, const Results &results, raw_ostream &os,
                  const BinaryWriteOptions &options) {
  if (Error e = verify(trace, results))
    return e;
  Out out(os);
  FileWriter file(out);
  if (Error e = file.begin())
    return e;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    std::vector<BinaryStep> steps;
    if (options.stepsOf)
      steps = options.stepsOf(**rank);
    if (Error e = file.rank(**rank, steps))
      return e;
  }
  if (Error e = file.ranksEnd(trace.clocks))
    return e;
  if (Error e = writeResults(results, out))
    return e;
  if (Error e = writeProvenance(trace, out))
    return e;
  return file.end();
}

} // namespace heddle
