//===- Foreign.cpp - Which files are not for us ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Foreign.h"
#include "heddle/Import/Importer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace chrome {
namespace {

struct Magic {
  StringLiteral bytes, kind;
};
constexpr Magic magics[] = {
    {StringLiteral("\177ELF"), "an ELF program or library"},
    {StringLiteral("PK\3\4"), "a zip archive"},
    {StringLiteral("SQLite format 3"), "an SQLite database, as nsys and rocprof export"},
    {StringLiteral("(\265/\375"), "zstd-compressed data"},
    {StringLiteral("BZh"), "bzip2-compressed data"},
    {StringLiteral("\3757zXZ"), "xz-compressed data"},
    {StringLiteral("\211PNG"), "a PNG image"},
    {StringLiteral("%PDF"), "a PDF document"},
    {StringLiteral("\37\213"), "gzip-compressed data inside gzip"},
    {StringLiteral("\377\376"), "UTF-16 text"},
    {StringLiteral("\376\377"), "UTF-16 text"},
    {StringLiteral("\200\2"), "a Python pickle, as CUDA memory snapshots are"},
    {StringLiteral("\200\3"), "a Python pickle, as CUDA memory snapshots are"},
    {StringLiteral("\200\4"), "a Python pickle, as CUDA memory snapshots are"},
    {StringLiteral("\200\5"), "a Python pickle, as CUDA memory snapshots are"},
};

/// Members that only one kind of JSON file has; all of a row must occur.
struct Shape {
  char open; ///< '{' or '[' or 0 for both.
  StringLiteral first, second, kind;
};
constexpr Shape shapes[] = {
    {'{', "\"schema\"", "\"nodes\"", "a PyTorch execution trace"},
    {'{', "\"rocprofiler-sdk-tool\"", "", "a rocprofv3 JSON file"},
    {'{', "\"memoryProfilePerAllocator\"", "", "an XProf memory profile"},
    {'{', "\"Communication Time Info\"", "", "an Ascend communication summary"},
    {'{', "speedscope.app/file-format-schema", "", "a speedscope profile"},
    {'{', "\"traceId\"", "\"spans\"", "a cloud trace of remote calls"},
    {'{', "\"segments\"", "\"device_traces\"", "a CUDA memory snapshot"},
    {0, "\"frame\"", "\"metrics\"", "a Proton (hatchet) profile tree"},
    {'[', "\"file\"", "\"batch_size\"", "a list of graph captures"},
};

/// A protobuf message whose first field is number 1 with bytes.
bool isProtobuf(StringRef head) {
  if (!head.starts_with("\n") || head.size() < 4)
    return false;
  size_t i = 1;
  while (i < head.size() && i < 10 && (head[i] & 0x80))
    ++i;
  if (++i >= head.size())
    return false;
  // Text that begins with a line feed is no message: messages hold bytes that text does not.
  return any_of(head.take_front(256),
                [](char c) { return (c >= 0 && c < 9) || c == 0x7f || (c > 13 && c < 32); });
}

} // namespace

StringRef skipMark(StringRef head) {
  head.consume_front("\xef\xbb\xbf");
  return head.ltrim(" \t\r\n");
}

StringRef knownForeign(StringRef head) {
  for (const Magic &m : magics)
    if (head.starts_with(m.bytes))
      return m.kind;
  if (head.starts_with(StringRef("\0\5\26\7", 4)))
    return "an AppleDouble file (metadata of macOS)";
  if (isProtobuf(head)) {
    StringRef start = head.take_front(4096);
    return start.contains("/host:") || start.contains("/device:") ? "an XPlane (XProf) profile"
                                                                  : "a Perfetto protobuf trace";
  }
  StringRef text = skipMark(head);
  if (text.empty())
    return head.empty() ? "an empty file" : head.size() < kHeadBytes ? "a file of white space" : "";
  if (text.starts_with_insensitive("<!doctype html") || text.starts_with_insensitive("<html"))
    return "an HTML page";
  if (text.starts_with("<?xml"))
    return "an XML document";
  char open = text.front();
  if (open == '[' && text.drop_front().ltrim().starts_with("["))
    return "a PyTorch memory timeline";
  if (open != '{' && open != '[') {
    bool plain =
        all_of(head.take_front(4096), [](char c) { return isPrint(c) || isSpace(c) || c < 0; });
    return plain ? "plain text" : "";
  }
  if (text.contains("\"traceEvents\""))
    return "";
  for (const Shape &s : shapes)
    if ((!s.open || s.open == open) && text.contains(s.first) && text.contains(s.second))
      return s.kind;
  return "";
}

} // namespace chrome

StringRef describeForeign(StringRef head) {
  StringRef kind = chrome::knownForeign(head);
  if (!kind.empty())
    return kind;
  StringRef text = chrome::skipMark(head);
  if (text.starts_with("{") && !text.contains("\"traceEvents\""))
    return "a JSON object without traceEvents";
  if (text.starts_with("["))
    return "a JSON array without trace events";
  return "";
}

} // namespace heddle
