//===- BinaryReader.cpp - Reads a whole .hb -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Frames come one after the other, from a file or a pipe. Each is checked in this order: its
// length, its hash, its FlatBuffers structure, and what it says. At the end what was seen must be
// what the footer lists, and what it states of each frame must be so.
//===----------------------------------------------------------------------===//
#include "BinaryFooter.h"
#include "BinaryFrame.h"
#include "BinaryRankReader.h"
#include "BinaryResults.h"
#include "heddle/IO/Binary.h"
#include "heddle/IR/Verifier.h"
#include <cstring>

using namespace llvm;
using namespace heddle::binary;

namespace heddle {
namespace {

class Reader {
public:
  Reader(Input &input, const BinaryReadOptions &options)
      : input(input), options(options), budget(options.limits) {}

  Error run(Trace &out) {
    while (!ended) {
      at = offset;
      Expected<bool> more = next();
      if (!more)
        return more.takeError();
      if (!*more)
        return fail("hb-truncated", "the file ends without its last frame; 'heddle recover' gets "
                                    "back what is whole");
      if (Error e = frame())
        return placed(std::move(e));
      if (options.progress && options.progress->cancelled)
        return inputError("cancelled", "cancelled");
    }
    at = offset;
    char byte;
    Expected<size_t> extra = input.read(&byte, 1);
    if (!extra)
      return extra.takeError();
    if (*extra)
      return fail("hb-damaged", "something follows the last frame");
    return finish(out);
  }

private:
  /// A frame of a rank.
  struct Seen {
    uint64_t offset, bytes;
    uint32_t rank;
    uint16_t type;
    friend auto operator<=>(const Seen &, const Seen &) = default;
  };

  Place place() const { return {input.name().str(), at, 0, 0, ""}; }
  Error fail(StringRef id, const Twine &cause) { return inputError(id, cause, place()); }
  /// An error with the place of the frame at work.
  Error placed(Error e) {
    return handleErrors(std::move(e), [&](const DiagnosticError &d) -> Error {
      Diagnostic diagnostic = d.diagnostic;
      if (diagnostic.place.file.empty())
        diagnostic.place = place();
      return make_error<DiagnosticError>(std::move(diagnostic), d.code);
    });
  }

  /// Fills the span; the number of bytes that there were.
  Expected<size_t> fill(std::span<uint8_t> to) {
    size_t have = 0;
    while (have != to.size()) {
      Expected<size_t> got =
          input.read(reinterpret_cast<char *>(to.data()) + have, to.size() - have);
      if (!got)
        return got.takeError();
      if (*got == 0)
        break;
      have += *got;
    }
    offset += have;
    budget.stored(have);
    if (options.progress)
      options.progress->done += have;
    return have;
  }

  /// Reads a frame; false at the end of the input.
  Expected<bool> next() {
    uint8_t head[frame::kHeaderBytes];
    Expected<size_t> got = fill(head);
    if (!got)
      return got.takeError();
    if (*got == 0)
      return false;
    if (*got != sizeof head)
      return cut();
    if (const char *cause = opener.begin(head))
      return fail("hb-damaged", cause);
    payload.resize(opener.restBytes());
    got = fill(payload);
    if (!got)
      return got.takeError();
    if (*got != payload.size())
      return cut();
    if (const char *cause = opener.end(payload))
      return fail("hb-damaged", cause);
    if (Error e = budget.take(opener.unpackedBytes()))
      return placed(std::move(e));
    return true;
  }
  Error cut() {
    return fail("hb-truncated",
                "the file ends inside a frame; 'heddle recover' gets back what is whole");
  }

  /// The message as a table, if it is one.
  template <typename T> Expected<const T *> table() {
    if (const T *t = opener.table<T>())
      return t;
    return fail("hb-damaged", "the frame's message is no such table");
  }

  template <typename T> Error toRank(Error (RankReader::*take)(const T &)) {
    Expected<const T *> from = table<T>();
    if (!from)
      return from.takeError();
    if (footerAt)
      return fail("hb-damaged", "a rank goes on behind the footer");
    uint32_t ordinal = (*from)->rank();
    if (ordinal > ranks.size())
      return fail("hb-damaged",
                  "rank " + Twine(ordinal) + " comes before rank " + Twine(ranks.size()));
    if (ordinal == ranks.size())
      ranks.push_back(std::make_unique<RankReader>(options.limits, budget, opener.codec));
    seen.push_back({at, offset - at, ordinal, header.type});
    return (*ranks[ordinal].*take)(**from);
  }

  Error frame() {
    if ((at == 0) != (header.type == static_cast<uint16_t>(frame::Type::Head)))
      return fail("hb-damaged", at == 0 ? "the first frame is no head" : "a second head");
    switch (static_cast<frame::Type>(header.type)) {
    case frame::Type::Head:
      return head();
    case frame::Type::Rank:
      return toRank<hb::Rank>(&RankReader::head);
    case frame::Type::Strings:
      return toRank<hb::Strings>(&RankReader::strings);
    case frame::Type::Events:
      return toRank<hb::Events>(&RankReader::events);
    case frame::Type::Flows:
      return toRank<hb::Flows>(&RankReader::flows);
    case frame::Type::Loose:
      return toRank<hb::Loose>(&RankReader::loose);
    case frame::Type::Edges:
      return toRank<hb::Edges>(&RankReader::edges);
    case frame::Type::Footer:
      return footer();
    case frame::Type::Result: {
      Expected<const hb::Result *> from = table<hb::Result>();
      if (!from)
        return from.takeError();
      if (!footerAt || !provenance.empty())
        return fail("hb-damaged", "a result stands elsewhere than between footer and provenance");
      if (!options.results)
        return Error::success();
      return results.take(**from);
    }
    case frame::Type::Provenance: {
      Expected<const hb::Provenance *> from = table<hb::Provenance>();
      if (!from)
        return from.takeError();
      if (!footerAt || !provenance.empty())
        return fail("hb-damaged",
                    footerAt ? "a second provenance" : "the provenance comes before the footer");
      if (Error e = results.end())
        return e;
      provenanceAt = at;
      provenance = std::vector<uint8_t>(message.begin(), message.end());
      return Error::success();
    }
    case frame::Type::End:
      return end();
    }
    if (header.type >= frame::kFirstOptional)
      return Error::success();
    return fail("hb-version",
                "the frame has type " + Twine(header.type) + ", which is of a later version");
  }

  Error head() {
    Expected<const hb::Head *> from = table<hb::Head>();
    if (!from)
      return from.takeError();
    return checkHead(**from);
  }

  /// What the footer lists must be what was seen.
  Error footer() {
    Expected<const hb::Footer *> from = table<hb::Footer>();
    if (!from)
      return from.takeError();
    if (footerAt)
      return fail("hb-damaged", "a second footer");
    footerAt = at;
    footerBytes.assign(message.begin(), message.end());
    const auto *all = flatbuffers::GetRoot<hb::Footer>(footerBytes.data());
    if ((all->ranks() ? all->ranks()->size() : 0) != ranks.size())
      return fail("hb-damaged", "the footer does not list the ranks that the file holds");
    if (Error e = checkLists(*all, at))
      return e;
    std::vector<Seen> listed;
    for (uint32_t i = 0; i != ranks.size(); ++i) {
      list(*all->ranks()->Get(i), i, listed);
      ranks[i]->state(*all->ranks()->Get(i), all->canonical());
      ranks[i]->stateAll();
    }
    llvm::sort(listed);
    if (listed != seen)
      return fail("hb-damaged", "the footer does not list what the file holds");
    return readClocks(*all, read);
  }

  void list(const hb::RankEntry &r, uint32_t ordinal, std::vector<Seen> &listed) {
    auto list = [&](const hb::FrameEntry &f, uint16_t type) {
      listed.push_back({f.offset(), f.bytes(), ordinal, type});
    };
    if (r.heads())
      for (const hb::FrameEntry *f : *r.heads())
        list(*f, static_cast<uint16_t>(frame::Type::Rank));
    if (r.strings())
      for (const hb::StringsEntry *s : *r.strings())
        list(s->frame(), static_cast<uint16_t>(frame::Type::Strings));
    if (r.chunks())
      for (const hb::ChunkEntry *c : *r.chunks())
        list(c->frame(), c->type());
  }

  Error end() {
    uint64_t where = 0;
    if (message.size() != sizeof where)
      return fail("hb-damaged", "the last frame has " + Twine(message.size()) + " bytes");
    for (size_t i = 0; i != sizeof where; ++i)
      where |= uint64_t{message[i]} << (8 * i);
    if (!footerAt || where != *footerAt)
      return fail("hb-damaged", "the last frame does not point at the footer");
    if (provenance.empty())
      return fail("hb-damaged", "the file has no provenance");
    ended = true;
    return Error::success();
  }

  Error finish(Trace &out) {
    at = 0;
    for (size_t i = 0; i != ranks.size(); ++i) {
      Expected<std::unique_ptr<Rank>> rank = ranks[i]->finish();
      if (!rank)
        return placed(rank.takeError());
      ranks[i].reset();
      (*rank)->recording.path = input.name().str();
      (*rank)->placement =
          readPlacement(*flatbuffers::GetRoot<hb::Footer>(footerBytes.data())->ranks()->Get(i));
      read.ranks.push_back(std::move(*rank));
    }
    if (Error e = verify(read))
      return placed(std::move(e));
    if (Error e = verify(read, results.read))
      return placed(std::move(e));
    at = provenanceAt;
    if (Error e =
            readProvenance(*flatbuffers::GetRoot<hb::Provenance>(provenance.data()), budget, read))
      return placed(std::move(e));
    out.provenance = read.provenance;
    append(out, std::move(read));
    if (options.results)
      for (PassResult &unit : results.read.units)
        options.results->units.push_back(std::move(unit));
    return Error::success();
  }

  Input &input;
  const BinaryReadOptions &options;
  Budget budget;
  FrameOpener opener;
  const frame::Header &header = opener.header;
  const std::span<const uint8_t> &message = opener.message;
  std::vector<uint8_t> payload, footerBytes, provenance;
  uint64_t at = 0, offset = 0; ///< Of the frame at work, and behind what was read.
  uint64_t provenanceAt = 0;
  std::vector<std::unique_ptr<RankReader>> ranks;
  std::vector<Seen> seen;
  Trace read;
  ResultReader results{budget};
  std::optional<uint64_t> footerAt;
  bool ended = false;
};

} // namespace

bool looksLikeBinary(StringRef head) {
  uint8_t magic[4];
  for (size_t i = 0; i != sizeof magic; ++i)
    magic[i] = static_cast<uint8_t>(frame::kMagic >> (8 * i));
  return head.size() >= frame::kHeaderBytes && std::memcmp(head.data(), magic, sizeof magic) == 0;
}

Error readBinary(Input &input, Trace &out, const BinaryReadOptions &options) {
  return Reader(input, options).run(out);
}

} // namespace heddle
