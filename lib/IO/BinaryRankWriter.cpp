//===- BinaryRankWriter.cpp - A rank's head and strings as frames ---------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryRankWriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::binary {

// What the file says by number; Type by Type the IR's own numbers.
static_assert(static_cast<unsigned>(hb::ValueType::Args) + 1 == kNumValueTypes);
static_assert(static_cast<unsigned>(hb::ValueType::Null) == static_cast<unsigned>(ValueType::Null));
static_assert(static_cast<unsigned>(hb::Kind::Other) + 1 == kNumEventKinds);
static_assert(static_cast<unsigned>(hb::Kind::Sync) == static_cast<unsigned>(EventKind::Sync));
static_assert(static_cast<unsigned>(hb::Family::Async) + 1 == kNumFamilies);
static_assert(static_cast<unsigned>(hb::IdForm::Raw) == SourceId::Raw);
static_assert(static_cast<unsigned>(hb::Vendor::Other) == static_cast<unsigned>(Vendor::Other));

Expected<RankIndex> RankWriter::write() {
  numberLayouts();
  findLaunched();
  for (auto step : {&RankWriter::head, &RankWriter::layoutsAndTracks, &RankWriter::events,
                    &RankWriter::flows, &RankWriter::looseRows, &RankWriter::edges})
    if (Error e = (this->*step)())
      return e;
  return std::move(index);
}

/// By first use, so that layouts without rows go.
void RankWriter::numberLayouts() {
  constexpr uint16_t unknown = 0xffff;
  layoutNumber.assign(rank.layouts().size(), unknown);
  auto use = [&](LayoutId id) {
    uint16_t &number = layoutNumber[static_cast<uint16_t>(id)];
    if (number != unknown)
      return;
    number = static_cast<uint16_t>(layoutOrder.size());
    layoutOrder.push_back(id);
    slots.add(rank.layout(id).layout);
  };
  for (const Track &t : rank.tracks())
    for_each(t.layouts, use);
  for (const FlowRow &f : rank.flows())
    use(f.layout);
  slotValues.resize(slots.size());
}

void RankWriter::findLaunched() {
  for (uint32_t t = 0; t != rank.tracks().size(); ++t)
    if (isThread(rank.track(t).key.family))
      launchers.add(t);
  launched.resize(rank.tracks().size());
  for (const Edge &e : rank.edges()) {
    const Track &to = rank.track(e.to.track);
    if (e.kind != EdgeKind::Launch || launchers.of(to, e.to.index) != e.from) {
      stored.push_back(e);
      continue;
    }
    std::vector<bool> &marks = launched[e.to.track];
    if (marks.empty())
      marks.resize(to.size());
    marks[e.to.index] = true;
  }
}

hb::SourceId RankWriter::sourceId(const SourceId &id) {
  bool text = id.form == SourceId::String || id.form == SourceId::Raw;
  return {id.form == SourceId::Int ? id.value : 0, text ? strings.of(id.text) : 0,
          static_cast<hb::IdForm>(id.form)};
}

flatbuffers::Offset<hb::Recording> RankWriter::recording() {
  const Recording &r = rank.recording;
  uint32_t format = strings.of(r.format), producer = strings.of(r.producer),
           part = strings.of(r.part);
  std::vector<hb::Member> members;
  for (const Document::Member &m : r.document.members) {
    uint32_t key = strings.of(m.key);
    members.emplace_back(key, strings.of(m.value));
  }
  std::vector<hb::Device> devices;
  for (const Device &d : r.devices)
    devices.emplace_back(d.id, d.numSms, d.totalMemory, d.computeMajor, d.computeMinor,
                         strings.of(d.name));
  auto counts = [&](const std::map<std::string, uint64_t, std::less<>> &from) {
    std::vector<hb::Count> to;
    for (const auto &[name, count] : from)
      to.emplace_back(count, strings.of(name));
    return message.CreateVectorOfStructs(to);
  };
  auto repairs = counts(r.repairs), notes = counts(r.notes);
  auto memberList = message.CreateVectorOfStructs(members);
  auto deviceList = message.CreateVectorOfStructs(devices);
  hb::RecordingBuilder b(message);
  b.add_origin(r.origin);
  if (r.base)
    b.add_base(*r.base);
  b.add_truncated_at(r.truncatedAt);
  b.add_source_events(r.sourceEvents);
  b.add_format(format);
  b.add_producer(producer);
  b.add_part(part);
  b.add_members(memberList);
  b.add_devices(deviceList);
  b.add_repairs(repairs);
  b.add_notes(notes);
  b.add_absolute(r.absolute);
  b.add_unpadded_fraction(r.unpaddedFraction);
  b.add_integer_microseconds(r.integerMicroseconds);
  b.add_external_ids_broken(r.externalIdsBroken);
  b.add_partial(r.partial);
  b.add_vendor(static_cast<hb::Vendor>(r.vendor));
  b.add_is_array(r.document.isArray);
  return b.Finish();
}

/// The facts. Layouts and tracks follow in frames of their own if they are many.
Error RankWriter::head() {
  if (uint64_t size = sizeof(hb::Member) * rank.recording.document.members.size();
      size > frame::kMaxBytes)
    return tooLarge("the document of a rank", size);
  auto facts = recording();
  uint32_t host = strings.of(rank.host), backend = strings.of(rank.backend);
  hb::RankBuilder b(message);
  if (rank.number)
    b.add_number(*rank.number);
  if (rank.worldSize)
    b.add_world_size(*rank.worldSize);
  if (rank.cycle)
    b.add_cycle(*rank.cycle);
  b.add_rank(ordinal);
  b.add_host(host);
  b.add_backend(backend);
  b.add_recording(facts);
  auto root = b.Finish();
  if (Error e = flushStrings())
    return e;
  auto placed = out.put(frame::Type::Rank, message, root, "the head of a rank");
  if (!placed)
    return placed.takeError();
  index.heads.emplace_back(placed->offset, placed->bytes);
  return Error::success();
}

Error RankWriter::layoutsAndTracks() {
  size_t layout = 0, track = 0;
  while (layout != layoutOrder.size() || track != rank.tracks().size()) {
    size_t firstLayout = layout, firstTrack = track;
    std::vector<flatbuffers::Offset<hb::Layout>> layouts;
    for (uint64_t entries = 0; layout != layoutOrder.size() && entries < kHeadEntries; ++layout) {
      const Layout &l = rank.layout(layoutOrder[layout]).layout;
      uint32_t cat = strings.orNone(l.cat);
      if (uint64_t size = sizeof(hb::Entry) * l.entries.size(); size > frame::kMaxBytes)
        return tooLarge("a layout of " + Twine(l.entries.size()) + " keys", size);
      std::vector<hb::Entry> list;
      for (const Entry &e : l.entries)
        list.emplace_back(strings.of(e.key), static_cast<uint8_t>(e.scope),
                          static_cast<hb::ValueType>(e.type), e.scale, e.quoted);
      entries += list.size();
      auto listed = message.CreateVectorOfStructs(list);
      layouts.push_back(hb::CreateLayout(message, static_cast<uint8_t>(l.phase), cat, listed));
    }
    std::vector<hb::Track> tracks;
    for (; track != rank.tracks().size() && tracks.size() != kHeadTracks; ++track) {
      const Track &t = rank.track(static_cast<uint32_t>(track));
      hb::SourceId pid = sourceId(t.key.pid), tid = sourceId(t.key.tid);
      tracks.emplace_back(pid, tid, t.device, t.stream, strings.orNone(t.name),
                          static_cast<hb::Family>(t.key.family));
    }
    auto layoutList = message.CreateVector(layouts);
    auto trackList = message.CreateVectorOfStructs(tracks);
    hb::RankBuilder b(message);
    b.add_rank(ordinal);
    b.add_first_layout(static_cast<uint32_t>(firstLayout));
    b.add_layouts(layoutList);
    b.add_first_track(static_cast<uint32_t>(firstTrack));
    b.add_tracks(trackList);
    auto root = b.Finish();
    if (Error e = flushStrings())
      return e;
    auto placed = out.put(frame::Type::Rank, message, root, "the layouts of a rank");
    if (!placed)
      return placed.takeError();
    index.heads.emplace_back(placed->offset, placed->bytes);
  }
  return Error::success();
}

/// Writes the strings that were numbered since the last time, before the frame that uses them.
Error RankWriter::flushStrings() {
  ArrayRef<StringRef> fresh = strings.fresh();
  uint32_t first = strings.first();
  flatbuffers::FlatBufferBuilder block{1 << 16};
  auto write = [&](flatbuffers::Offset<hb::Strings> root, uint32_t count) -> Error {
    auto placed = out.put(frame::Type::Strings, block, root, "a block of strings");
    if (!placed)
      return placed.takeError();
    index.strings.emplace_back(hb::FrameEntry(placed->offset, placed->bytes), first, count);
    return Error::success();
  };
  auto bytesOf = [&](StringRef text) {
    return block.CreateVector(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  };
  while (!fresh.empty()) {
    StringRef text = fresh[0];
    if (text.size() > kBlockBytes) {
      for (uint64_t offset = 0; offset < text.size(); offset += kBlockBytes) {
        auto piece = bytesOf(text.substr(offset, kBlockBytes));
        if (Error e =
                write(hb::CreateStrings(block, ordinal, first, 0, piece, offset, text.size()), 1))
          return e;
      }
      fresh = fresh.drop_front();
      ++first;
      continue;
    }
    std::vector<int64_t> lengths;
    std::string all;
    while (lengths.size() != fresh.size() && lengths.size() != kBlockStrings &&
           all.size() + fresh[lengths.size()].size() <= kBlockBytes) {
      StringRef next = fresh[lengths.size()];
      all += next;
      lengths.push_back(static_cast<int64_t>(next.size()));
    }
    auto column = out.column(block, lengths);
    auto bytes = bytesOf(all);
    auto count = static_cast<uint32_t>(lengths.size());
    if (Error e = write(hb::CreateStrings(block, ordinal, first, column, bytes), count))
      return e;
    fresh = fresh.drop_front(count);
    first += count;
  }
  strings.clear();
  return Error::success();
}

} // namespace heddle::binary
