//===- BinaryRecovery.cpp - What is whole of a damaged .hb ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryFooter.h"
#include "BinaryFrame.h"
#include "BinaryRankReader.h"
#include "BinaryResults.h"
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

  Expected<BinaryRecovery> run(Trace &out, Results &published) {
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
    return finish(out, published);
  }

private:
  /// A rank of which there are frames.
  struct Found {
    std::unique_ptr<RankReader> reader;
    uint64_t frames = 0; ///< That it took.
  };

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
    Found *rank = from ? &ranks[from->rank()] : nullptr;
    if (rank && !rank->reader) {
      rank->reader = std::make_unique<RankReader>(limits, budget, opener.codec);
      rank->reader->selectRest();
    }
    Error e = rank ? ((*rank->reader).*take)(*from) : Error::success();
    bool failed = !rank || e;
    consumeError(std::move(e));
    found.unusable += failed;
    found.chunks += hasRows && !failed;
    if (!failed)
      ++rank->frames;
  }

  /// Does without the pieces that the last result lacks.
  void endResult() {
    if (!results.lacksPieces())
      return;
    ++found.cutResults;
    results.giveUp();
  }

  /// A result whose first piece is lost is lost; one whose last is goes without.
  void result() {
    const hb::Result *from = opener.table<hb::Result>();
    if (from && from->piece() == 0)
      endResult();
    Error e = from ? results.take(*from) : Error::success();
    found.unusable += !from || e;
    consumeError(std::move(e));
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
    case frame::Type::Result:
      return result();
    default: // the provenance and the like
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

  /// Whether all frames that the footer lists of a rank are there.
  bool isComplete(uint32_t ordinal, const Found &rank) const {
    if (!found.hasFooter || rank.reader->missingTexts())
      return false;
    const auto *all = flatbuffers::GetRoot<hb::Footer>(footer.data())->ranks();
    if (!all || ordinal >= all->size())
      return false;
    auto size = [](const auto *list) { return list ? uint64_t{list->size()} : 0; };
    const hb::RankEntry &entry = *all->Get(ordinal);
    return rank.frames == size(entry.heads()) + size(entry.strings()) + size(entry.chunks());
  }

  /// Where a rank that results name is among those that came back.
  struct Back {
    int64_t index;
    bool complete;
  };

  /// Makes results name the ranks that came back; leaves out what is about others.
  void relate(const Trace &read, const std::map<int64_t, Back> &back, Results &to) {
    bool allComplete = all_of(back, [](const auto &b) { return b.second.complete; });
    for (PassResult &unit : results.read.units) {
      auto rank = back.find(unit.rank);
      if (unit.rank != -1 && rank == back.end()) {
        ++found.lostResults;
        continue;
      }
      unit.stale |= unit.rank == -1 ? !allComplete : !rank->second.complete;
      erase_if(unit.remarks, [&](Remark &r) {
        auto about = r.rank ? back.find(*r.rank) : rank;
        bool lost = r.rank && about == back.end();
        found.lostResults += lost;
        if (lost)
          return true;
        auto exists = [&](EventRef e) {
          ArrayRef<Track> tracks = read.ranks[static_cast<size_t>(about->second.index)]->tracks();
          return e.track < tracks.size() && e.index < tracks[e.track].size();
        };
        if (!r.evidence.empty() &&
            (about == back.end() || !about->second.complete || !all_of(r.evidence, exists))) {
          ++found.lostEvidence;
          r.evidence.clear();
        }
        if (r.rank)
          r.rank = about->second.index;
        return false;
      });
      if (unit.rank != -1)
        unit.rank = rank->second.index;
      ++found.results;
      to.units.push_back(std::move(unit));
    }
  }

  Expected<BinaryRecovery> finish(Trace &out, Results &published) {
    Trace read;
    std::vector<uint32_t> ordinals;
    std::map<int64_t, Back> back;
    for (auto &[ordinal, entry] : ranks) {
      std::unique_ptr<RankReader> &reader = entry.reader;
      if (!reader->hasFacts())
        continue;
      auto index = static_cast<int64_t>(read.ranks.size());
      Expected<std::unique_ptr<Rank>> rank = reader->finish();
      if (!rank)
        return rank.takeError();
      found.lostTexts += reader->missingTexts();
      found.lostEdges += reader->missingEdges();
      back[ordinal] = {index, isComplete(ordinal, entry)};
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
    endResult();
    Results related;
    relate(read, back, related);
    bool whole = found.hasFooter && !found.lostBytes && !found.unusable && !found.lostTexts;
    for (std::unique_ptr<Rank> &rank : read.ranks)
      rank->recording.partial |= !whole;
    if (Error e = verify(read))
      return e;
    append(out, std::move(read));
    for (PassResult &unit : related.units)
      published.units.push_back(std::move(unit));
    return found;
  }

  std::span<const uint8_t> bytes;
  StringRef name;
  const Limits &limits;
  Budget budget;
  FrameOpener opener;
  std::map<uint32_t, Found> ranks; ///< By ordinal.
  ResultReader results{budget};
  std::vector<uint8_t> footer;
  BinaryRecovery found;
  uint64_t hashed = 0;
};

} // namespace

Expected<BinaryRecovery> recoverBinary(StringRef bytes, StringRef name, Trace &out,
                                       Results &results, const Limits &limits) {
  return Recovery(bytes, name, limits).run(out, results);
}

} // namespace heddle
