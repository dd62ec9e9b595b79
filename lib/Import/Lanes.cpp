//===- Lanes.cpp - Rows whose process says what they are ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Ascend's profilers (msprof, torch_npu) write no category for what devices and CANN do: the name
/// of the process says it, and of a device's task its type. Such rows go where those of other
/// recorders are.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "heddle/IR/Names.h"

using namespace llvm;

namespace heddle::chrome {
namespace {

enum class Lane : uint8_t {
  Other,
  Device,      ///< Tasks of streams, and the steps of a model.
  Collectives, ///< Collectives as wholes, and the tasks that they are made of.
  Calls,       ///< What the host's threads call.
  Derived,     ///< The profiler's own sums of the others.
};

Lane laneOf(StringRef process, StringRef label) {
  if (process == "CANN" && label == "CPU")
    return Lane::Calls;
  if (!label.starts_with("NPU"))
    return Lane::Other;
  if (process == "Ascend Hardware")
    return Lane::Device;
  if (process == "HCCL" || process == "Communication")
    return Lane::Collectives;
  return process == "Overlap Analysis" ? Lane::Derived : Lane::Other;
}

/// Gives the spans of one row their kinds and families.
class RowMover {
public:
  RowMover(Sink &sink, const AttrReader &taskType, NameFacts &names)
      : rank(sink.ranked()), builder(sink.ranks()), taskType(taskType), names(names) {}

  void move(uint32_t index, Lane lane, int64_t device) {
    Track source = std::move(builder.trackAt(index));
    builder.trackAt(index) = Track(); // finish() drops it if it stays empty
    builder.trackAt(index).key = source.key;
    builder.trackAt(index).name = source.name;
    places.resize(std::max<size_t>(places.size(), index + 1));
    for (uint32_t i = 0; i != source.size(); ++i) {
      auto [kind, family] = classify(source, i, lane);
      uint32_t to = builder.track({source.key.pid, source.key.tid, family});
      Track &t = builder.trackAt(to);
      if (t.empty()) {
        t.name = source.name;
        t.device = isStream(family) ? device : -1;
        t.stream =
            isStream(family) && source.key.tid.form == SourceId::Int ? source.key.tid.value : -1;
      }
      uint32_t at = builder.event(to, source.begin[i], source.end[i], source.names[i], kind,
                                  source.layouts[i], source.rows[i], source.seq[i]);
      places[index].push_back({to, at});
    }
  }

  /// Where an event of a row that was moved is now.
  EventRef placeOf(EventRef e) const {
    bool moved = e.valid() && e.track < places.size() && e.index < places[e.track].size();
    return moved ? places[e.track][e.index] : e;
  }

private:
  std::pair<EventKind, Family> classify(const Track &t, uint32_t i, Lane lane) {
    if (t.kinds[i] != EventKind::Other)
      return {t.kinds[i], t.key.family};
    StringRef row = t.name == StringId::None ? StringRef() : rank.str(t.name);
    switch (lane) {
    case Lane::Calls:
      return {EventKind::Runtime, Family::ThreadWork};
    case Lane::Derived:
      return {EventKind::Window, Family::Window};
    case Lane::Collectives: // the tasks stand on the device's streams as well
      if (row.starts_with("Plane"))
        return {EventKind::Annotation, Family::StreamAnnotation};
      return {EventKind::Kernel, Family::StreamWork};
    default:
      break;
    }
    if (row.starts_with("Step Trace"))
      return {EventKind::Annotation, Family::StreamAnnotation};
    auto says = [&](NameFact fact) {
      auto type = taskType.getString(t, i);
      return names.is(fact, t.names[i]) || (type && nameIs(fact, *type));
    };
    if (says(NameFact::AscendOrder))
      return {EventKind::Sync, Family::StreamSync};
    return {says(NameFact::AscendCopy) ? EventKind::Memcpy : EventKind::Kernel, Family::StreamWork};
  }

  Rank &rank;
  RankBuilder &builder;
  const AttrReader &taskType;
  NameFacts &names;
  std::vector<std::vector<EventRef>> places; ///< By track that was left, and event.
};

} // namespace

void settleLanes(Sink &sink) {
  Rank &rank = sink.ranked();
  AttrReader taskType(rank, {"Task Type", "task type"});
  NameFacts names(rank.strings());
  RowMover mover(sink, taskType, names);
  bool devices = false, calls = false;
  for (uint32_t n = 0, size = static_cast<uint32_t>(rank.tracks().size()); n != size; ++n) {
    const Track &t = rank.track(n);
    if (t.key.family != Family::ThreadWork || t.empty())
      continue;
    StringRef label = sink.processLabel(t.key.pid);
    Lane lane = laneOf(sink.processName(t.key.pid), label);
    if (lane == Lane::Other)
      continue;
    label.consume_front("NPU");
    int64_t device;
    if (label.trim().getAsInteger(10, device))
      device = 0;
    mover.move(n, lane, device);
    devices |= lane == Lane::Device || lane == Lane::Collectives;
    calls |= lane == Lane::Calls;
  }
  for (FlowRow &f : sink.ranks().flows())
    f.anchor = mover.placeOf(f.anchor);
  Recording &rec = rank.recording;
  if (devices || calls)
    rec.format = "kineto"; // rows of devices and their launches, as in its files
  if ((devices || calls) && rec.vendor == Vendor::None)
    rec.vendor = Vendor::Other;
}

} // namespace heddle::chrome
