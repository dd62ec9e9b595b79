//===- BinaryFooter.cpp - What head and footer say, and whether it is so --===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryFooter.h"
#include "BinaryRankReader.h"
#include "heddle/Frame/Frame.h"

using namespace llvm;

namespace heddle::binary {

static Error damaged(const Twine &cause) { return inputError("hb-damaged", cause); }

Error checkHead(const hb::Head &head) {
  if (head.version() != kVersion)
    return inputError("hb-version", "the file has version " + Twine(head.version()) +
                                        " of the format; this Heddle reads version " +
                                        Twine(kVersion));
  if (head.must_understand())
    return inputError("hb-version", "the file needs features of a later version");
  return Error::success();
}

template <typename T> static uint32_t sizeOf(const T *list) { return list ? list->size() : 0; }

/// Walks over the frames of a rank in the order of the file: heads and chunks are one list, which
/// strings stand between.
static Error checkLists(const hb::RankEntry &entry, uint64_t fileBytes) {
  uint32_t heads = 0, strings = 0, chunks = 0;
  uint64_t end = 0; // of the frame before
  auto phase = static_cast<uint16_t>(frame::Type::Rank);
  if (sizeOf(entry.heads()) == 0)
    return damaged("the footer lists a rank without a head");
  for (;;) {
    const hb::FrameEntry *block = nullptr, *other = nullptr;
    auto type = static_cast<uint16_t>(frame::Type::Rank);
    uint32_t *next = &heads;
    if (strings != sizeOf(entry.strings()))
      block = &entry.strings()->Get(strings)->frame();
    if (heads != entry.heads()->size()) {
      other = entry.heads()->Get(heads);
    } else if (chunks != sizeOf(entry.chunks())) {
      other = &entry.chunks()->Get(chunks)->frame();
      type = entry.chunks()->Get(chunks)->type();
      next = &chunks;
      if (type < static_cast<uint16_t>(frame::Type::Events) ||
          type > static_cast<uint16_t>(frame::Type::Edges))
        return damaged("the footer lists a chunk of type " + Twine(type));
    }
    if (!block && !other)
      return Error::success();
    bool isBlock = block && (!other || block->offset() < other->offset());
    const hb::FrameEntry &f = isBlock ? *block : *other;
    ++*(isBlock ? &strings : next);
    if (f.offset() > fileBytes || f.bytes() > fileBytes - f.offset())
      return damaged("the footer lists a frame at byte " + Twine(f.offset()) +
                     ", which lies behind the end of the file");
    if (f.offset() < end || f.offset() % frame::kAlignment || f.bytes() < frame::kHeaderBytes)
      return damaged("the footer lists the frame at byte " + Twine(f.offset()) +
                     " twice, or out of order, or within another");
    end = f.offset() + f.bytes();
    if (isBlock ? phase == static_cast<uint16_t>(frame::Type::Edges) : type < phase)
      return damaged("the frame at byte " + Twine(f.offset()) +
                     " stands behind frames of its rank that must come later");
    phase = isBlock ? phase : type;
  }
}

Error checkLists(const hb::Footer &footer, uint64_t fileBytes) {
  uint64_t room = fileBytes / frame::kHeaderBytes;
  for (uint32_t i = 0; i != sizeOf(footer.ranks()); ++i) {
    const hb::RankEntry &entry = *footer.ranks()->Get(i);
    // Ranks may share a list.
    uint64_t frames =
        uint64_t{sizeOf(entry.heads())} + sizeOf(entry.strings()) + sizeOf(entry.chunks());
    if (frames > room)
      return damaged("the footer lists more frames than the file has room for");
    room -= frames;
    if (Error e = checkLists(entry, fileBytes))
      return e;
  }
  return Error::success();
}

Error readClocks(const hb::Footer &footer, Trace &to) {
  for (uint32_t i = 0; i != sizeOf(footer.clocks()); ++i) {
    const hb::Clock &c = *footer.clocks()->Get(i);
    if (c.has_error() > 1)
      return damaged("clock " + Twine(i) + " has an error of an unknown form");
    to.clocks.push_back({c.reference(), c.offset(), c.drift(),
                         c.has_error() ? std::optional<int64_t>(c.error()) : std::nullopt});
  }
  return Error::success();
}

std::optional<Placement> readPlacement(const hb::RankEntry &entry) {
  if (const hb::Placement *p = entry.placement())
    return Placement{p->clock(), p->ids(), p->origin(), p->assumed(), p->stated()};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What it says of frames
//===----------------------------------------------------------------------===//

void RankReader::state(const hb::RankEntry &entry, bool isCanonical) {
  stated = &entry;
  canonical = isCanonical;
}

void RankReader::stateAll() {
  for (uint32_t i = 0; i != sizeOf(stated->strings()); ++i)
    state(*stated->strings()->Get(i));
  for (uint32_t i = 0; i != sizeOf(stated->chunks()); ++i)
    state(*stated->chunks()->Get(i));
}

static std::string numberText(const std::optional<int64_t> &n) {
  return n ? std::to_string(*n) : "none";
}

Error RankReader::compareNumbers() const {
  for (auto [what, mine, theirs] : {std::tuple("number", rank.number, stated->number()),
                                    std::tuple("cycle", rank.cycle, stated->cycle())})
    if (mine != theirs)
      return damaged("the footer states " + numberText(theirs) + " as the " + what +
                     " of a rank, whose head states " + numberText(mine));
  return Error::success();
}

/// Whether two ranges of times agree; of a part in which times of rows are missing, whether those
/// that are there lie within.
static bool agrees(const Extent &e, bool complete, int64_t begin, int64_t end) {
  if (!complete)
    return e.begin > e.end || (begin <= e.begin && e.end <= end);
  return begin == e.begin && end == e.end;
}

Error RankReader::compare() const {
  if (blocksStated.size() != blocks.size() || chunksStated.size() != chunks.size())
    return damaged("the footer does not list what the file holds");
  for (size_t i = 0; i != blocks.size(); ++i) {
    const hb::StringsEntry &s = *blocksStated[i];
    if (s.first() != blocks[i].first || s.count() != blocks[i].second)
      return damaged("the footer states " + Twine(s.count()) + " strings from " + Twine(s.first()) +
                     " on of the frame at byte " + Twine(s.frame().offset()) + ", which has " +
                     Twine(blocks[i].second) + " from " + Twine(blocks[i].first) + " on");
  }
  for (size_t i = 0; i != chunks.size(); ++i) {
    const hb::ChunkEntry &s = *chunksStated[i];
    const Chunk &c = chunks[i];
    const Extent &e = c.extent;
    std::string of = " of the frame at byte " + std::to_string(s.frame().offset());
    if (s.rows() != e.rows)
      return damaged("the footer states " + Twine(s.rows()) + " rows" + of + ", which has " +
                     Twine(e.rows));
    if (s.first_track() != e.firstTrack || s.last_track() != e.lastTrack)
      return damaged("the footer states tracks " + Twine(s.first_track()) + " to " +
                     Twine(s.last_track()) + of + ", whose rows are of tracks " +
                     Twine(e.firstTrack) + " to " + Twine(e.lastTrack));
    for (auto [who, begin, end] : {std::tuple("footer", s.min_time(), s.max_time()),
                                   std::tuple("frame itself", c.statedBegin.value_or(s.min_time()),
                                              c.statedEnd.value_or(s.max_time()))})
      if (!agrees(e, c.complete, begin, end))
        return damaged(Twine("the ") + who + " states times from " + Twine(begin) + " to " +
                       Twine(end) + of + ", whose rows have times from " + Twine(e.begin) + " to " +
                       Twine(e.end));
  }
  return Error::success();
}

} // namespace heddle::binary
