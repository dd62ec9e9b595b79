//===- ChromeText.cpp - Chrome trace JSON, spelled ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ChromeText.h"
#include <charconv>

using namespace llvm;

namespace heddle::chrome {

void appendInt(SmallVectorImpl<char> &out, int64_t n) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

void appendMicros(SmallVectorImpl<char> &out, int64_t ns, uint8_t scale) {
  static constexpr int64_t unit[] = {1000, 100, 10, 1};
  Decimal{ns / unit[scale], scale}.print(out);
}

static bool needsNoEscape(StringRef bytes) {
  for (char c : bytes)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x80 || c == '"' ||
        c == '\\')
      return false;
  return true;
}

void ChromeText::string(StringId id) {
  StringRef bytes = rank.str(id);
  uint8_t &state = plain[static_cast<uint32_t>(id)];
  if (state == 0)
    state = needsNoEscape(bytes) ? 1 : 2;
  if (state == 2) {
    string(bytes);
    return;
  }
  out.push_back('"');
  out.append(bytes.begin(), bytes.end());
  out.push_back('"');
}

void ChromeText::id(const SourceId &id) {
  switch (id.form) {
  case SourceId::Absent:
    *this << "null";
    break;
  case SourceId::Int:
    *this << id.value;
    break;
  case SourceId::String:
    string(id.text);
    break;
  case SourceId::Raw:
    *this << rank.str(id.text);
    break;
  }
}

void ChromeText::real(double number) {
  char digits[350]; // what the smallest one takes
  out.append(digits, std::to_chars(digits, std::end(digits), number, std::chars_format::fixed).ptr);
}

void ChromeText::value(const Column &column, uint32_t row) {
  switch (column.type) {
  case ValueType::Int:
    *this << column.ints[row];
    break;
  case ValueType::Decimal:
    column.decimal(row).print(out);
    break;
  case ValueType::String:
    string(column.strings[row]);
    break;
  case ValueType::Bool:
    *this << (column.bytes[row] ? "true" : "false");
    break;
  case ValueType::List:
  case ValueType::Raw:
    *this << rank.str(column.strings[row]);
    break;
  default:
    *this << "null";
  }
}

} // namespace heddle::chrome
