//===- Sink.cpp - From events as text to columns --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Sink.h"
#include "Clock.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {

/// Where the keys with a meaning stand among the tokens. The last of several counts.
struct Sink::Roles {
  int phase = -1, category = -1, name = -1, pid = -1, tid = -1, ts = -1, dur = -1, args = -1;

  explicit Roles(ArrayRef<Token> tokens) {
    for (int i = 0, n = static_cast<int>(tokens.size()); i < n; ++i) {
      if (tokens[i].scope != Scope::Event)
        continue;
      StringRef k = tokens[i].key;
      if (k == "ts")
        ts = i;
      else if (k == "ph")
        phase = i;
      else if (k == "cat")
        category = i;
      else if (k == "name")
        name = i;
      else if (k == "pid")
        pid = i;
      else if (k == "tid")
        tid = i;
      else if (k == "dur")
        dur = i;
      else if (k == "args")
        args = i;
    }
  }
};

struct Sink::Times {
  int64_t begin = 0, end = 0; ///< The file's nanoseconds.
  bool derivesTs = false, derivesDur = false;
  uint8_t tsScale = 0, durScale = 0;
};

static Form formOf(const EventText &event, int phase) {
  if (phase < 0 || event.tokens[phase].type != ValueType::String ||
      event.tokens[phase].text.size() != 1)
    return Form::Loose;
  switch (event.tokens[phase].text[0]) {
  case 'X':
    return Form::Span;
  case 'i':
  case 'I':
  case 'R':
    return Form::Instant;
  case 'C':
    return Form::Counter;
  case 's':
  case 't':
  case 'f':
    return Form::Flow;
  case 'B':
  case 'b':
  case 'S':
    return Form::Begin;
  case 'E':
  case 'e':
  case 'F':
    return Form::End;
  case 'n':
  case 'T':
  case 'p':
    return Form::Instant;
  default:
    return Form::Loose;
  }
}

//===----------------------------------------------------------------------===//
// Loose rows and metadata
//===----------------------------------------------------------------------===//

void Sink::addLoose(StringRef text) { builder.loose({ordinal++, builder.intern(text)}); }

void Sink::readMetadata(const EventText &event, const Roles &roles) {
  auto id = [&](int role) {
    if (role < 0)
      return SourceId{};
    const Token &t = event.tokens[role];
    if (t.type == ValueType::Int)
      return SourceId::integer(t.number);
    return SourceId{t.type == ValueType::String ? SourceId::String : SourceId::Raw, 0,
                    internText(t.type == ValueType::String ? t.text : t.raw)};
  };
  if (roles.name < 0 || roles.args < 0)
    return;
  StringRef what = event.tokens[roles.name].text;
  bool thread = what == "thread_name", label = what == "process_labels";
  if (!thread && !label && what != "process_name")
    return;
  for (const Token &t : event.tokens) {
    if (t.scope != Scope::Args || t.type != ValueType::String ||
        t.key != (label ? "labels" : "name"))
      continue;
    StringId text = internText(t.text.trim());
    if (!thread) {
      (label ? labels : processNames)[id(roles.pid)] = text;
    } else {
      auto [it, added] = names.try_emplace({id(roles.pid), id(roles.tid)}, text);
      if (!added)
        note("repeated-thread-name");
      it->second = text;
    }
  }
}

StringRef Sink::processLabel(const SourceId &pid) const {
  auto it = labels.find(pid);
  return it == labels.end() ? "" : rank.str(it->second);
}

StringRef Sink::processName(const SourceId &pid) const {
  auto it = processNames.find(pid);
  return it == processNames.end() ? "" : rank.str(it->second);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// How a time is spelled if the event's begin or length gives it back, or nullopt.
static std::optional<uint8_t> derivableScale(const Token &t) {
  if (t.type == ValueType::String) {
    auto d = parseDecimal(t.text);
    return d && d->scale <= 3 ? std::optional<uint8_t>(d->scale) : std::nullopt;
  }
  if ((t.type == ValueType::Int || t.type == ValueType::Decimal) && t.scale <= 3)
    return t.scale;
  return std::nullopt;
}

bool Sink::readTimes(const EventText &event, const Roles &roles, Form form, Times &out,
                     uint64_t offset) {
  if (roles.ts < 0)
    return false;
  const Token &ts = event.tokens[roles.ts];
  auto start = parseMicros(ts);
  auto begin = start ? start->toNanoseconds() : std::nullopt;
  if (!begin)
    return false;
  out.begin = out.end = *begin;
  if (ts.type == ValueType::String)
    repaired(Repair::QuotedNumber, offset);
  if (auto scale = derivableScale(ts))
    out.derivesTs = true, out.tsScale = *scale;
  else
    note(start->scale > 3 ? "sub-ns-time" : "odd-time");
  if (form != Form::Span)
    return true;
  if (roles.dur < 0) {
    repaired(Repair::MissingDuration, offset);
    return true;
  }
  const Token &dur = event.tokens[roles.dur];
  auto length = parseMicros(dur);
  if (!length) {
    bool huge = dur.type == ValueType::Raw && isDigit(dur.text.front());
    repaired(huge ? Repair::AbsurdDuration : Repair::MissingDuration, offset);
    return true;
  }
  if (dur.type == ValueType::String)
    repaired(Repair::QuotedNumber, offset);
  if (length->negative()) {
    repaired(Repair::NegativeDuration, offset);
    return true;
  }
  auto end = (*start + *length).toNanoseconds();
  if (!end) {
    repaired(Repair::AbsurdDuration, offset);
    return true;
  }
  out.end = std::max(*begin, *end);
  auto scale = derivableScale(dur);
  if (scale && length->toNanoseconds() == out.end - out.begin)
    out.derivesDur = true, out.durScale = *scale;
  else if (length->scale > 3)
    note("sub-ns-time");
  return true;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Value Sink::valueOf(const Token &t) {
  Value v;
  if (t.type == ValueType::String && !t.plain)
    v.id = builder.intern(t.text);
  v.number = t.number;
  v.text = t.type == ValueType::Raw ? t.raw : t.text;
  v.type = t.type;
  v.scale = t.scale;
  return v;
}

void Sink::add(const EventText &event, uint64_t offset) {
  for (Repair r : lexer.found)
    repaired(r, offset);
  Roles roles(event.tokens);
  Form form = formOf(event, roles.phase);
  if (form == Form::Loose) {
    if (event.tokens.empty())
      repaired(Repair::EmptyEvent, offset);
    if (roles.phase >= 0 && event.tokens[roles.phase].text == "M")
      readMetadata(event, roles);
    addLoose(canonicalText(event.raw));
    return;
  }
  Times times;
  if (!readTimes(event, roles, form, times, offset)) {
    note("no-time");
    addLoose(canonicalText(event.raw));
    return;
  }
  if (form != Form::Flow && form != Form::End &&
      (roles.name < 0 || event.tokens[roles.name].type != ValueType::String))
    repaired(Repair::MissingName, offset);

  Layout layout;
  layout.phase = event.tokens[roles.phase].text[0];
  if (roles.category >= 0 && event.tokens[roles.category].type == ValueType::String)
    layout.cat = internText(event.tokens[roles.category].text);
  bool async = isAsyncPhase(layout.phase);
  // The lane of an asynchronous event is not its thread's, and with id2 its process may be none.
  bool derivesTid = form != Form::Counter && !async;
  bool derivesPid = !async || none_of(event.tokens, [](const Token &t) {
    return t.scope == Scope::Event && t.key == "id2";
  });
  SmallVector<Plan::Target, 32> targets;
  SmallVector<Value, 32> values; // parallel to targets, as are tokens
  SmallVector<Token, 32> tokens;
  bool spelled = event.learnable; // every value's spelling gives it back
  for (int i = 0, n = static_cast<int>(event.tokens.size()); i < n; ++i) {
    Token t = event.tokens[i];
    Entry e{t.scope, t.type, 0, false, internText(t.key)};
    Use use = t.type == ValueType::Null ? Use::Nothing : Use::Column;
    bool quoted = t.type == ValueType::String, absorbed = false;
    if (i == roles.phase) {
      e.type = ValueType::Phase;
      absorbed = true;
    } else if (i == roles.category && quoted) {
      e.type = ValueType::Cat;
      absorbed = true;
    } else if (t.type == ValueType::Args && i == roles.args) {
      absorbed = true;
    } else if (t.type == ValueType::Args) {
      // Args that stand twice: the last count, those before are kept as one value.
      t.text = canonicalText(t.raw);
      e.type = t.type = ValueType::List;
      while (i + 1 < n && event.tokens[i + 1].scope == Scope::Args)
        ++i;
    } else if (i == roles.name && quoted) {
      e.type = ValueType::Name;
      use = Use::Name;
    } else if ((i == roles.pid && derivesPid) || (i == roles.tid && derivesTid)) {
      e.type = i == roles.pid ? ValueType::Pid : ValueType::Tid;
      use = i == roles.pid ? Use::Pid : Use::Tid;
      if (t.type != ValueType::Int && !quoted) {
        t.raw = lexer.canonical(t);
        t.type = ValueType::Raw;
      }
    } else if (i == roles.ts && times.derivesTs) {
      e = {e.scope, ValueType::Ts, times.tsScale, quoted, e.key};
      use = Use::Ts;
    } else if (i == roles.dur && times.derivesDur) {
      e = {e.scope, ValueType::Dur, times.durScale, quoted, e.key};
      use = Use::Dur;
    }
    layout.entries.push_back(e);
    if (absorbed)
      continue;
    spelled &= t.type != ValueType::Raw;
    targets.push_back({use, static_cast<uint16_t>(layout.entries.size() - 1)});
    values.push_back(valueOf(t));
    tokens.push_back(t);
  }
  Plan *plan = planFor(layout, form, targets);
  if (!plan && async) { // what it shares an id with would be lost in one raw value
    note("raw-layout");
    addLoose(canonicalText(event.raw));
    return;
  }
  if (!plan) {
    addRaw(event, layout, form, targets, values, times);
    return;
  }
  if (plan->duplicates)
    repaired(Repair::DuplicateKey, offset, plan->duplicates);
  if (plan->nullArgs)
    repaired(Repair::NullArgs, offset);
  commit(*plan, values, times.begin, times.end);
  if (!spelled)
    return;
  for (const Token &t : tokens) {
    // What the lexer decoded is known by its spelling from now on.
    bool list = t.type == ValueType::List;
    if (!list && (t.type != ValueType::String || t.plain))
      continue;
    StringRef spelling = list ? t.raw : t.raw.drop_front().drop_back();
    StringId id = builder.intern(t.text);
    if (cache.find(spelling, list) != id)
      cache.insert(spelling, list, id, rank.str(id));
  }
  if (plan->predictable)
    predictor.learn(event.raw, tokens, plan);
}

/// Beyond the limit of layouts an event is one raw value; its kind and its track are as ever.
void Sink::addRaw(const EventText &event, const Layout &layout, Form form,
                  ArrayRef<Plan::Target> targets, ArrayRef<Value> values, const Times &times) {
  SmallVector<Value, 4> few(4); // the whole, name, pid, tid: see rawPlan
  few[0].type = ValueType::Raw;
  few[0].text = canonicalText(event.raw);
  for (size_t i = 0; i < targets.size(); ++i) {
    Use use = targets[i].use;
    if (use == Use::Name || use == Use::Pid || use == Use::Tid)
      few[use == Use::Name ? 1 : use == Use::Pid ? 2 : 3] = values[i];
  }
  note("raw-layout");
  commit(*rawPlan(layout, form), few, times.begin, times.end);
}

/// What was read as an event or an object before, in canonical spacing.
StringRef Sink::canonicalText(StringRef raw) {
  const char *p = raw.begin();
  StringRef text;
  size_t mends = lexer.found.size();
  if (lexer.nested(p, text) != Scan::Ok)
    text = raw;
  lexer.found.truncate(mends);
  return text;
}

/// Begin and end of a predicted event follow from its Ts and Dur values, which are not negative
/// and have at most three digits behind the point.
bool Sink::addMatched(Plan &plan) {
  static constexpr int64_t unit[] = {1000, 100, 10, 1};
  int64_t begin = 0, length = 0;
  for (size_t i = 0, n = predicted.size(); i < n; ++i) {
    Use use = plan.targets[i].use;
    if (use == Use::Ts)
      begin = predicted[i].number * unit[predicted[i].scale];
    else if (use == Use::Dur)
      length = predicted[i].number * unit[predicted[i].scale];
  }
  if (begin + length > kMaxAbsTimeNs / 2)
    return false;
  commit(plan, predicted, begin, begin + length);
  return true;
}

} // namespace heddle::chrome
