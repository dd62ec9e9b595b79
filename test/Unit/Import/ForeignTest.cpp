//===- ForeignTest.cpp - Which files are refused, and as what -------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace heddle;
using namespace llvm;

static bool claimed(StringRef head) {
  ImporterRegistry registry;
  EXPECT_FALSE(!!registry.add(chromeJsonImporter));
  return registry.claim(head) == &chromeJsonImporter;
}

TEST(Foreign, Row20IsRefusedByName) {
  std::pair<StringRef, StringRef> kinds[] = {
      {"", "an empty file"},
      {"  \n", "a file of white space"},
      {"just a note\n", "plain text"},
      {"<!DOCTYPE html><html>", "an HTML page"},
      {"{\"schema\": \"1.0.1\", \"pid\": 1, \"nodes\": []}", "a PyTorch execution trace"},
      {"[[-1, 1, 37888, 7], [-1, 1, 512, 7]]", "a PyTorch memory timeline"},
      {"[[1, 2, 3], [[0, 1, 2]]]", "a PyTorch memory timeline"},
      {"{\"rocprofiler-sdk-tool\":[{}]}", "a rocprofv3 JSON file"},
      {"[{\"children\": [], \"frame\": {\"name\": \"x\"}, \"metrics\": {}}]",
       "a Proton (hatchet) profile tree"},
      {"{\"memoryIds\": [], \"memoryProfilePerAllocator\": {}}", "an XProf memory profile"},
      {"{\"a\": 1}", "a JSON object without traceEvents"},
      {"[1, 2]", "a JSON array without trace events"},
      {"[{\"a\": 1}]", "a JSON array without trace events"},
      {StringRef("\177ELF\2\1"), "an ELF program or library"},
      {StringRef("PK\3\4xxxx"), "a zip archive"},
      {StringRef("7z\274\257\47\34x"), "a 7z archive"},
      {StringRef("PK\3\4\0\0archive/data.pkl", 22), "a PyTorch checkpoint"},
      {StringRef("\200\2\212\nl\374\234F\371 j\250P\31.\200\2"), "a PyTorch checkpoint"},
      {StringRef("\200\2}q\0X\21ctorch._utils\n_rebuild_tensor_v2", 37), "a PyTorch checkpoint"},
      {StringRef("\x28\0\0\0\0\0\0\0{\"w\": {\"dtype\"", 20), "a safetensors file"},
      {StringRef("SQLite format 3\0", 16), "an SQLite database"},
      {StringRef("SQLite format 3\0 CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (", 59),
       "an nsys SQLite export"},
      {StringRef("SQLite format 3\0 CREATE TABLE \"rocpd_string\" (", 48),
       "a rocpd SQLite database, as rocprofv3 and RPD write"},
      {StringRef("\200\2}q\0", 5), "a Python pickle"},
      {StringRef("\200\4\225\0}\224\214\10segments\224", 18), "a CUDA memory snapshot"},
      {StringRef("\200\4\225\0}\224\214\11pg_config\224", 19),
       "a flight recorder's dump of collectives"},
      {"{\"segments\": [], \"device_traces\": []}", "a CUDA memory snapshot"},
      {StringRef("NVR\0\x10\0\0\0", 8), "an Nsight Compute report (.ncu-rep)"},
      {StringRef("(\265/\375x"), "zstd-compressed data"},
      {StringRef("BZh91AY"), "bzip2-compressed data"},
      {StringRef("\3757zXZ\0", 6), "xz-compressed data"},
      {StringRef("\4\"M\30d"), "lz4-compressed data"},
      {StringRef("\211PNG\r\n"), "a PNG image"},
      {StringRef("%PDF-1.7"), "a PDF document"},
      {StringRef("\37\213\10"), "gzip-compressed data inside gzip"},
      {StringRef("\377\376{\0", 4), "UTF-16 text"},
      {StringRef("\376\377\0{", 4), "UTF-16 text"},
      {StringRef("\211HDF\r\n\32\n"), "an HDF5 file"},
      {StringRef("\223NUMPY\1"), "a NumPy array"},
      {"PAR1x", "a Parquet table"},
      {"PERFILE2x", "a recording of perf (perf.data)"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a Git LFS pointer"},
      {StringRef("\n\4\10\1\20\2\n\4\10\3\20\4", 12), "a pprof profile"},
      {"\"Kind\",\"Agent_Id\",\"Kernel_Name\"\n\"KERNEL_DISPATCH\",1,\"k\"\n",
       "a rocprof CSV table"},
      {"\"Index\",\"KernelName\",\"gpu-id\"\n0,\"k\",1\n", "a rocprof CSV table"},
      {"\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k\",1,2\n", "a rocprof CSV table"},
      {" Time (%)  Total Time (ns)  Instances\n", "a table of nsys stats"},
      {"\"ID\",\"Process ID\",\"Kernel Name\"\n", "a CSV table of Nsight Compute"},
      {"a,b,c\n1,2,3\n", "a CSV table"},
      {"one, two, and three\nfour\n", "plain text"},
      {"<?xml version=\"1.0\"?>", "an XML document"},
      {"{\"nodes\": [{\"id\": 1, \"callFrame\": {}}], \"samples\": []}", "a V8 CPU profile"},
      {"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"}",
       "a speedscope profile"},
      {"{\"snapshot\": {\"meta\": {\"node_fields\": []}}}", "a V8 heap snapshot"},
      {"{\"projectId\": \"p\", \"traceId\": \"1\", \"spans\": []}",
       "a cloud trace of remote calls"},
      {"{\"step1\": {\"hcom\": {\"Communication Time Info\": {}}}}",
       "an Ascend communication summary"},
      {"{\"schema\": \"heddle-report\", \"version\": 1, \"pipeline\": \"\"}",
       "a report of heddle (report-json)"},
      {"[{\"file\": \"a.json.gz\", \"batch_size\": 1}]", "a list of graph captures"},
      {StringRef("\n\x10\x08\1\x12\0\x18\1\n\2\x08\1", 12), "a Perfetto protobuf trace"},
      {StringRef("\n\x20\x08\1\x12\x0a/host:CPU0\x1a\0", 18), "an XPlane (XProf) profile"},
      {StringRef("\0\5\26\7\0\2", 6), "an AppleDouble file (metadata of macOS)"},
  };
  for (auto [head, kind] : kinds) {
    EXPECT_FALSE(claimed(head)) << kind.str();
    EXPECT_EQ(describeForeign(head), kind);
  }
}

TEST(Foreign, ATarArchiveIsKnownByItsHeader) {
  std::string head(512, '\0');
  head.replace(0, 5, "t.gz\0", 5);
  head.replace(257, 5, "ustar");
  EXPECT_EQ(describeForeign(head), "a tar archive");
}

TEST(Foreign, AnImportersNameIsItsOwn) {
  ImporterRegistry registry;
  EXPECT_FALSE(!!registry.add(chromeJsonImporter));
  EXPECT_EQ(toString(registry.add(chromeJsonImporter)), "two importers are called 'chrome-json'");
}

TEST(Foreign, TracesAreClaimed) {
  for (StringRef head : {"{\"traceEvents\": []}", "\xef\xbb\xbf {\"traceEvents\": []}", "[]", "[\n",
                         "[{}]", "[{\"name\": \"a\", \"ph\": \"X\"}]", "\n\n{ \"traceEvents\" : ["})
    EXPECT_TRUE(claimed(head)) << head.str();
}

TEST(Foreign, NothingToReadIsAnErrorWithPlaceAndCause) {
  EXPECT_EQ(Imported("{\"traceEvents\": [{\"ph\": \"X\", ").error,
            "trace.json: offset 29: the text ends in its first event");
  EXPECT_EQ(Imported("{\"schemaVersion\": 1, \"a\": ").error,
            "trace.json: offset 21: the text ends before the events");
  EXPECT_EQ(Imported("{\"schemaVersion\": 1, \"traceEvents\": 3}").error,
            "trace.json: offset 38: traceEvents is no array of events");
  EXPECT_EQ(Imported("{\"schemaVersion\": 1}").error,
            "trace.json: offset 20: a JSON object without traceEvents");
  EXPECT_TRUE(StringRef(Imported("  xyz").error).contains("no JSON object or array at byte 2"));
  EXPECT_TRUE(Imported("{\"traceEvents\": []}").ok());
  EXPECT_TRUE(Imported("[]").ok());
}

TEST(Foreign, Limits) {
  ImportOptions options;
  options.limits.maxNesting = 100;
  std::string deep(101, '[');
  EXPECT_TRUE(
      StringRef(Imported(kineto(op("a", "1", "1", "\"x\": " + deep + std::string(101, ']'))), "t",
                         options)
                    .error)
          .contains("nests deeper than 100"));
  EXPECT_TRUE(StringRef(Imported(kineto(deep + std::string(101, ']')), "t", options).error)
                  .contains("nests deeper than 100"));
  options.limits.maxEventBytes = 1000;
  options.windowBytes = 100;
  EXPECT_TRUE(StringRef(Imported(kineto(op(std::string(5000, 'x'), "1", "1")), "t", options).error)
                  .contains("longer than 1000 bytes"));
  options = {};
  options.limits.maxLayouts = 20;
  std::string events;
  for (int i = 0; i < 100; ++i)
    events += (i ? "," : "") + op("e" + std::to_string(i), std::to_string(i), "1",
                                  "\"k" + std::to_string(i) + "\": 1");
  Imported in(kineto(events), "t", options);
  EXPECT_EQ(in.rank().numEvents(), 100u);
  EXPECT_EQ(in.rank().layouts().size(), 21u);
  EXPECT_EQ(in.notes("raw-layout"), 80u);
  EXPECT_EQ(in.begin("e99"), 99000);
  EXPECT_EQ(in.text("e99", "", Scope::Event), op("e99", "99", "1", "\"k99\": 1"));
  EXPECT_EQ(in.kind("e99"), EventKind::CpuOp);
}
