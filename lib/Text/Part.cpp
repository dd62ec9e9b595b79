//===- Part.cpp - What a layout says besides its arguments ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Part.h"
#include "Escape.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::text;

bool Part::hasBraces() const {
  for (const PartEntry &e : entries)
    if (e.what == PartEntry::Args || e.what == PartEntry::Members)
      return true;
  return false;
}

bool text::mayBeInstant(EventKind kind) {
  switch (kind) {
  case EventKind::CpuOp:
  case EventKind::Runtime:
  case EventKind::Driver:
  case EventKind::Kernel:
  case EventKind::Memcpy:
  case EventKind::Memset:
  case EventKind::Sync:
  case EventKind::Python:
    return false;
  default:
    return true;
  }
}

/// What current recorders of CUDA write as `cat`; empty for those that write none.
static llvm::StringRef usualCat(EventKind kind, bool onStream) {
  switch (kind) {
  case EventKind::Annotation:
    return onStream ? "gpu_user_annotation" : "user_annotation";
  case EventKind::Runtime:
    return "cuda_runtime";
  case EventKind::Driver:
    return "cuda_driver";
  case EventKind::Memcpy:
    return "gpu_memcpy";
  case EventKind::Memset:
    return "gpu_memset";
  case EventKind::Sync:
    return "cuda_sync";
  case EventKind::DeviceEvent:
    return "cuda_event";
  case EventKind::Python:
    return "python_function";
  case EventKind::Memory:
    return "cpu_instant_event";
  case EventKind::Comm:
    return "collective_comm";
  case EventKind::Window:
    return "Trace";
  case EventKind::Marker:
  case EventKind::Counter:
  case EventKind::Other:
    return "";
  default:
    return kindName(kind);
  }
}

Part text::usualPart(const PartContext &context, std::optional<llvm::StringRef> cat) {
  Part part;
  part.phase = context.isSpan ? 'X' : context.kind == EventKind::Counter ? 'C' : 'i';
  if (context.kind == EventKind::Other) {
    if (cat)
      part.cat = cat->str();
  } else if (llvm::StringRef usual = usualCat(context.kind, context.onStream); !usual.empty()) {
    part.cat = usual.str();
  }
  auto derived = [&](ValueType type) {
    part.entries.emplace_back();
    part.entries.back().type = type;
  };
  derived(ValueType::Phase);
  if (part.cat)
    derived(ValueType::Cat);
  derived(ValueType::Name);
  if (context.hasPid)
    derived(ValueType::Pid);
  if (context.hasTid)
    derived(ValueType::Tid);
  derived(ValueType::Ts);
  if (context.isSpan)
    derived(ValueType::Dur);
  if (context.hasArgs) {
    part.entries.emplace_back();
    part.entries.back().what = PartEntry::Args;
    part.entries.back().count = PartEntry::kAll;
  }
  return part;
}

Part text::partOf(const Rank &rank, const Layout &layout) {
  Part part;
  part.phase = layout.phase;
  if (layout.cat != StringId::None)
    part.cat = rank.str(layout.cat).str();
  uint32_t total = 0;
  for (const Entry &e : layout.entries)
    total += e.scope == Scope::Args;
  for (const Entry &e : layout.entries) {
    if (e.scope == Scope::Args) {
      PartEntry *last = part.entries.empty() ? nullptr : &part.entries.back();
      if (!last || (last->what != PartEntry::Args && last->what != PartEntry::Members)) {
        part.entries.emplace_back();
        last = &part.entries.back();
        last->what = PartEntry::Members;
      }
      ++last->count;
      continue;
    }
    PartEntry entry;
    llvm::StringRef key = rank.str(e.key);
    if (hasColumn(e.type) || e.type == ValueType::Null) {
      entry.what = PartEntry::Slot;
      entry.key = key.str();
    } else {
      entry.what = e.type == ValueType::Args ? PartEntry::Args : PartEntry::Derived;
      entry.type = e.type;
      if (e.type == ValueType::Ts || e.type == ValueType::Dur) {
        entry.scale = e.scale;
        entry.quoted = e.quoted;
      }
      if (key != valueTypeName(e.type))
        entry.key = key.str();
    }
    part.entries.push_back(std::move(entry));
  }
  // The usual case: one args object, and all members in it.
  for (PartEntry &e : part.entries)
    if (e.what == PartEntry::Args && e.count == total) {
      e.count = PartEntry::kAll;
      break;
    }
  return part;
}

std::string text::spell(const Part &part) {
  llvm::SmallString<128> out;
  appendQuoted(out, llvm::StringRef(&part.phase, 1));
  if (part.cat) {
    out += " cat ";
    appendQuoted(out, *part.cat);
  }
  out += " (";
  llvm::ListSeparator separator;
  for (const PartEntry &e : part.entries) {
    out += llvm::StringRef(separator);
    switch (e.what) {
    case PartEntry::Slot:
      appendQuoted(out, *e.key);
      continue;
    case PartEntry::Members:
      out += "members";
      break;
    case PartEntry::Args:
      out += "args";
      break;
    case PartEntry::Derived:
      out += valueTypeName(e.type);
      if (e.quoted)
        out += " quoted";
      if (e.scale != 3)
        out += " " + llvm::utostr(e.scale);
      break;
    }
    if ((e.what == PartEntry::Args && e.count != PartEntry::kAll) || e.what == PartEntry::Members)
      out += " " + llvm::utostr(e.count);
    if (e.key) {
      out += " as ";
      appendQuoted(out, *e.key);
    }
  }
  out += ')';
  return out.str().str();
}
