//===- BinaryRecovery.cpp - What is whole of a damaged .hb ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryFooter.h"
#include "BinaryFrame.h"
#include "BinaryRankReader.h"
#include "heddle/IO/Binary.h"
#include "heddle/IR/Verifier.h"

using namespace llvm;
using namespace heddle::binary;

namespace heddle {
namespace {

class Recovery {
public:
  Recovery(StringRef bytes, StringRef name, const Limits &limits)
      : bytes(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()), name(name),
        limits(limits), budget(limits) {
    budget.stored(bytes.size());
  }

  Expected<BinaryRecovery> run(Trace &out) {
    for (uint64_t at = 0; at < bytes.size();) {
      uint64_t size = frameAt(at);
      if (size == 0) { // frames begin at multiples of 16
        uint64_t next = std::min<uint64_t>(at + frame::kAlignment, bytes.size());
        if (found.lostBytes == 0)
          found.lostAt = at;
        found.lostBytes += next - at;
        at = next;
        if (hashed / 16 > bytes.size() + frame::kMaxBytes)
          return inputError("limit-exceeded", "there are too many damaged frames in this file",
                            {name.str(), at, 0, 0, ""});
        continue;
      }
      ++found.frames;
      if (Error e = budget.take(opener.unpackedBytes()))
        return e;
      take();
      at += size;
    }
    return finish(out);
  }

private:
  /// The bytes of the whole frame there, which is then open; 0 if there is none.
  uint64_t frameAt(uint64_t at) {
    std::span<const uint8_t> rest = bytes.subspan(at);
    if (rest.size() < frame::kHeaderBytes ||
        opener.begin(rest.first<frame::kHeaderBytes>()) != nullptr)
      return 0;
    uint64_t size = opener.restBytes();
    rest = rest.subspan(frame::kHeaderBytes);
    if (size > rest.size())
      return 0;
    hashed += size;
    return opener.end(rest.first(size)) ? 0 : size + frame::kHeaderBytes;
  }

  template <typename T> void toRank(Error (RankReader::*take)(const T &), bool hasRows) {
    const T *from = opener.table<T>();
    // A rank whose first frames are lost is found by later ones; how many there are is bounded by
    // the frames.
    std::unique_ptr<RankReader> *reader = from ? &ranks[from->rank()] : nullptr;
    if (reader && !*reader) {
      *reader = std::make_unique<RankReader>(limits, budget, opener.codec);
      (*reader)->selectRest();
    }
    Error e = reader ? ((**reader).*take)(*from) : Error::success();
    bool failed = !reader || e;
    consumeError(std::move(e));
    found.unusable += failed;
    found.chunks += hasRows && !failed;
  }

  /// Takes the open frame.
  void take() {
    switch (static_cast<frame::Type>(opener.header.type)) {
    case frame::Type::Rank:
      return toRank<hb::Rank>(&RankReader::head, false);
    case frame::Type::Strings:
      return toRank<hb::Strings>(&RankReader::strings, false);
    case frame::Type::Events:
      return toRank<hb::Events>(&RankReader::events, true);
    case frame::Type::Flows:
      return toRank<hb::Flows>(&RankReader::flows, true);
    case frame::Type::Loose:
      return toRank<hb::Loose>(&RankReader::loose, true);
    case frame::Type::Edges:
      return toRank<hb::Edges>(&RankReader::edges, true);
    case frame::Type::Footer:
      if (opener.table<hb::Footer>()) {
        footer.assign(opener.message.begin(), opener.message.end());
        found.hasFooter = true;
      }
      return;
    default: // results and the like
      return;
    }
  }

  /// Clocks and places, which the footer alone has.
  Error place(Trace &read, ArrayRef<uint32_t> ordinals) {
    const auto *from = flatbuffers::GetRoot<hb::Footer>(footer.data());
    for (size_t i = 0; i != ordinals.size(); ++i)
      if (from->ranks() && ordinals[i] < from->ranks()->size())
        read.ranks[i]->placement = readPlacement(*from->ranks()->Get(ordinals[i]));
    return readClocks(*from, read);
  }

  Expected<BinaryRecovery> finish(Trace &out) {
    Trace read;
    std::vector<uint32_t> ordinals;
    for (auto &[ordinal, reader] : ranks) {
      if (!reader->hasFacts())
        continue;
      Expected<std::unique_ptr<Rank>> rank = reader->finish();
      if (!rank)
        return rank.takeError();
      found.lostTexts += reader->missingTexts();
      found.lostEdges += reader->missingEdges();
      (*rank)->recording.path = name.str();
      read.ranks.push_back(std::move(*rank));
      ordinals.push_back(ordinal);
    }
    if (read.ranks.empty())
      return inputError("hb-damaged", "no rank's head is whole: nothing can be recovered",
                        {name.str(), 0, 0, 0, ""});
    if (found.hasFooter)
      if (Error e = place(read, ordinals))
        return e;
    bool whole = found.hasFooter && !found.lostBytes && !found.unusable && !found.lostTexts;
    for (std::unique_ptr<Rank> &rank : read.ranks)
      rank->recording.partial |= !whole;
    if (Error e = verify(read))
      return e;
    append(out, std::move(read));
    return found;
  }

  std::span<const uint8_t> bytes;
  StringRef name;
  const Limits &limits;
  Budget budget;
  FrameOpener opener;
  std::map<uint32_t, std::unique_ptr<RankReader>> ranks; ///< By ordinal.
  std::vector<uint8_t> footer;
  BinaryRecovery found;
  uint64_t hashed = 0;
};

} // namespace

Expected<BinaryRecovery> recoverBinary(StringRef bytes, StringRef name, Trace &out,
                                       const Limits &limits) {
  return Recovery(bytes, name, limits).run(out);
}

} // namespace heddle
