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

constexpr StringLiteral kRecord = "record with torch.profiler, and export_chrome_trace",
                        kUnpack = "unpack it first", kDecompress = "decompress it first",
                        kOfTheRun = "give the profiler's trace (export_chrome_trace) of the run",
                        kPickle = "a Python pickle", kSnapshot = "a CUDA memory snapshot",
                        kSnapshotAdvice = "pytorch.org/memory_viz shows it",
                        kCheckpoint = "a PyTorch checkpoint";

struct Magic {
  StringLiteral bytes, kind, advice;
};
constexpr Magic magics[] = {
    {StringLiteral("\177ELF"), "an ELF program or library", ""},
    {StringLiteral("PK\3\4"), "a zip archive", kUnpack},
    {StringLiteral("7z\274\257\47\34"), "a 7z archive", kUnpack},
    {StringLiteral("(\265/\375"), "zstd-compressed data", kDecompress},
    {StringLiteral("BZh"), "bzip2-compressed data", kDecompress},
    {StringLiteral("\3757zXZ"), "xz-compressed data", kDecompress},
    {StringLiteral("\4\"M\30"), "lz4-compressed data", kDecompress},
    {StringLiteral("\211PNG"), "a PNG image", ""},
    {StringLiteral("%PDF"), "a PDF document", ""},
    {StringLiteral("\37\213"), "gzip-compressed data inside gzip", kDecompress},
    {StringLiteral("\377\376"), "UTF-16 text", "write it as UTF-8"},
    {StringLiteral("\376\377"), "UTF-16 text", "write it as UTF-8"},
    {StringLiteral("\211HDF\r\n"), "an HDF5 file", ""},
    {StringLiteral("\223NUMPY"), "a NumPy array", ""},
    {StringLiteral("PAR1"), "a Parquet table", ""},
    {StringLiteral("PERFILE2"), "a recording of perf (perf.data)", ""},
    {StringLiteral("version https://git-lfs.github.com/"), "a Git LFS pointer",
     "fetch what it stands for with git lfs pull"},
    // The pickled number with which torch.save began before it wrote zip archives.
    {StringLiteral("\200\2\212\nl\374\234F\371 j\250P\31."), kCheckpoint, ""},
};

/// Of files that many kinds share a beginning with: a word that only one kind has.
struct Content {
  StringLiteral word, kind, advice;
};
constexpr Content databases[] = {
    {"CUPTI_ACTIVITY_KIND_", "an nsys SQLite export", kRecord},
    {"NSYS_", "an nsys SQLite export", kRecord},
    {"TARGET_INFO_", "an nsys SQLite export", kRecord},
    {"rocpd_", "a rocpd SQLite database, as rocprofv3 and RPD write",
     "of an .rpd file, rpd2tracing.py makes Chrome trace JSON"},
    {"", "an SQLite database", ""},
};
constexpr Content pickles[] = {
    {"segments", kSnapshot, kSnapshotAdvice},
    {"device_traces", kSnapshot, kSnapshotAdvice},
    {"pg_config", "a flight recorder's dump of collectives", kOfTheRun},
    {"nccl_comm_state", "a flight recorder's dump of collectives", kOfTheRun},
    {"_rebuild_tensor", kCheckpoint, ""},
    {"", kPickle, ""},
};
constexpr Content texts[] = {
    {"\"Kernel_Name\"", "a rocprof CSV table", kRecord},
    {"\"KernelName\"", "a rocprof CSV table", kRecord},
    {"\"TotalDurationNs\"", "a rocprof CSV table", kRecord},
    {"\"Kind\",\"Agent_Id\"", "a rocprof CSV table", kRecord},
    {"Total Time (ns)", "a table of nsys stats", kRecord},
    {"\"Kernel Name\"", "a CSV table of Nsight Compute", kRecord},
};

/// Members that only one kind of JSON file has; all of a row must occur.
struct Shape {
  char open; ///< '{' or '[' or 0 for both.
  StringLiteral first, second, kind, advice;
};
constexpr Shape shapes[] = {
    {'{', "\"nodes\"", "\"callFrame\"", "a V8 CPU profile",
     "save a trace from the Performance panel instead"},
    {'{', "\"schema\"", "\"nodes\"", "a PyTorch execution trace", kOfTheRun},
    {'{', "\"rocprofiler-sdk-tool\"", "", "a rocprofv3 JSON file", kRecord},
    {'{', "\"memoryProfilePerAllocator\"", "", "an XProf memory profile", ""},
    {'{', "\"Communication Time Info\"", "", "an Ascend communication summary",
     "give trace_view.json"},
    {'{', "speedscope.app/file-format-schema", "", "a speedscope profile", ""},
    {'{', "\"snapshot\"", "\"node_fields\"", "a V8 heap snapshot", ""},
    {'{', "\"traceId\"", "\"spans\"", "a cloud trace of remote calls", ""},
    {'{', "\"segments\"", "\"device_traces\"", kSnapshot, kSnapshotAdvice},
    {'{', "\"heddle-report\"", "\"pipeline\"", "a report of heddle (report-json)",
     "give the trace that it was made from"},
    {0, "\"frame\"", "\"metrics\"", "a Proton (hatchet) profile tree",
     "Proton's data=\"trace\" writes a Chrome trace"},
    {'[', "\"file\"", "\"batch_size\"", "a list of graph captures", "give the files that it lists"},
};

/// The first row whose word occurs; the last row of some tables has none and is for the rest.
ForeignKind byContent(ArrayRef<Content> rows, StringRef head) {
  for (const Content &c : rows)
    if (head.contains(c.word))
      return {c.kind, c.advice};
  return {};
}

/// A profile of pprof begins with a small message, the type of its samples: two numbers.
bool isPprof(StringRef head) {
  return head.size() > 6 && head[0] == '\n' && head[1] == 4 && head[2] == 8 && head[4] == 16;
}

/// A length of eight bytes, then a JSON header.
bool isSafetensors(StringRef head) {
  return head.size() > 10 && head.substr(5, 3) == StringRef("\0\0\0", 3) && head[8] == '{' &&
         head[9] == '"';
}

/// Names in the zip archives that torch.save writes.
bool isZippedCheckpoint(StringRef head) {
  return head.starts_with("PK\3\4") && head.take_front(256).contains("/data.pkl");
}

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

/// Text that is no JSON: what kind, if it is text.
static ForeignKind ofText(StringRef head, StringRef text) {
  if (text.starts_with_insensitive("<!doctype html") || text.starts_with_insensitive("<html"))
    return {"an HTML page", "a download may have saved an error page in place of the file"};
  if (text.starts_with("<?xml"))
    return {"an XML document", ""};
  StringRef start = head.take_front(4096);
  if (!all_of(start, [](char c) { return isPrint(c) || isSpace(c) || c < 0; }))
    return {};
  if (ForeignKind table = byContent(texts, start); !table.kind.empty())
    return table;
  auto [first, rest] = text.take_front(4096).split('\n');
  size_t commas = first.count(',');
  if (commas > 1 && rest.split('\n').first.count(',') >= commas)
    return {"a CSV table", ""};
  return {"plain text", ""};
}

static ForeignKind ofJson(StringRef text) {
  char open = text.front();
  if (open == '[' && text.drop_front().ltrim().starts_with("["))
    return {"a PyTorch memory timeline", kOfTheRun};
  if (text.contains("\"traceEvents\""))
    return {};
  for (const Shape &s : shapes)
    if ((!s.open || s.open == open) && text.contains(s.first) && text.contains(s.second))
      return {s.kind, s.advice};
  return {};
}

ForeignKind knownForeign(StringRef head) {
  if (isZippedCheckpoint(head))
    return {kCheckpoint, ""};
  for (const Magic &m : magics)
    if (head.starts_with(m.bytes))
      return {m.kind, m.advice};
  if (head.starts_with(StringRef("NVR\0", 4)))
    return {"an Nsight Compute report (.ncu-rep)", kRecord};
  if (head.starts_with(StringRef("SQLite format 3\0", 16)))
    return byContent(databases, head);
  if (head.size() > 1 && head[0] == '\200' && head[1] >= 2 && head[1] <= 5)
    return byContent(pickles, head);
  if (head.starts_with(StringRef("\0\5\26\7", 4)))
    return {"an AppleDouble file (metadata of macOS)", ""};
  if (head.substr(257).starts_with("ustar"))
    return {"a tar archive", kUnpack};
  if (isSafetensors(head))
    return {"a safetensors file", ""};
  if (isPprof(head))
    return {"a pprof profile", kRecord};
  if (isProtobuf(head)) {
    StringRef start = head.take_front(4096);
    if (start.contains("/host:") || start.contains("/device:"))
      return {"an XPlane (XProf) profile", "give the .trace.json.gz beside it, if there is one"};
    return {"a Perfetto protobuf trace", "export to a name that ends in .json, or convert it: "
                                         "traceconv json FILE OUT.json"};
  }
  StringRef text = skipMark(head);
  if (text.empty())
    return {head.empty()               ? "an empty file"
            : head.size() < kHeadBytes ? "a file of white space"
                                       : "",
            ""};
  char open = text.front();
  return open == '{' || open == '[' ? ofJson(text) : ofText(head, text);
}

ForeignKind foreignByName(StringRef path) {
  for (StringRef end : {".nsys-rep", ".qdrep"})
    if (path.ends_with_insensitive(end))
      return {"an Nsight Systems report", kRecord};
  return {};
}

} // namespace chrome

StringRef describeForeign(StringRef head) {
  StringRef kind = chrome::knownForeign(head).kind;
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
