//===- BinaryFile.cpp - Reads parts of .hb --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryFooter.h"
#include "BinaryFrame.h"
#include "BinaryParts.h"
#include "BinaryRankReader.h"
#include "BinaryResults.h"
#include "heddle/IO/Binary.h"
#include "heddle/IR/Verifier.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace heddle::binary;

namespace heddle {
namespace {

class FilePart final : public BinaryFile {
public:
  FilePart(int fd, StringRef path, uint64_t size, const Limits &limits)
      : fd(fd), path(path), size(size), limits(limits) {}
  ~FilePart() override { ::close(fd); }

  ArrayRef<BinaryRankInfo> ranks() const override { return infos; }
  ArrayRef<std::vector<EventRef>> launchedOutside() const override { return outside; }
  uint64_t bytes() const override { return size; }
  uint64_t bytesRead() const override { return readBytes; }

  /// True if the file begins like .hb.
  Expected<bool> sniff() {
    std::vector<uint8_t> head;
    if (size < frame::kHeaderBytes)
      return false;
    if (Error e = get(0, frame::kHeaderBytes, head))
      return e;
    return looksLikeBinary({reinterpret_cast<const char *>(head.data()), head.size()});
  }

  /// Reads the frame that begins there, which must be of this type, if one is given.
  Error openAt(uint64_t offset, std::optional<frame::Type> type) {
    std::vector<uint8_t> head;
    if (Error e = get(offset, frame::kHeaderBytes, head))
      return e;
    at = offset;
    if (const char *cause = rows.opener.begin(std::span(head).first<frame::kHeaderBytes>()))
      return fail("hb-damaged", cause);
    return open({offset, frame::frameBytes(rows.opener.header)},
                type.value_or(static_cast<frame::Type>(rows.opener.header.type)), rows);
  }

  /// Reads the first frame, the last and the footer.
  Error openFooter() {
    if (size < 2 * kEndBytes)
      return fail("hb-truncated", "the file has no last frame");
    FrameOpener &opener = rows.opener;
    if (Error e = openAt(0, frame::Type::Head))
      return e;
    const hb::Head *first = opener.table<hb::Head>();
    if (Error e = first ? checkHead(*first) : fail("hb-damaged", "the head is no such table"))
      return placed(std::move(e));
    if (Error e = open({size - kEndBytes, kEndBytes}, frame::Type::End, rows))
      return e;
    uint64_t offset = 0;
    if (opener.message.size() != sizeof offset)
      return fail("hb-damaged", "the last frame has " + Twine(opener.message.size()) + " bytes");
    for (size_t i = 0; i != sizeof offset; ++i)
      offset |= uint64_t{opener.message[i]} << (8 * i);
    if (Error e = openAt(offset, frame::Type::Footer))
      return e;
    footerEnd = offset + frame::frameBytes(opener.header);
    footerBytes.assign(opener.message.begin(), opener.message.end());
    if (!opener.table<hb::Footer>())
      return fail("hb-damaged", "the footer's message is no such table");
    footer = flatbuffers::GetRoot<hb::Footer>(footerBytes.data());
    if (Error e = checkLists(*footer, offset))
      return placed(std::move(e));
    if (footer->ranks())
      for (const hb::RankEntry *r : *footer->ranks())
        if (Error e = info(*r))
          return e;
    return Error::success();
  }

  Error read(ArrayRef<BinaryPart> parts, Trace &out) override {
    Trace part;
    std::vector<std::vector<EventRef>> outsideNow;
    if (Error e = readClocks(*footer, part))
      return placed(std::move(e));
    for (const BinaryPart &p : parts) {
      const hb::RankEntry &entry = *footer->ranks()->Get(p.rank);
      RankReader reader(limits, budget, rows.opener.codec);
      ordinal = p.rank;
      Expected<std::unique_ptr<Rank>> rank = readRank(entry, p, reader);
      if (!rank)
        return placed(rank.takeError());
      (*rank)->recording.path = path;
      (*rank)->placement = readPlacement(entry);
      part.ranks.push_back(std::move(*rank));
      outsideNow.push_back(reader.launchedOutside());
    }
    if (Error e = verify(part))
      return placed(std::move(e));
    append(out, std::move(part));
    outside = std::move(outsideNow);
    return Error::success();
  }

  Error readHeads(ArrayRef<std::shared_ptr<const RankSource>> sources, Trace &out,
                  Results *results) override {
    Trace heads;
    if (Error e = readClocks(*footer, heads))
      return placed(std::move(e));
    for (ordinal = 0; ordinal != infos.size(); ++ordinal) {
      const hb::RankEntry &entry = *footer->ranks()->Get(ordinal);
      RankReader reader(limits, budget, rows.opener.codec);
      if (Error e = readHead(entry, std::nullopt, reader))
        return placed(std::move(e));
      Expected<std::unique_ptr<Rank>> rank = reader.takeHead();
      if (!rank)
        return placed(rank.takeError());
      (*rank)->recording.path = path;
      (*rank)->placement = readPlacement(entry);
      Residency::setAway(**rank, sources[ordinal]);
      heads.ranks.push_back(std::move(*rank));
    }
    if (Error e = verifyPlaces(heads))
      return placed(std::move(e));
    ResultReader published(budget);
    if (Error e = readBehindFooter(published, heads))
      return placed(std::move(e));
    out.provenance = heads.provenance;
    append(out, std::move(heads));
    if (results)
      for (PassResult &unit : published.read.units)
        results->units.push_back(std::move(unit));
    return Error::success();
  }

private:
  Place place() const { return {path, at, 0, 0, ""}; }
  Error fail(StringRef id, const Twine &cause) { return inputError(id, cause, place()); }
  Error placed(Error e) {
    return handleErrors(std::move(e), [&](const DiagnosticError &d) -> Error {
      Diagnostic diagnostic = d.diagnostic;
      if (diagnostic.place.file.empty())
        diagnostic.place = place();
      return make_error<DiagnosticError>(std::move(diagnostic), d.code);
    });
  }

  /// Reads bytes of the file, all of which must be there.
  Error get(uint64_t offset, uint64_t count, std::vector<uint8_t> &to) {
    at = offset;
    if (offset > size || count > size - offset)
      return fail("hb-damaged", "a frame lies behind the end of the file");
    to.resize(count);
    for (uint64_t have = 0; have != count;) {
      ssize_t n = ::pread(fd, to.data() + have, count - have, static_cast<off_t>(offset + have));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return fail("cannot-read", n < 0 ? sys::StrError() : "the file became shorter");
      have += static_cast<uint64_t>(n);
    }
    readBytes += count;
    budget.stored(count);
    return Error::success();
  }

  /// A frame and its bytes. Strings have one of their own, since they are fetched while rows are
  /// read.
  struct Opened {
    FrameOpener opener;
    std::vector<uint8_t> bytes;
  };

  /// Opens the frame of an entry, which must be of this type.
  Error open(hb::FrameEntry entry, frame::Type type, Opened &to) {
    at = entry.offset();
    if (entry.bytes() < frame::kHeaderBytes ||
        entry.bytes() > frame::kMaxBytes + frame::kHeaderBytes + frame::kAlignment)
      return fail("hb-damaged", "a frame of " + Twine(entry.bytes()) + " bytes is listed");
    if (Error e = get(entry.offset(), entry.bytes(), to.bytes))
      return e;
    std::span<const uint8_t> all = to.bytes;
    if (const char *cause = to.opener.begin(all.first<frame::kHeaderBytes>()))
      return fail("hb-damaged", cause);
    if (frame::frameBytes(to.opener.header) != entry.bytes() ||
        to.opener.header.type != static_cast<uint16_t>(type))
      return fail("hb-damaged", "the footer does not list what the file holds");
    if (const char *cause = to.opener.end(all.subspan(frame::kHeaderBytes)))
      return fail("hb-damaged", cause);
    return placed(budget.take(to.opener.unpackedBytes()));
  }

  /// Opens a frame and hands its table to the reader.
  template <typename T>
  Error take(const hb::FrameEntry &entry, frame::Type type, Opened &by, RankReader &reader,
             Error (RankReader::*to)(const T &)) {
    user = type == frame::Type::Strings ? user : entry.offset();
    if (Error e = open(entry, type, by))
      return e;
    const T *table = by.opener.table<T>();
    if (!table || table->rank() != ordinal)
      return fail("hb-damaged", "the frame's message is no such table");
    return (reader.*to)(*table);
  }

  Error info(const hb::RankEntry &from) {
    BinaryRankInfo &to = infos.emplace_back();
    to.number = from.number();
    to.cycle = from.cycle();
    if (from.chunks())
      for (const hb::ChunkEntry *c : *from.chunks())
        if (c->type() == static_cast<uint16_t>(frame::Type::Events)) {
          to.events += c->rows();
          Interval i = {{c->min_time()}, {c->max_time()}};
          to.time = to.time
                        ? Interval{std::min(to.time->begin, i.begin), std::max(to.time->end, i.end)}
                        : i;
        }
    uint64_t steps = from.steps() ? from.steps()->size() : 0; // ranks may share a list
    if (Error e = budget.take(steps * sizeof(BinaryStep)))
      return placed(std::move(e));
    if (steps)
      for (const hb::Step *s : *from.steps())
        to.steps.push_back({s->device(),
                            s->number(),
                            {{s->window_begin()}, {s->window_end()}},
                            {{s->host_begin()}, {s->host_end()}}});
    return Error::success();
  }

  /// Reads the block with the string of this number; of a string in pieces all of them.
  Error fetch(const hb::RankEntry &entry, uint32_t number, RankReader &reader) {
    const auto &list = *entry.strings();
    uint32_t low = 0, high = list.size();
    while (low != high) { // the first block that ends behind the number
      uint32_t middle = low + (high - low) / 2;
      if (list.Get(middle)->first() + uint64_t{list.Get(middle)->count()} > number)
        high = middle;
      else
        low = middle + 1;
    }
    for (; low != list.size() && list.Get(low)->first() <= number; ++low) {
      if (list.Get(low)->frame().offset() > user)
        return fail("hb-damaged", "string " + Twine(number) + " is used before it is there");
      reader.state(*list.Get(low));
      if (Error e = take(list.Get(low)->frame(), frame::Type::Strings, texts, reader,
                         &RankReader::strings))
        return e;
    }
    return Error::success();
  }

  /// How many strings the footer lists of a rank.
  Expected<uint32_t> countStrings(const hb::RankEntry &entry) {
    uint64_t next = 1;
    if (entry.strings())
      for (const hb::StringsEntry *s : *entry.strings()) {
        bool piece = s->count() == 1 && s->first() + uint64_t{1} == next;
        if (s->count() > kBlockStrings || (s->first() != next && !piece))
          return fail("hb-damaged", "the footer lists a block of strings out of order");
        next = s->first() + uint64_t{s->count()};
      }
    if (!budget.values(next))
      return fail("limit-exceeded", "the footer lists " + Twine(next) + " strings");
    return static_cast<uint32_t>(next - 1);
  }

  /// Reads the results and the provenance.
  Error readBehindFooter(ResultReader &results, Trace &to) {
    bool hasProvenance = false;
    for (uint64_t next = footerEnd; next != size - kEndBytes;) {
      if (Error e = openAt(next, std::nullopt))
        return e;
      next += frame::frameBytes(rows.opener.header);
      auto type = static_cast<frame::Type>(rows.opener.header.type);
      if (hasProvenance && rows.opener.header.type < frame::kFirstOptional)
        return fail("hb-damaged", "something follows the provenance");
      if (type == frame::Type::Result) {
        const hb::Result *result = rows.opener.table<hb::Result>();
        if (Error e = result ? results.take(*result) : fail("hb-damaged", "it is no result"))
          return e;
      } else if (type == frame::Type::Provenance) {
        hasProvenance = true;
        const hb::Provenance *provenance = rows.opener.table<hb::Provenance>();
        if (Error e = provenance ? readProvenance(*provenance, budget, to)
                                 : fail("hb-damaged", "it is no provenance"))
          return e;
      } else if (rows.opener.header.type < frame::kFirstOptional) {
        return fail("hb-damaged", "a frame of type " + Twine(rows.opener.header.type) +
                                      " stands behind the footer");
      }
    }
    if (!hasProvenance)
      return fail("hb-damaged", "there is no provenance");
    return results.end();
  }

  Error readHead(const hb::RankEntry &entry, const std::optional<BinaryTime> &time,
                 RankReader &reader) {
    Expected<uint32_t> strings = countStrings(entry);
    if (!strings)
      return strings.takeError();
    reader.state(entry, footer->canonical());
    reader.selectPart(time, *strings,
                      [&](uint32_t number) { return fetch(entry, number, reader); });
    if (entry.heads())
      for (const hb::FrameEntry *f : *entry.heads())
        if (Error e = take(*f, frame::Type::Rank, rows, reader, &RankReader::head))
          return e;
    return Error::success();
  }

  Expected<std::unique_ptr<Rank>> readRank(const hb::RankEntry &entry, const BinaryPart &part,
                                           RankReader &reader) {
    if (Error e = readHead(entry, part.time, reader))
      return e;
    if (entry.chunks())
      for (const hb::ChunkEntry *c : *entry.chunks())
        if (Error e = chunk(*c, part, reader))
          return e;
    return reader.finish();
  }

  Error chunk(const hb::ChunkEntry &entry, const BinaryPart &part, RankReader &reader) {
    auto type = static_cast<frame::Type>(entry.type());
    if (part.time) {
      const BinaryTime &time = *part.time;
      bool isEvents = type == frame::Type::Events, needed = true;
      if (isEvents) {
        Expected<bool> needs = reader.needs(entry.first_track(), entry.last_track(),
                                            entry.min_time(), entry.max_time());
        if (!needs)
          return needs.takeError();
        needed = *needs;
      }
      if (type == frame::Type::Loose || !needed ||
          (!isEvents && (entry.min_time() >= std::max(time.host.end, time.device.end).ns ||
                         entry.max_time() < std::min(time.host.begin, time.device.begin).ns)))
        return Error::success();
    }
    reader.state(entry);
    switch (type) {
    case frame::Type::Events:
      return take(entry.frame(), type, rows, reader, &RankReader::events);
    case frame::Type::Flows:
      return take(entry.frame(), type, rows, reader, &RankReader::flows);
    case frame::Type::Loose:
      return take(entry.frame(), type, rows, reader, &RankReader::loose);
    case frame::Type::Edges:
      return take(entry.frame(), type, rows, reader, &RankReader::edges);
    default:
      return fail("hb-damaged", "the footer lists a chunk of type " + Twine(entry.type()));
    }
  }

  int fd;
  std::string path;
  uint64_t size;
  const Limits limits;
  Budget budget{limits};
  Opened rows, texts;
  std::vector<uint8_t> footerBytes;
  const hb::Footer *footer = nullptr;
  std::vector<BinaryRankInfo> infos;
  std::vector<std::vector<EventRef>> outside;
  uint32_t ordinal = 0;
  uint64_t at = 0, readBytes = 0, footerEnd = 0;
  uint64_t user = 0; ///< Where the frame begins that strings are fetched for.
};

} // namespace

BinaryFile::~BinaryFile() = default;

Expected<std::unique_ptr<BinaryFile>> BinaryFile::open(StringRef path, const Limits &limits) {
  int fd;
  do
    fd = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // no pipe keeps us
  while (fd < 0 && errno == EINTR);
  struct stat st;
  if (fd < 0)
    return nullptr; // reading it as a whole says why
  if (::fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    ::close(fd);
    return nullptr;
  }
  auto file = std::make_unique<FilePart>(fd, path, static_cast<uint64_t>(st.st_size), limits);
  Expected<bool> ours = file->sniff();
  if (!ours)
    return ours.takeError();
  if (!*ours)
    return nullptr;
  if (Error e = file->openFooter())
    return e;
  return file;
}

} // namespace heddle
