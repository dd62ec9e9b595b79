//===- BinaryRankReader.cpp - A rank's head, strings and links ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryRankReader.h"

using namespace llvm;

namespace heddle::binary {

static Error damaged(const Twine &cause) { return inputError("hb-damaged", cause); }

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

void RankReader::selectPart(std::optional<BinaryTime> part, uint32_t count, Fetch how) {
  partial = true;
  time = part;
  fetch = std::move(how);
  stringIds.resize(size_t{count} + 1, StringId::None);
}

Expected<bool> RankReader::needs(uint32_t firstTrack, uint32_t lastTrack, int64_t begin,
                                 int64_t end) const {
  if (firstTrack > lastTrack || lastTrack >= trackPlaces.size())
    return damaged("the footer lists a chunk of tracks " + Twine(firstTrack) + " to " +
                   Twine(lastTrack) + " of " + Twine(trackPlaces.size()));
  if (!time)
    return true;
  uint32_t streams =
      streamsBefore[lastTrack] + isStreamTrack(lastTrack) - streamsBefore[firstTrack];
  bool hasOthers = streams != lastTrack - firstTrack + 1;
  return (streams && overlaps(time->device, begin, end)) ||
         (hasOthers && overlaps(time->host, begin, end));
}

Expected<StringId> RankReader::string(int64_t number) {
  constexpr int64_t most = 0xfffffffe;
  if (rest && number >= 0 && number < most &&
      (static_cast<uint64_t>(number) >= stringIds.size() ||
       stringIds[static_cast<uint64_t>(number)] == StringId::None)) {
    ++lostTexts;
    return builder.intern(("(lost string " + Twine(number) + ")").str());
  }
  if (static_cast<uint64_t>(number) < stringIds.size()) {
    StringId &id = stringIds[static_cast<uint64_t>(number)];
    if (id == StringId::None && fetch)
      if (Error e = fetch(static_cast<uint32_t>(number)))
        return e;
    if (id != StringId::None)
      return id;
  }
  return damaged("string " + Twine(number) + " is used before it is there");
}

Expected<StringId> RankReader::stringOrNone(int64_t number) {
  return number == 0 ? StringId::None : string(number - 1);
}

Expected<std::string> RankReader::text(uint32_t number) {
  Expected<StringId> id = string(number);
  if (!id)
    return id.takeError();
  if (Error e = budget.take(sizeof(std::string) + rank.str(*id).size()))
    return e;
  return rank.str(*id).str();
}

Error RankReader::strings(const hb::Strings &from) {
  uint64_t count = from.total() ? 0 : from.lengths() ? from.lengths()->count() : 0;
  if (count > kBlockStrings)
    return damaged("a block has " + Twine(count) + " strings");
  if (rest && from.first() > stringIds.size()) { // a block before it is lost
    if (!budget.values(from.first() - stringIds.size()))
      return damaged("string " + Twine(from.first()) + " is too far behind the one before");
    stringIds.resize(from.first(), StringId::None);
  }
  if (from.total() && from.lengths())
    return damaged("a piece of a string has lengths");
  if (rest && (from.offset() == 0 || from.offset() != piece.size()))
    piece.clear();
  uint64_t end = from.first() + std::max<uint64_t>(count, 1);
  if (from.first() == 0 ||
      (!rest && (partial ? end > stringIds.size() : from.first() != stringIds.size())))
    return damaged("a block of strings begins with " + Twine(from.first()) + ", expected " +
                   Twine(stringIds.size()));
  StringRef bytes;
  if (from.bytes())
    bytes = {reinterpret_cast<const char *>(from.bytes()->data()), from.bytes()->size()};
  if (rank.strings().bytes() + piece.size() + bytes.size() > limits.maxStringTableBytes)
    return inputError("limit-exceeded", "the strings of a rank take more than " +
                                            Twine(limits.maxStringTableBytes) + " bytes");
  blocks.emplace_back(from.first(), from.total() ? 1 : static_cast<uint32_t>(count));
  auto add = [&](uint64_t number, StringRef text) -> Error {
    if (number == stringIds.size())
      stringIds.push_back(StringId::None);
    if (stringIds[number] != StringId::None)
      return damaged("string " + Twine(number) + " is there twice");
    stringIds[number] = builder.intern(text);
    return Error::success();
  };
  if (from.total()) {
    if (from.total() > limits.maxStringBytes)
      return inputError("limit-exceeded",
                        "a string is longer than " + Twine(limits.maxStringBytes) + " bytes");
    if (piece.empty())
      pieceTotal = from.total();
    if (from.offset() != piece.size() || from.total() != pieceTotal || bytes.empty() ||
        bytes.size() > from.total() - from.offset())
      return damaged("a piece of a string does not follow the piece before");
    piece += bytes;
    if (piece.size() == from.total()) {
      if (Error e = add(from.first(), piece))
        return e;
      piece.clear();
    }
    return Error::success();
  }
  if (!piece.empty())
    return damaged("a string ends in the middle");
  std::vector<int64_t> lengths;
  if (Error e = column(from.lengths(), count, "lengths", lengths))
    return e;
  for (uint64_t i = 0; i != count; ++i) {
    if (lengths[i] < 0 || static_cast<uint64_t>(lengths[i]) > bytes.size())
      return damaged("a block's strings are longer than the block");
    if (Error e = add(from.first() + i, bytes.take_front(static_cast<size_t>(lengths[i]))))
      return e;
    bytes = bytes.drop_front(static_cast<size_t>(lengths[i]));
  }
  return bytes.empty() ? Error::success() : damaged("a block's strings are shorter than the block");
}

//===----------------------------------------------------------------------===//
// The head
//===----------------------------------------------------------------------===//

Expected<SourceId> RankReader::sourceId(const hb::SourceId &from) {
  SourceId id;
  if (from.form() > hb::IdForm::Raw)
    return damaged("an id has the unknown form " + Twine(static_cast<int>(from.form())));
  id.form = static_cast<SourceId::Form>(from.form());
  if (id.form == SourceId::Int) {
    id.value = from.value();
  } else if (id.form != SourceId::Absent) {
    Expected<StringId> text = string(from.text());
    if (!text)
      return text.takeError();
    id.text = *text;
  }
  return id;
}

/// Stores the value of an Expected, or hands on its error.
template <typename T, typename U> static Error take(Expected<T> from, U &to) {
  if (!from)
    return from.takeError();
  to = std::move(*from);
  return Error::success();
}

Error RankReader::recording(const hb::Recording &from) {
  Recording &r = rank.recording;
  for (auto [number, to] :
       {std::pair(from.format(), &r.format), std::pair(from.producer(), &r.producer),
        std::pair(from.part(), &r.part)})
    if (Error e = take(text(number), *to))
      return e;
  r.origin = from.origin();
  r.base = from.base();
  r.absolute = from.absolute();
  r.unpaddedFraction = from.unpadded_fraction();
  r.integerMicroseconds = from.integer_microseconds();
  r.externalIdsBroken = from.external_ids_broken();
  r.partial = from.partial();
  r.truncatedAt = from.truncated_at();
  r.sourceEvents = from.source_events();
  if (from.vendor() > hb::Vendor::Other)
    return damaged("the vendor is unknown");
  r.vendor = static_cast<Vendor>(from.vendor());
  r.document.isArray = from.is_array();
  if (from.members())
    for (const hb::Member *m : *from.members()) {
      Document::Member &to = r.document.members.emplace_back();
      if (Error e = take(text(m->key()), to.key))
        return e;
      if (Error e = take(text(m->value()), to.value))
        return e;
    }
  if (from.devices())
    for (const hb::Device *d : *from.devices()) {
      Device &to = r.devices.emplace_back();
      to.id = d->id();
      to.numSms = d->sms();
      to.totalMemory = d->memory();
      to.computeMajor = d->compute_major();
      to.computeMinor = d->compute_minor();
      if (Error e = take(text(d->name()), to.name))
        return e;
    }
  for (auto [list, what, to] : {std::tuple(from.repairs(), "repair", &r.repairs),
                                std::tuple(from.notes(), "note", &r.notes)})
    if (list)
      for (const hb::Count *c : *list) {
        std::string name;
        if (Error e = take(text(c->name()), name))
          return e;
        if (!to->try_emplace(name, c->count()).second)
          return damaged("the " + Twine(what) + " '" + name + "' is counted twice");
      }
  return Error::success();
}

Error RankReader::layout(const hb::Layout &from) {
  // Layouts may share one table: each is counted with what it takes in memory.
  uint64_t size = from.entries() ? from.entries()->size() : 0;
  if (Error e = budget.take(sizeof(LayoutStore) + size * (sizeof(Entry) + sizeof(Column))))
    return e;
  Layout l;
  l.phase = static_cast<char>(from.phase());
  if (Error e = take(stringOrNone(from.cat()), l.cat))
    return e;
  if (from.entries())
    for (const hb::Entry *e : *from.entries()) {
      Entry &to = l.entries.emplace_back();
      if (Error error = take(string(e->key()), to.key))
        return error;
      if (e->scope() > 1 || e->type() > hb::ValueType::Args || e->scale() > 3 || e->quoted() > 1)
        return damaged("layout " + Twine(layouts.size()) + " has an unknown entry");
      to.scope = static_cast<Scope>(e->scope());
      to.type = static_cast<ValueType>(e->type());
      to.scale = e->scale();
      to.quoted = e->quoted();
    }
  std::optional<LayoutId> id = builder.layout(l);
  if (!id)
    return damaged("there are more than 65535 layouts");
  layouts.push_back(*id);
  slots.add(l);
  return Error::success();
}

Error RankReader::track(const hb::Track &from) {
  TrackKey key;
  if (Error e = budget.take(sizeof(Track)))
    return e;
  if (from.family() > hb::Family::Async)
    return damaged("track " + Twine(trackPlaces.size()) + " is of an unknown family");
  key.family = static_cast<Family>(from.family());
  if (Error e = take(sourceId(from.pid()), key.pid))
    return e;
  if (Error e = take(sourceId(from.tid()), key.tid))
    return e;
  uint32_t place = builder.track(key);
  if (place != trackPlaces.size())
    return damaged("tracks " + Twine(place) + " and " + Twine(trackPlaces.size()) +
                   " have the same pid, tid and family");
  Track &t = builder.trackAt(place);
  t.device = from.device();
  t.stream = from.stream();
  streamsBefore.push_back(
      trackPlaces.empty() ? 0 : streamsBefore.back() + isStreamTrack(trackPlaces.size() - 1));
  trackPlaces.push_back(place);
  return take(stringOrNone(from.name()), t.name);
}

Error RankReader::head(const hb::Rank &from) {
  if (bool first = from.recording() != nullptr; first == hasHead)
    return damaged(first ? "a rank has two heads" : "a rank's layouts come before its head");
  if (!hasHead) {
    hasHead = true;
    rank.number = from.number();
    rank.worldSize = from.world_size();
    rank.cycle = from.cycle();
    if (Error e = take(text(from.host()), rank.host))
      return e;
    if (Error e = take(text(from.backend()), rank.backend))
      return e;
    if (Error e = recording(*from.recording()))
      return e;
  }
  for (auto [what, first, had] : {std::tuple("layout", from.first_layout(), layouts.size()),
                                  std::tuple("track", from.first_track(), trackPlaces.size())})
    if (first != had)
      return damaged("a frame's " + Twine(what) + "s begin with number " + Twine(first) +
                     ", expected " + Twine(had));
  if (from.layouts())
    for (const hb::Layout *l : *from.layouts())
      if (Error e = layout(*l))
        return e;
  if (from.tracks())
    for (const hb::Track *t : *from.tracks())
      if (Error e = track(*t))
        return e;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

void RankReader::indexSeq() {
  if (unbound.empty() && links.empty())
    return;
  bySeq.reserve(totalRows);
  for (uint32_t t = 0; t != rank.tracks().size(); ++t)
    for (uint32_t i = 0; i != rank.track(t).size(); ++i)
      bySeq.push_back({rank.track(t).seq[i], {t, i}});
  // Ordinals are dense in most files: then each stands at its own place, or nearly.
  uint32_t greatest = 0;
  for (const auto &[seq, e] : bySeq)
    greatest = std::max(greatest, seq);
  if (greatest / 4 > bySeq.size()) {
    llvm::sort(bySeq);
    return;
  }
  std::vector<std::pair<uint32_t, EventRef>> placed(size_t{greatest} + 1);
  for (const auto &[seq, e] : bySeq)
    placed[seq] = {seq, e};
  bySeq.clear();
  for (const auto &p : placed)
    if (p.second.valid())
      bySeq.push_back(p);
}

EventRef RankReader::find(int64_t seq) const {
  auto it = llvm::lower_bound(bySeq, seq, [](const auto &p, int64_t s) { return p.first < s; });
  return it != bySeq.end() && it->first == seq ? it->second : EventRef{};
}

/// Binds flow rows to their events.
Error RankReader::bind() {
  for (size_t i = 0; i != unbound.size(); ++i) {
    FlowRow &f = builder.flows()[i];
    Chunk &chunk = chunks[unbound[i].chunk];
    if (unbound[i].distance == 0) {
      chunk.extent.add(f.at.ns, f.at.ns);
      continue;
    }
    int64_t seq;
    if (!__builtin_sub_overflow(int64_t{f.seq}, unbound[i].distance, &seq))
      f.anchor = find(seq);
    if (!f.anchor.valid() && mayLack()) {
      chunk.complete = false;
      continue;
    }
    if (!f.anchor.valid())
      return damaged("flow row " + Twine(f.seq) + " is bound to an event that is not there");
    const Track &t = rank.track(f.anchor.track);
    if (__builtin_add_overflow(t.begin[f.anchor.index].ns, f.at.ns, &f.at.ns))
      return damaged("flow row " + Twine(f.seq) + " is beyond all time");
    chunk.extent.add(f.at.ns, f.at.ns);
    if (unbound[i].onTrack) {
      f.pid = t.key.pid;
      f.tid = t.key.tid;
    }
  }
  return Error::success();
}

/// Of a part: takes out the flow rows whose event is not in it, and those without one outside its
/// time.
void RankReader::dropUnbound() {
  std::vector<FlowRow> &flows = builder.flows();
  size_t to = 0;
  for (size_t i = 0; i != flows.size(); ++i) {
    const FlowRow &f = flows[i];
    if (f.anchor.valid() ||
        (unbound[i].distance == 0 && (!time || overlaps(time->host, f.at.ns, f.at.ns))))
      flows[to++] = f;
  }
  flows.resize(to);
}

/// Until now edges are marks of events whose launch their correlation gives.
Error RankReader::link() {
  std::vector<Edge> &edges = builder.edges();
  if (!edges.empty()) {
    Launchers launchers(rank);
    for (uint32_t t = 0; t != rank.tracks().size(); ++t)
      if (isThread(rank.track(t).key.family))
        launchers.add(t);
    for (Edge &e : edges) {
      e.from = launchers.of(rank.track(e.to.track), e.to.index);
      if (!e.from.valid() && !mayLack())
        return damaged("an event is marked as launched, but no call has its correlation");
      if (!e.from.valid())
        outside.push_back(e.to);
    }
    llvm::erase_if(edges, [](const Edge &e) { return !e.from.valid(); });
  }
  for (const Link &l : links) {
    EventRef from = find(l.from), to = find(l.to);
    if (mayLack() && !(from.valid() && to.valid())) {
      chunks[l.chunk].complete = false;
      edgesOutside += from.valid() || to.valid();
      continue;
    }
    if (!from.valid() || !to.valid())
      return damaged("an edge leads from row " + Twine(l.from) + " to row " + Twine(l.to) +
                     ", one of which is no event");
    edges.push_back({l.kind, from, to});
    for (EventRef e : {from, to})
      chunks[l.chunk].extent.add(rank.interval(e).begin.ns, rank.interval(e).begin.ns);
  }
  llvm::sort(edges);
  auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice == edges.end())
    return Error::success();
  if (rest) {
    builder.sortEdges();
    return Error::success();
  }
  return damaged("an edge from row " + Twine(rank.track(twice->from.track).seq[twice->from.index]) +
                 " to row " + Twine(rank.track(twice->to.track).seq[twice->to.index]) +
                 " is there twice");
}

/// Puts tracks and their rows in order; they are already if the file says that it is canonical.
Error RankReader::finishTracks() {
  std::vector<TrackKey> keys;
  for (size_t i = 0; i != trackPlaces.size(); ++i) {
    const Track &t = builder.trackAt(trackPlaces[i]);
    if (!t.empty())
      keys.push_back(t.key);
    else if (!mayLack())
      return damaged("track " + Twine(i) + " of " + Twine(trackPlaces.size()) + " has no rows");
  }
  if (canonical && unsorted)
    return damaged("the rows of track " + Twine(*unsorted) +
                   " are out of order, in a file that says that it is canonical");
  builder.finish();
  for (size_t i = 0; canonical && i != keys.size(); ++i)
    if (rank.track(static_cast<uint32_t>(i)).key != keys[i])
      return damaged("the tracks are out of order, in a file that says that it is canonical");
  return Error::success();
}

Expected<std::unique_ptr<Rank>> RankReader::takeHead() {
  if (!hasHead)
    return damaged("a rank has no head");
  if (stated)
    if (Error e = compareNumbers())
      return e;
  return std::move(owned);
}

Expected<std::unique_ptr<Rank>> RankReader::finish() {
  if (!hasHead)
    return damaged("a rank has no head");
  if (!piece.empty() && !rest)
    return damaged("a string ends in the middle");
  if (stated)
    if (Error e = compareNumbers())
      return e;
  if (Error e = finishTracks())
    return e;
  indexSeq();
  if (Error e = bind())
    return e;
  if (mayLack())
    dropUnbound();
  if (Error e = link())
    return e;
  if (stated)
    if (Error e = compare())
      return e;
  if (time) {
    rank.recording.partial = true;
    if (uint64_t edges = edgesOutside + outside.size())
      rank.recording.notes["outside-edge"] += edges;
  }
  return std::move(owned);
}

} // namespace heddle::binary
