//===- EventRecords.cpp - TensorBoard's event files -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "EventRecords.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"
#include <array>

using namespace llvm;

namespace heddle {

//===----------------------------------------------------------------------===//
// Checksums
//===----------------------------------------------------------------------===//

static constexpr std::array<uint32_t, 256> makeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte != 256; ++byte) {
    uint32_t c = byte;
    for (int bit = 0; bit != 8; ++bit)
      c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
    table[byte] = c;
  }
  return table;
}

uint32_t crc32c(StringRef bytes) {
  static constexpr std::array<uint32_t, 256> table = makeTable();
  uint32_t c = 0xffffffff;
  for (unsigned char byte : bytes)
    c = c >> 8 ^ table[(c ^ byte) & 0xff];
  return ~c;
}

uint32_t maskedCrc32c(StringRef bytes) {
  uint32_t c = crc32c(bytes);
  return (c >> 15 | c << 17) + 0xa282ead8;
}

//===----------------------------------------------------------------------===//
// Protobuf
//===----------------------------------------------------------------------===//

namespace {

/// A message; fields are appended in the order of their numbers.
class Message {
public:
  Message() : os(text) {}
  Message &number(unsigned field, uint64_t value) {
    encodeULEB128(field << 3, os);
    encodeULEB128(value, os);
    return *this;
  }
  Message &real(unsigned field, double value) {
    encodeULEB128(field << 3 | 1, os);
    support::endian::write(os, value, endianness::little);
    return *this;
  }
  Message &bytes(unsigned field, StringRef value) {
    encodeULEB128(field << 3 | 2, os);
    encodeULEB128(value.size(), os);
    os << value;
    return *this;
  }
  Message &real(unsigned field, float value) {
    encodeULEB128(field << 3 | 5, os);
    support::endian::write(os, value, endianness::little);
    return *this;
  }
  StringRef str() const { return text; }

private:
  std::string text;
  raw_string_ostream os;
};

/// Field numbers of TensorFlow's event.proto, summary.proto and tensor.proto.
enum Event : unsigned { WallTime = 1, Step = 2, FileVersion = 3, SummaryField = 5 };
enum Summary : unsigned { Value = 1 };
enum SummaryValue : unsigned { Tag = 1, SimpleValue = 2, Tensor = 8, Metadata = 9 };
enum SummaryMetadata : unsigned { PluginData = 1, DataClass = 4 };
enum PluginDataField : unsigned { PluginName = 1 };
enum TensorField : unsigned { Type = 1, Shape = 2, StringValue = 8 };
constexpr uint64_t kStringType = 7, kTensorClass = 2;

} // namespace

EventRecords::EventRecords(raw_ostream &os, double time) : os(os) {
  record(Message().real(WallTime, time).bytes(FileVersion, "brain.Event:2").str());
}

void EventRecords::record(StringRef event) {
  char length[8];
  support::endian::write64le(length, event.size());
  support::endian::Writer writer(os, endianness::little);
  os << StringRef(length, 8);
  writer.write(maskedCrc32c(StringRef(length, 8)));
  os << event;
  writer.write(maskedCrc32c(event));
}

void EventRecords::summary(int64_t step, double time, StringRef value) {
  Message all;
  all.bytes(Value, value);
  record(Message()
             .real(WallTime, time)
             .number(Step, static_cast<uint64_t>(step))
             .bytes(SummaryField, all.str())
             .str());
}

void EventRecords::scalar(StringRef tag, int64_t step, double time, float value) {
  summary(step, time, Message().bytes(Tag, tag).real(SimpleValue, value).str());
}

void EventRecords::text(StringRef tag, int64_t step, double time, StringRef markdown) {
  Message plugin, metadata, tensor;
  plugin.bytes(PluginName, "text");
  metadata.bytes(PluginData, plugin.str()).number(DataClass, kTensorClass);
  tensor.number(Type, kStringType).bytes(Shape, "").bytes(StringValue, markdown);
  summary(
      step, time,
      Message().bytes(Tag, tag).bytes(Tensor, tensor.str()).bytes(Metadata, metadata.str()).str());
}

} // namespace heddle
