//===- SinkCommit.cpp - Values into columns, events onto tracks -----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "JsonView.h"
#include "Sink.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace heddle::chrome {

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static uint64_t hashOf(const Layout &l) {
  uint64_t h = static_cast<uint64_t>(l.phase) << 32 | static_cast<uint32_t>(l.cat);
  for (const Entry &e : l.entries) {
    uint64_t word = static_cast<uint64_t>(e.key) << 32 | static_cast<uint64_t>(e.scope) << 24 |
                    static_cast<uint64_t>(e.type) << 16 | static_cast<uint64_t>(e.scale) << 8 |
                    e.quoted;
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h >> 2; // clear of DenseMap's reserved keys
}

Plan *Sink::planFor(const Layout &layout, Form form, ArrayRef<Plan::Target> targets) {
  uint64_t hash = hashOf(layout);
  if (auto it = planIndex.find(hash); it != planIndex.end())
    for (Plan *p : it->second)
      if (builder.store(p->layout).layout == layout)
        return p;
  if (rank.layouts().size() >= limits.maxLayouts || layout.entries.size() > UINT16_MAX)
    return nullptr;
  auto id = builder.layout(layout);
  if (!id)
    return nullptr;
  Plan &plan = plans.emplace_back();
  plan.layout = *id;
  plan.form = form;
  plan.targets.assign(targets.begin(), targets.end());
  fillPlan(plan, layout);
  planIndex[hash].push_back(&plan);
  return &plan;
}

/// The whole event in one column, under the empty key; name, pid and tid only place it.
Plan *Sink::rawPlan(const Layout &source, Form form) {
  Class what =
      classify(source.phase, source.cat == StringId::None ? "" : rank.str(source.cat), kineto);
  Plan *&plan = rawPlans[{source.phase, what.kind, what.family, what.refine}];
  if (plan)
    return plan;
  Layout layout;
  layout.phase = source.phase;
  layout.entries.push_back({Scope::Event, ValueType::Raw, 0, false, StringId::Empty});
  plan = &plans.emplace_back();
  plan->layout = *builder.layout(layout); // there are ids left: maxLayouts is below their number
  plan->form = form;
  plan->targets = {{Use::Column, 0}, {Use::Name, 0}, {Use::Pid, 0}, {Use::Tid, 0}};
  plan->what = what;
  return plan;
}

void Sink::fillPlan(Plan &plan, const Layout &layout) {
  size_t index = static_cast<uint16_t>(plan.layout);
  if (byLayout.size() <= index)
    byLayout.resize(index + 1);
  byLayout[index] = &plan;

  plan.async = isAsyncPhase(layout.phase);
  bool ts = false, dur = false, odd = false, deviceArgs = false;
  SmallDenseSet<uint64_t, 32> keys;
  for (size_t i = 0; i < layout.entries.size(); ++i) {
    const Entry &e = layout.entries[i];
    StringRef key = rank.str(e.key);
    plan.duplicates +=
        !keys.insert(static_cast<uint64_t>(e.scope) << 32 | static_cast<uint32_t>(e.key)).second;
    ts |= e.type == ValueType::Ts && !e.quoted;
    dur |= e.type == ValueType::Dur && !e.quoted;
    plan.named |= e.type == ValueType::Name;
    plan.categorised |= e.type == ValueType::Cat;
    if (e.scope == Scope::Event) {
      if (plan.async && hasColumn(e.type) && (key == "pid" || key == "id2" || key == "scope"))
        for (size_t t = 0; t < plan.targets.size(); ++t)
          if (plan.targets[t].column == i)
            (key == "pid"   ? plan.pidValue
             : key == "id2" ? plan.id2
                            : plan.scope) = static_cast<int>(t);
      plan.nullArgs |= key == "args" && e.type == ValueType::Null;
      odd |= (key == "args" && e.type != ValueType::Args) ||
             (key == "cat" && e.type != ValueType::Cat);
      continue;
    }
    deviceArgs |= key == "stream" || key == "device" || key == "correlation" ||
                  key.equals_insensitive("external id");
    if ((key != "device" && key != "stream") ||
        (e.type != ValueType::Int && e.type != ValueType::String))
      continue;
    for (size_t t = 0; t < plan.targets.size(); ++t)
      if (plan.targets[t].column == i) {
        if (key == "device" && plan.device < 0)
          plan.device = static_cast<int>(t);
        else if (key == "stream" && plan.stream < 0)
          plan.stream = static_cast<int>(t);
      }
  }
  plan.what = classify(layout.phase, layout.cat == StringId::None ? "" : rank.str(layout.cat),
                       kineto || deviceArgs);
  bool needsName = plan.form != Form::Flow && plan.form != Form::End;
  plan.predictable = ts && !odd && !plan.duplicates && (plan.named || !needsName) &&
                     (dur || plan.form != Form::Span);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Text without a backslash is its own spelling, so it may stand in the cache.
StringId Sink::internPlain(StringRef text) {
  StringId id = cache.find(text, false);
  if (id == StringId::None) {
    id = builder.intern(text);
    cache.insert(text, false, id, rank.str(id));
  }
  return id;
}

StringId Sink::internText(StringRef text) {
  return text.contains('\\') ? builder.intern(text) : internPlain(text);
}

StringId Sink::idOf(const Value &v) {
  if (v.id != StringId::None)
    return v.id;
  return v.type == ValueType::String ? internPlain(v.text) : builder.intern(v.text);
}

SourceId Sink::sourceId(const Value &v) {
  if (v.type == ValueType::Int)
    return SourceId::integer(v.number);
  if (v.type == ValueType::Null)
    return {};
  return {v.type == ValueType::String ? SourceId::String : SourceId::Raw, 0, idOf(v)};
}

void Sink::commit(Plan &plan, ArrayRef<Value> values, int64_t begin, int64_t end) {
  LayoutStore &store = builder.store(plan.layout);
  SourceId pid, tid;
  StringId name = StringId::Empty;
  for (size_t i = 0, n = values.size(); i < n; ++i) {
    const Value &v = values[i];
    switch (plan.targets[i].use) {
    case Use::Column: {
      Column &c = store.columns[plan.targets[i].column];
      switch (v.type) {
      case ValueType::Int:
        c.ints.push_back(v.number);
        break;
      case ValueType::Decimal:
        c.ints.push_back(v.number);
        c.bytes.push_back(v.scale);
        break;
      case ValueType::Bool:
        c.bytes.push_back(v.number != 0);
        break;
      default:
        c.strings.push_back(idOf(v));
      }
      break;
    }
    case Use::Name:
      if (v.type != ValueType::Null)
        name = idOf(v);
      break;
    case Use::Pid:
      pid = sourceId(v);
      break;
    case Use::Tid:
      tid = sourceId(v);
      break;
    case Use::Ts:
    case Use::Dur:
    case Use::Nothing:
      break;
    }
  }
  uint32_t row = builder.endRow(plan.layout), seq = ordinal++;
  if (plan.async)
    findLane(plan, values, pid, tid);
  if (plan.form == Form::Flow || plan.form == Form::End) {
    ends |= plan.form == Form::End;
    FlowRow f;
    f.at = {begin};
    f.pid = pid;
    f.tid = tid;
    f.name = name;
    f.layout = plan.layout;
    f.row = row;
    f.seq = seq;
    builder.flow(f);
    return;
  }
  Class what = plan.what;
  if (what.refine != Refine::None)
    what = refine(what, nameFacts, name, rank.str(name),
                  pid.form == SourceId::String ? rank.str(pid.text) : "");
  if (plan.track == UINT32_MAX || plan.family != what.family || !(plan.tid == tid) ||
      !(plan.pid == pid))
    place(plan, what, pid, tid, values);
  else if (isStream(what.family) && (plan.device >= 0 || plan.stream >= 0))
    checkStream(plan, values);
  if (plan.form == Form::Begin)
    waiting.push_back({begin, name, plan.track, row, seq, plan.layout, what.kind});
  else
    builder.event(plan.track, {begin}, {end}, name, what.kind, plan.layout, row, seq);
}

/// The lane of an asynchronous event: its process, unless its id is a global one, and its category
/// and scope as the tid. A lane for each id would be hundreds of thousands.
void Sink::findLane(Plan &plan, ArrayRef<Value> values, SourceId &pid, SourceId &tid) {
  if (plan.pidValue >= 0)
    pid = sourceId(values[static_cast<size_t>(plan.pidValue)]);
  if (plan.id2 >= 0 && !member(values[static_cast<size_t>(plan.id2)].text, "global").empty())
    pid = {};
  StringId scope = StringId::Empty;
  if (plan.scope >= 0 && values[static_cast<size_t>(plan.scope)].type == ValueType::String)
    scope = idOf(values[static_cast<size_t>(plan.scope)]);
  if (plan.laneScope != scope) {
    plan.laneScope = scope;
    StringId cat = rank.layout(plan.layout).layout.cat;
    SmallString<64> text(cat == StringId::None ? StringRef() : rank.str(cat));
    if (!rank.str(scope).empty())
      (text += ":") += rank.str(scope);
    plan.lane = {};
    if (!text.empty() || cat != StringId::None)
      plan.lane = {SourceId::String, 0, builder.intern(text)};
  }
  tid = plan.lane;
}

static std::optional<int64_t> integerOf(const Value &v) {
  if (v.type == ValueType::Int)
    return v.number;
  int64_t n;
  if (v.type == ValueType::String && !v.text.getAsInteger(0, n))
    return n;
  return std::nullopt;
}

/// The number in an id, for streams that args do not name: 7, "7", "stream 7".
static int64_t numberIn(const SourceId &id, const Rank &rank) {
  if (id.form == SourceId::Int)
    return id.value;
  StringRef text = rank.str(id.text).trim();
  int64_t n;
  text.consume_front("stream ");
  return id.form == SourceId::String && !text.getAsInteger(10, n) ? n : -1;
}

/// The track of an event; plan remembers it.
void Sink::place(Plan &plan, Class what, const SourceId &pid, const SourceId &tid,
                 ArrayRef<Value> values) {
  plan.pid = pid;
  plan.tid = tid;
  plan.family = what.family;
  plan.track = builder.track({pid, what.family == Family::Counter ? SourceId{} : tid, what.family});
  if (!isStream(what.family))
    return;
  if (streams.size() <= plan.track)
    streams.resize(plan.track + 1);
  Track &t = builder.trackAt(plan.track);
  if (t.empty() && !streams[plan.track].device && !streams[plan.track].stream) {
    bool legacy = pid.form == SourceId::String; // "CUDA functions": a row a device
    t.device = numberIn(legacy ? tid : pid, rank);
    t.stream = legacy ? -1 : numberIn(tid, rank);
  }
  checkStream(plan, values);
}

/// What args say about device and stream outranks pid and tid; the first to say it is believed.
void Sink::checkStream(const Plan &plan, ArrayRef<Value> values) {
  Track &t = builder.trackAt(plan.track);
  StreamFacts &facts = streams[plan.track];
  if (auto device = plan.device >= 0 ? integerOf(values[plan.device]) : std::nullopt) {
    if (!facts.device)
      t.device = *device, facts.device = true;
    else if (t.device != *device)
      note("device-differs-on-row");
  }
  if (auto stream = plan.stream >= 0 ? integerOf(values[plan.stream]) : std::nullopt) {
    if (!facts.stream)
      t.stream = *stream, facts.stream = true;
    else if (t.stream != *stream)
      note("stream-differs-on-row");
  }
}

} // namespace heddle::chrome
