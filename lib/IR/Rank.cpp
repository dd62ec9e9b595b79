//===- Rank.cpp - What one worker did, in columns -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Rank.h"
#include "llvm/Support/MathExtras.h"

using namespace heddle;

std::optional<int64_t> Recording::unixOrigin() const {
  int64_t at = origin;
  if (!absolute && (!base || *base <= 0 || llvm::AddOverflow(*base, origin, at)))
    return std::nullopt;
  return at >= -kMaxAbsTimeNs && at <= kMaxAbsTimeNs ? std::optional(at) : std::nullopt;
}

llvm::StringRef Document::find(llvm::StringRef key) const {
  for (auto it = members.rbegin(); it != members.rend(); ++it)
    if (it->key == key)
      return it->value;
  return "";
}

Rank::Rank() : stringTable(std::make_unique<StringTable>()) {}

uint64_t Rank::numEvents() const {
  uint64_t n = 0;
  for (const Track &t : tracks())
    n += t.size();
  return n;
}

AttrReader::AttrReader(const Rank &rank, llvm::StringRef key, Scope scope)
    : AttrReader(rank, llvm::ArrayRef<llvm::StringRef>(key), scope) {}

AttrReader::AttrReader(const Rank &rank, llvm::ArrayRef<llvm::StringRef> spellings, Scope scope)
    : rank(rank), columns(rank.layouts().size(), nullptr) {
  for (llvm::StringRef key : spellings) {
    std::optional<StringId> id = rank.strings().find(key);
    if (!id)
      continue;
    for (size_t i = 0; i != columns.size(); ++i) {
      const LayoutStore &store = rank.layouts()[i];
      llvm::ArrayRef<Entry> entries = store.layout.entries;
      for (size_t e = 0; e != entries.size() && !columns[i]; ++e)
        if (entries[e].scope == scope && entries[e].key == *id && hasColumn(entries[e].type))
          columns[i] = &store.columns[e];
    }
  }
}

bool AttrReader::anywhere() const {
  for (const Column *c : columns)
    if (c && c->size())
      return true;
  return false;
}

static std::optional<int64_t> parseInteger(llvm::StringRef text) {
  int64_t v;
  if (!text.getAsInteger(10, v))
    return v;
  uint64_t u;
  if (text.consume_front("0x") && !text.getAsInteger(16, u) && u <= uint64_t{INT64_MAX})
    return static_cast<int64_t>(u);
  return std::nullopt;
}

std::optional<int64_t> AttrReader::getInt(LayoutId layout, uint32_t row) const {
  const Column *c = column(layout);
  if (!c)
    return std::nullopt;
  switch (c->type) {
  case ValueType::Int:
    return c->ints[row];
  case ValueType::Decimal: {
    std::optional<int64_t> v = c->decimal(row).toScaled(0);
    if (v && static_cast<double>(*v) == c->decimal(row).toDouble())
      return v;
    return std::nullopt;
  }
  case ValueType::Bool:
    return c->bytes[row];
  case ValueType::String:
    return parseInteger(rank.str(c->strings[row]));
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> AttrReader::getInt(const Track &t, uint32_t i) const {
  return getInt(t.layouts[i], t.rows[i]);
}

std::optional<double> AttrReader::getDouble(const Track &t, uint32_t i) const {
  const Column *c = column(t.layouts[i]);
  if (!c)
    return std::nullopt;
  uint32_t row = t.rows[i];
  if (c->type == ValueType::Int || c->type == ValueType::Decimal)
    return c->decimal(row).toDouble();
  double v;
  if ((c->type == ValueType::String || c->type == ValueType::Raw) &&
      !rank.str(c->strings[row]).getAsDouble(v))
    return v;
  return std::nullopt;
}

std::optional<StringId> AttrReader::textId(LayoutId layout, uint32_t row) const {
  const Column *c = column(layout);
  if (!c ||
      (c->type != ValueType::String && c->type != ValueType::List && c->type != ValueType::Raw))
    return std::nullopt;
  return c->strings[row];
}

std::optional<StringId> AttrReader::getStringId(const Track &t, uint32_t i) const {
  return textId(t.layouts[i], t.rows[i]);
}

std::optional<llvm::StringRef> AttrReader::getString(LayoutId layout, uint32_t row) const {
  std::optional<StringId> id = textId(layout, row);
  return id ? std::optional(rank.str(*id)) : std::nullopt;
}

std::optional<llvm::StringRef> AttrReader::getString(const Track &t, uint32_t i) const {
  return getString(t.layouts[i], t.rows[i]);
}
