//===- Split.cpp - Several ranks in one file ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Scripts merge the traces of ranks by writing whose each process is before its id: "[TP01] 4100".
// Ids of launches count from the same number in every rank, so that ranks are told apart before
// anything is linked.
//
//===----------------------------------------------------------------------===//
#include "Split.h"
#include "JsonView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace heddle::chrome {

StringRef partLabel(StringRef pid) {
  if (!pid.consume_front("["))
    return "";
  auto [label, rest] = pid.split(']');
  bool word = !label.empty() && isAlpha(label.front()) && any_of(label, isDigit) &&
              all_of(label, [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == ' '; });
  return word && rest.starts_with(" ") ? label : "";
}

/// The number of "TP01"; none of a label of several parallelisms.
static std::optional<int64_t> numberOf(StringRef label) {
  int64_t n;
  label = label.drop_while([](char c) { return isAlpha(c) || c == '-' || c == '_' || c == ' '; });
  return label.getAsInteger(10, n) || n < 0 ? std::nullopt : std::optional(n);
}

static void note(Recording &recording, StringRef kind, uint64_t n) {
  if (n)
    recording.notes[kind.str()] += n;
}

namespace {
/// No job merges more; what each part repeats is bounded by them.
constexpr size_t kMaxParts = 1024, kMaxDevices = 1024;
constexpr uint64_t kMaxCopiedText = uint64_t{1} << 30;
/// Members of the document that all parts carry; the first carries all.
constexpr size_t kSharedDocumentBytes = 64 << 10;
constexpr uint32_t kNoPart = 0xffffffff;

/// One rank in the making.
struct Part {
  explicit Part(std::string label, StringRef exported = "")
      : label(std::move(label)), exported(exported), rank(std::make_unique<Rank>()),
        builder(*rank) {}
  std::string label;
  StringRef exported; ///< Its description in an export.
  std::unique_ptr<Rank> rank;
  RankBuilder builder;
  DenseMap<uint32_t, StringId> strings; ///< By the whole's id.
  DenseMap<unsigned, LayoutId> layouts; ///< Likewise.
};

class Splitter {
public:
  explicit Splitter(const Rank &whole) : whole(whole) {}

  /// False if it is the file of one rank.
  bool findParts();
  /// False if a device's part cannot be told.
  bool placeTracks();
  std::vector<std::unique_ptr<Rank>> split();

private:
  bool findExported();
  uint32_t partOf(const SourceId &pid) const {
    if (pid.form == SourceId::Int) {
      auto it = byNumber.find(pid.value);
      return it == byNumber.end() ? kNoPart : it->second;
    }
    if (pid.form != SourceId::String)
      return kNoPart;
    auto it = byLabel.find(partLabel(whole.str(pid.text)));
    return it == byLabel.end() ? kNoPart : it->second;
  }
  void placeByLaunches(const std::vector<uint32_t> &devices);

  StringId text(Part &p, StringId id);
  SourceId source(Part &p, SourceId id);
  /// The layout and row of a copy.
  std::pair<LayoutId, uint32_t> row(Part &p, LayoutId layout, uint32_t row);
  /// Returns its index before the part is finished; its events keep theirs.
  uint32_t copyTrack(Part &p, const Track &track);
  void describe(Part &p, bool first);
  void describeExported(Part &p, bool first);

  const Rank &whole;
  std::vector<Part> parts;
  std::map<std::string, uint32_t, std::less<>> byLabel;
  std::map<int64_t, uint32_t> byNumber; ///< Processes of an export.
  std::vector<uint32_t> partOfTrack;
  std::map<std::pair<SourceId, SourceId>, uint32_t> deviceRows; ///< Without label, by pid and tid.
  uint64_t unlabelled = 0, copied = 0;
  bool numbered = false;
};
} // namespace

bool Splitter::findExported() {
  if (!isExportOfRanks(whole.recording.document))
    return false;
  forEachElement(member(whole.recording.document.find("heddle"), "members"), [&](StringRef text) {
    if (parts.size() == kMaxParts)
      return;
    auto index = static_cast<uint32_t>(parts.size());
    parts.emplace_back(chrome::text(member(text, "title")), text);
    forEachElement(member(text, "pids"), [&](StringRef pid) {
      if (auto n = integer(pid))
        byNumber.try_emplace(*n, index);
    });
  });
  return true;
}

bool Splitter::findParts() {
  if (findExported())
    return true;
  std::set<std::string> labels;
  for (const Track &t : whole.tracks())
    if (t.key.family == Family::ThreadWork && t.key.pid.form == SourceId::String)
      if (StringRef label = partLabel(whole.str(t.key.pid.text)); !label.empty())
        labels.insert(label.str());
  if (labels.size() < 2 || labels.size() > kMaxParts ||
      whole.recording.devices.size() > kMaxDevices)
    return false;
  std::vector<std::pair<int64_t, std::string>> order;
  std::set<int64_t> numbers;
  for (const std::string &label : labels) {
    std::optional<int64_t> n = numberOf(label);
    if (n && *n < whole.worldSize.value_or(INT64_MAX))
      numbers.insert(*n);
    order.emplace_back(n.value_or(0), label);
  }
  numbered = numbers.size() == labels.size();
  if (numbered)
    sort(order);
  for (auto &[n, label] : order) {
    byLabel[label] = static_cast<uint32_t>(parts.size());
    parts.emplace_back(label);
  }
  return true;
}

bool Splitter::placeTracks() {
  std::vector<uint32_t> devices;
  for (const Track &t : whole.tracks()) {
    partOfTrack.push_back(partOf(t.key.pid));
    if (partOfTrack.back() == kNoPart && byNumber.empty() && t.key.family == Family::StreamWork)
      devices.push_back(static_cast<uint32_t>(partOfTrack.size() - 1));
  }
  if (!devices.empty())
    placeByLaunches(devices);
  for (uint32_t d : devices) {
    if (partOfTrack[d] == kNoPart)
      return false;
    // What else stands on the rows of a stream goes with it.
    const TrackKey &key = whole.track(d).key;
    for (uint32_t t = 0; t != partOfTrack.size(); ++t)
      if (const Track &other = whole.track(t); partOfTrack[t] == kNoPart &&
                                               isStream(other.key.family) &&
                                               other.key.pid == key.pid && other.key.tid == key.tid)
        partOfTrack[t] = partOfTrack[d];
    deviceRows[{key.pid, key.tid}] = partOfTrack[d];
  }
  for (uint32_t t = 0; t != partOfTrack.size(); ++t)
    if (partOfTrack[t] == kNoPart) {
      partOfTrack[t] = 0;
      unlabelled += whole.track(t).size();
    }
  return true;
}

/// A cause precedes its effect: an activity's part is the one that called with its id before it
/// began, if that is only one. All of a stream must agree.
void Splitter::placeByLaunches(const std::vector<uint32_t> &devices) {
  AttrReader correlation(whole, "correlation");
  struct Call {
    int64_t begin;
    uint32_t part;
  };
  DenseMap<int64_t, SmallVector<Call, 2>> calls;
  auto idOf = [&](const Track &t, uint32_t i) {
    int64_t id = correlation.getInt(t, i).value_or(0);
    return id > INT64_MIN + 1 && id < INT64_MAX - 1 ? id : 0;
  };
  for (uint32_t n = 0; n != partOfTrack.size(); ++n) {
    const Track &t = whole.track(n);
    if (t.key.family != Family::ThreadWork || partOfTrack[n] == kNoPart)
      continue;
    for (uint32_t i = 0; i != t.size(); ++i)
      if (int64_t id = isApiCall(t.kinds[i]) ? idOf(t, i) : 0) {
        auto &same = calls[id];
        // Of a part the earliest call is enough, so that an id has a call for each part at most.
        auto it = find_if(same, [&](const Call &c) { return c.part == partOfTrack[n]; });
        if (it == same.end())
          same.push_back({t.begin[i].ns, partOfTrack[n]});
        else
          it->begin = std::min(it->begin, t.begin[i].ns);
      }
  }
  for (uint32_t d : devices) {
    const Track &t = whole.track(d);
    uint32_t owner = kNoPart;
    bool agree = true;
    for (uint32_t i = 0; i != t.size() && agree; ++i) {
      int64_t id = idOf(t, i);
      auto it = id ? calls.find(id) : calls.end();
      if (it == calls.end())
        continue;
      uint32_t only = kNoPart, count = 0;
      for (const Call &c : it->second)
        if (c.begin <= t.begin[i].ns) {
          only = c.part;
          ++count;
        }
      if (count != 1)
        continue;
      agree = owner == kNoPart || owner == only;
      owner = only;
    }
    if (agree)
      partOfTrack[d] = owner;
  }
}

StringId Splitter::text(Part &p, StringId id) {
  if (id == StringId::None || id == StringId::Empty)
    return id;
  auto [it, added] = p.strings.try_emplace(static_cast<uint32_t>(id), StringId::None);
  if (added && (copied += whole.str(id).size()) <= kMaxCopiedText)
    it->second = p.builder.intern(whole.str(id));
  return it->second;
}

SourceId Splitter::source(Part &p, SourceId id) {
  id.text = text(p, id.text);
  return id;
}

std::pair<LayoutId, uint32_t> Splitter::row(Part &p, LayoutId layout, uint32_t row) {
  const LayoutStore &from = whole.layout(layout);
  auto [to, added] = p.layouts.try_emplace(static_cast<uint16_t>(layout), LayoutId());
  if (added) {
    Layout l = from.layout;
    l.cat = text(p, l.cat);
    for (Entry &e : l.entries)
      e.key = text(p, e.key);
    to->second = *p.builder.layout(l); // they are as many as the whole has, at most
  }
  LayoutStore &store = p.builder.store(to->second);
  for (size_t i = 0; i != store.columns.size(); ++i) {
    const Column &a = from.columns[i];
    Column &b = store.columns[i];
    if (!a.ints.empty())
      b.ints.push_back(a.ints[row]);
    if (!a.bytes.empty())
      b.bytes.push_back(a.bytes[row]);
    if (!a.strings.empty())
      b.strings.push_back(text(p, a.strings[row]));
  }
  return {to->second, p.builder.endRow(to->second)};
}

uint32_t Splitter::copyTrack(Part &p, const Track &track) {
  TrackKey key = {source(p, track.key.pid), source(p, track.key.tid), track.key.family};
  uint32_t t = p.builder.track(key);
  p.builder.trackAt(t).device = track.device;
  p.builder.trackAt(t).stream = track.stream;
  p.builder.trackAt(t).name = text(p, track.name);
  for (uint32_t i = 0; i != track.size(); ++i) {
    auto [layout, r] = row(p, track.layouts[i], track.rows[i]);
    p.builder.event(t, track.begin[i], track.end[i], text(p, track.names[i]), track.kinds[i],
                    layout, r, track.seq[i]);
  }
  return t;
}

void Splitter::describe(Part &p, bool first) {
  Rank &rank = *p.rank;
  const Recording &from = whole.recording;
  Recording &rec = rank.recording;
  rec.path = from.path;
  rec.part = p.label;
  rec.bytes = from.bytes;
  rec.format = from.format;
  rec.producer = from.producer;
  rec.origin = from.origin;
  rec.base = from.base;
  rec.absolute = from.absolute;
  rec.unpaddedFraction = from.unpaddedFraction;
  rec.integerMicroseconds = from.integerMicroseconds;
  rec.partial = from.partial;
  rec.truncatedAt = from.truncatedAt;
  rec.vendor = from.vendor;
  rec.devices = from.devices;
  rec.sourceEvents = rank.numEvents() + rank.flows().size() + rank.loose().size();
  rank.worldSize = whole.worldSize;
  rank.backend = whole.backend;
  if (!p.exported.empty())
    return describeExported(p, first);
  if (numbered)
    rank.number = numberOf(p.label);
  if (first) { // what was read of the file is told once, and its header is its first file's
    rec.document = from.document;
    rec.repairs = from.repairs;
    rec.notes = from.notes;
    note(rec, "without-part", unlabelled);
    rank.host = whole.host;
    return;
  }
  rec.document.isArray = from.document.isArray;
  size_t bytes = 0;
  for (const Document::Member &m : from.document.members)
    if (bytes += m.key.size() + m.value.size(); bytes <= kSharedDocumentBytes)
      rec.document.members.push_back(m);
    else
      bytes -= m.key.size() + m.value.size();
}

/// What it was before: the file's members, but for those that are its own.
void Splitter::describeExported(Part &p, bool first) {
  StringRef own = member(p.exported, "document");
  std::set<std::string> told = {"heddle", "traceEvents", "baseTimeNanoseconds", "displayTimeUnit"};
  std::vector<Document::Member> &members = p.rank->recording.document.members;
  forEachMember(own, [&](StringRef key, StringRef value) {
    if (told.insert(key.str()).second && value != "null")
      members.push_back({key.str(), value.str()});
  });
  for (const Document::Member &m : whole.recording.document.members)
    if (!told.count(m.key) && (copied += m.value.size()) <= kMaxCopiedText)
      members.push_back(m);
  members.push_back({"heddle", p.exported.str()});
  p.rank->recording.devices.clear(); // the document tells its own
  if (first)
    p.rank->recording.notes = whole.recording.notes;
}

std::vector<std::unique_ptr<Rank>> Splitter::split() {
  std::vector<uint32_t> newTrack;
  for (uint32_t t = 0; t != partOfTrack.size(); ++t)
    newTrack.push_back(copyTrack(parts[partOfTrack[t]], whole.track(t)));
  for (const FlowRow &f : whole.flows()) {
    // The end of a span goes with it; flow events are bound to nothing yet.
    uint32_t n = f.anchor.valid() ? partOfTrack[f.anchor.track] : partOf(f.pid);
    if (auto it = deviceRows.find({f.pid, f.tid}); n == kNoPart && it != deviceRows.end())
      n = it->second;
    unlabelled += n == kNoPart;
    Part &p = parts[n == kNoPart ? 0 : n];
    FlowRow copy = f;
    copy.pid = source(p, f.pid);
    copy.tid = source(p, f.tid);
    copy.name = text(p, f.name);
    copy.anchor =
        f.anchor.valid() ? EventRef{newTrack[f.anchor.track], f.anchor.index} : EventRef();
    std::tie(copy.layout, copy.row) = row(p, f.layout, f.row);
    p.builder.flow(copy);
  }
  for (const LooseRow &l : whole.loose()) {
    StringRef pid = member(whole.str(l.text), "pid");
    uint32_t n = kNoPart;
    if (auto number = byNumber.empty() ? std::nullopt : integer(pid))
      n = partOf(SourceId::integer(*number));
    else if (auto it = byLabel.find(partLabel(chrome::text(pid))); it != byLabel.end())
      n = it->second;
    unlabelled += n == kNoPart;
    Part &p = parts[n == kNoPart ? 0 : n];
    p.builder.loose({l.seq, text(p, l.text)});
  }
  std::vector<std::unique_ptr<Rank>> ranks;
  if (copied > kMaxCopiedText)
    return ranks; // strings that all parts share, and no such file is real
  for (auto [i, p] : enumerate(parts)) {
    p.builder.finish();
    describe(p, i == 0);
    ranks.push_back(std::move(p.rank));
  }
  return ranks;
}

bool isExportOfRanks(const Document &document) {
  StringRef ours = document.find("heddle");
  size_t several = 0;
  if (text(member(ours, "profile")) == "viewer")
    forEachElement(member(ours, "members"), [&](StringRef) { ++several; });
  return several > 1;
}

std::vector<std::unique_ptr<Rank>> splitMerged(Rank &whole) {
  Splitter splitter(whole);
  if (!splitter.findParts())
    return {};
  if (splitter.placeTracks())
    if (auto ranks = splitter.split(); !ranks.empty())
      return ranks;
  whole.number.reset(); // the header's is that of one of them
  note(whole.recording, "merged-ranks-not-told-apart", 1);
  return {};
}

} // namespace heddle::chrome
