//===- EraTest.cpp - Generations of recorders -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace heddle;
using namespace llvm;

TEST(Era, AutogradProfiler) {
  Imported in("[{\"name\": \"aten::add\", \"ph\": \"X\", \"ts\": 10.25, \"dur\": 2.5, \"tid\": 0, "
              "\"pid\": \"CPU functions\", \"args\": {}},"
              "{\"name\": \"aten::add\", \"ph\": \"s\", \"ts\": 10.25, \"tid\": 0, \"pid\": \"CPU "
              "functions\", \"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}},"
              "{\"name\": \"add_kernel\", \"ph\": \"f\", \"ts\": 13, \"tid\": 1, \"pid\": \"CUDA "
              "functions\", \"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}},"
              "{\"name\": \"add_kernel\", \"ph\": \"X\", \"ts\": 13, \"dur\": 3, \"tid\": 1, "
              "\"pid\": \"CUDA functions\", \"args\": {}}]");
  EXPECT_EQ(in.recording().producer, "PyTorch (autograd profiler without Kineto)");
  EXPECT_TRUE(in.recording().document.isArray);
  EXPECT_EQ(in.recording().format, "kineto");
  EXPECT_EQ(in.edges(EdgeKind::Launch), "aten::add->add_kernel");
  EXPECT_EQ(in.begin("add_kernel"), 3000);
  EXPECT_EQ(in.recording().origin, 10000);
  EXPECT_EQ(in.notes("unknown-base"), 1u);
}

TEST(Era, V18) {
  Imported in(
      "{\"schemaVersion\": 1, \"traceEvents\": ["
      "{\"ph\": \"X\", \"cat\": \"Operator\", \"name\": \"aten::add\", \"pid\": 10, \"tid\": "
      "\"12\", \"ts\": 1623143089861000, \"dur\": 20, \"args\": {\"External id\": 3, \"Device\": "
      "1}},"
      "{\"ph\": \"X\", \"cat\": \"User\", \"name\": \"mark\", \"pid\": 10, \"tid\": \"12\", "
      "\"ts\": 1623143089860000, \"dur\": 20},"
      "{\"ph\": \"X\", \"cat\": \"Runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 10, \"tid\": "
      "\"12\", \"ts\": 1623143089861005, \"dur\": 4, \"args\": {\"cbid\": 211, \"correlation\": 9, "
      "\"external id\": 3}},"
      "{\"ph\": \"s\", \"id\": 9, \"pid\": 10, \"tid\": 12, \"ts\": 1623143089861005, \"cat\": "
      "\"async\", \"name\": \"launch\"},"
      "{\"ph\": \"f\", \"id\": 9, \"pid\": 0, \"tid\": 7, \"ts\": 1623143089861020, \"cat\": "
      "\"async\", \"name\": \"launch\", \"bp\": \"e\"},"
      "{\"ph\": \"X\", \"cat\": \"Kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": \"stream 7\", "
      "\"ts\": 1623143089861020, \"dur\": 3, \"args\": {\"device\": 0, \"stream\": 7, "
      "\"correlation\": 9, \"external id\": 3}},"
      "{\"ph\": \"X\", \"cat\": \"Memcpy\", \"name\": \"Memcpy HtoD\", \"pid\": 0, \"tid\": "
      "\"stream 7\", \"ts\": 1623143089861030, \"dur\": 3, \"args\": {\"device\": 0, \"stream\": "
      "7, \"correlation\": 0}},"
      "{\"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 1, \"pid\": 10, \"tid\": \"12\", "
      "\"args\": {\"name\": \"thread 12 (main)\"}},"
      "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 10, \"tid\": 12, \"ts\": 1623143089861001, "
      "\"s\": \"t\", \"args\": {\"Device Type\": 0, \"Device Id\": -1, \"Bytes\": 64}}"
      "]}");
  EXPECT_EQ(in.recording().producer, "PyTorch 1.8 (Kineto)");
  EXPECT_TRUE(in.recording().absolute);
  EXPECT_TRUE(in.recording().integerMicroseconds);
  EXPECT_EQ(in.kind("aten::add"), EventKind::CpuOp);
  EXPECT_EQ(in.kind("mark"), EventKind::Annotation);
  EXPECT_EQ(in.kind("Memcpy HtoD"), EventKind::Memcpy);
  EXPECT_EQ(in.kind("[memory]"), EventKind::Memory);
  EXPECT_EQ(in.trackOf("k").stream, 7);
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
  EXPECT_EQ(in.rank().str(in.trackOf("aten::add").name), "thread 12 (main)");
  EXPECT_EQ(in.rank().flows()[0].anchor, in.find("cudaLaunchKernel"));
  EXPECT_EQ(in.rank().flows()[1].anchor, in.find("k"));
  EXPECT_EQ(in.recording().vendor, Vendor::Cuda);
}

TEST(Era, V19MixedCategories) {
  Imported in(kineto(
      list({op("a", "1623143089861000", "5", "\"Trace name\": \"x\", \"Trace iteration\": 1"),
            op("cudaLaunchKernel", "1623143089861001", "1", "\"correlation\": 4", "Runtime"),
            kernel("k", "1623143089861009", "1", "\"correlation\": 4", "Kernel")})));
  EXPECT_EQ(in.recording().producer, "PyTorch 1.9-1.11 (Kineto)");
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
}

static std::string launches(int n, bool sameIds, int64_t ts) {
  std::string all;
  for (int i = 1; i <= n; ++i) {
    std::string ids = "\"External id\": " + std::to_string(sameIds ? i + 100 : i) +
                      ", \"correlation\": " + std::to_string(i + 100);
    all += (i > 1 ? "," : "") +
           op("cudaLaunchKernel", std::to_string(ts + i * 10), "2", ids, "cuda_runtime") + "," +
           kernel("k" + std::to_string(i), std::to_string(ts + i * 10 + 5), "3", ids);
  }
  return all;
}

TEST(Era, ExternalIdEqualsCorrelation) {
  Imported broken(kineto(launches(10, true, 1694128201421900)));
  EXPECT_TRUE(broken.recording().externalIdsBroken);
  EXPECT_EQ(broken.recording().producer, "PyTorch 1.12-2.2 (Kineto)");
  EXPECT_TRUE(broken.recording().integerMicroseconds);
  Imported sound(kineto(launches(10, false, 1694128201421900)));
  EXPECT_FALSE(sound.recording().externalIdsBroken);
  EXPECT_EQ(sound.recording().producer, "PyTorch 1.12-2.3 (Kineto)");
  EXPECT_EQ(sound.rank().edges().size(), 10u);
  // Of twenty events nineteen are enough, eighteen are not.
  std::string most = launches(10, true, 1694128201421900);
  for (bool enough : {true, false}) {
    most.replace(most.find(enough ? "\"External id\": 103," : "\"External id\": 105,"), 19,
                 "\"External id\": 7,  ");
    EXPECT_EQ(Imported(kineto(most)).recording().externalIdsBroken, enough);
  }
}

TEST(Era, AbsoluteTimeWithFractions) {
  Imported in(kineto(
      list({op("a", "1712195510846303.125", "1.007"), op("b", "1712195510846304.000", "0.500")})));
  EXPECT_EQ(in.recording().producer, "PyTorch nightly of spring 2024 (Kineto)");
  EXPECT_TRUE(in.recording().absolute);
  EXPECT_FALSE(in.recording().integerMicroseconds);
  EXPECT_EQ(in.recording().origin, 1712195510846303000);
  EXPECT_EQ(in.begin("a"), 125);
  EXPECT_EQ(in.length("a"), 1007);
  EXPECT_EQ(in.begin("b"), 1000);
}

TEST(Era, FractionsWithoutPadding) {
  std::string events;
  const char *fractions[] = {"7",  "123", "45",  "999", "610", "500", "321", "8",   "77",  "650",
                             "90", "101", "202", "303", "404", "505", "606", "707", "808", "909"};
  for (int i = 0; i < 20; ++i)
    events += (i ? "," : "") + op("e" + std::to_string(i),
                                  std::to_string(1710000000000000 + i * 100) + "." + fractions[i],
                                  "5." + std::string(fractions[i]));
  Imported in(kineto(events));
  EXPECT_TRUE(in.recording().unpaddedFraction);
  EXPECT_EQ(in.recording().producer, "PyTorch nightly of March 2024 (Kineto)");
  EXPECT_EQ(in.begin("e0"), 7);
  EXPECT_EQ(in.length("e0"), 5007);
  EXPECT_EQ(in.begin("e2"), 200045);
  EXPECT_EQ(in.begin("e3"), 300999);
  // The spelling is kept: 5.7 is no 5.007.
  EventRef e = in.find("e0");
  const LayoutStore &store = in.rank().layout(in.rank().track(e.track).layouts[e.index]);
  int dur = store.layout.find(Scope::Event, *in.rank().strings().find("dur"));
  EXPECT_EQ(store.columns[dur].decimal(in.rank().track(e.track).rows[e.index]), (Decimal{57, 1}));
  // One padded fraction, and the usual rule holds.
  Imported padded(kineto(events + "," + op("p", "1710000000009000.050", "1")));
  EXPECT_FALSE(padded.recording().unpaddedFraction);
  EXPECT_EQ(padded.begin("e0"), 700);
}

TEST(Era, RelativeWithoutBase) {
  Imported in(kineto(op("a", "1365627863665.508", "12.459")));
  EXPECT_EQ(in.recording().base, std::nullopt);
  EXPECT_FALSE(in.recording().absolute);
  EXPECT_EQ(in.notes("unknown-base"), 1u);
  EXPECT_EQ(in.recording().producer, "PyTorch (Kineto)");
}

TEST(Era, BaseBehindAndBeforeTheEvents) {
  StringRef base = "\"baseTimeNanoseconds\": 1759393446000000000";
  Imported behind(kineto(op("a", "1000.508", "1"), "", (", " + base).str()));
  EXPECT_EQ(behind.recording().base, 1759393446000000000);
  EXPECT_EQ(behind.recording().producer, "PyTorch 2.4-2.7 (Kineto)");
  Imported strides(
      kineto(op("a", "1000.508", "1", "\"Input Strides\": [[1]]"), "", (", " + base).str()));
  EXPECT_EQ(strides.recording().producer, "PyTorch 2.5-2.7 (Kineto)");
  Imported before(kineto(op("a", "1000.508", "1"), (base + ", ").str()));
  EXPECT_EQ(before.recording().base, 1759393446000000000);
  EXPECT_EQ(before.recording().producer, "PyTorch 2.8 or later (Kineto)");
  EXPECT_EQ(before.notes("unknown-base"), 0u);
  Imported newest(kineto(op("a", "1000.508", "1", "\"CallFrom\": \"x\""), (base + ", ").str()));
  EXPECT_EQ(newest.recording().producer, "PyTorch of 2026 (Kineto)");
  // Times that are Unix times already have no base.
  Imported both(kineto(op("a", "1712195510846303.125", "1"), (base + ", ").str()));
  EXPECT_EQ(both.recording().base, std::nullopt);
  EXPECT_TRUE(both.recording().absolute);
  EXPECT_EQ(both.notes("base-beside-absolute-time"), 1u);
}

TEST(Era, BothVendorsCalls) {
  std::string hip = op("hipLaunchKernel", "1", "1", "", "cuda_runtime"),
              cuda = op("cudaLaunchKernel", "2", "1", "", "cuda_runtime");
  EXPECT_EQ(Imported(kineto(list({hip, cuda}))).recording().vendor, Vendor::Rocm);
  EXPECT_EQ(Imported(kineto(list({cuda, hip}))).recording().vendor, Vendor::Rocm);
}

TEST(Era, BaseOfVizTracer) {
  Imported in("{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"FEE\", \"name\": \"f\", \"pid\": 1, "
              "\"tid\": 1, \"ts\": 12.5, \"dur\": 3}], "
              "\"viztracer_metadata\": {\"version\": \"1.0\", \"baseTimeNanoseconds\": "
              "1700000000000000000}}");
  EXPECT_EQ(in.recording().base, 1700000000000000000);
  EXPECT_EQ(in.recording().producer, "VizTracer");
  EXPECT_EQ(in.recording().format, "chrome");
  EXPECT_EQ(in.kind("f"), EventKind::Other);
}

TEST(Era, OfTwentyTwentySix) {
  // Compact lines, allocations as spans, an occupancy object.
  Imported in("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1759393446000000000,\"traceEvents\":[\n"
              "{\"ph\":\"X\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":"
              "2,\"ts\":1.000,\"dur\":0.000,\"args\":{\"Bytes\":-64}},\n" +
              kernel("k", "5.000", "1.000",
                     "\"occupancy\": {\"limitingFactors\": [\"a\"]}, \"graph node id\": 3") +
              "]}");
  EXPECT_EQ(in.kind("[memory]"), EventKind::Memory);
  EXPECT_EQ(in.family("[memory]"), Family::ThreadMarker);
  EXPECT_EQ(in.text("k", "occupancy"), "{\"limitingFactors\": [\"a\"]}");
  EXPECT_EQ(in.recording().producer, "PyTorch of 2026 (Kineto)");
}

TEST(Era, SubNanosecondsAndHalves) {
  Imported in(kineto(list({op("a", "1.0005", "1"), op("b", "1.0015", "1"),
                           op("c", "2.00049999", "0.00000002"), op("d", "3.0004", "0.0002")})));
  EXPECT_EQ(in.begin("a") + in.recording().origin, 1000); // 1000.5, half to even
  EXPECT_EQ(in.begin("b") + in.recording().origin, 1002); // 1001.5
  EXPECT_EQ(in.length("c"), 1);                           // 2000.49999 to 2000.50001
  EXPECT_EQ(in.length("d"), 1);                           // 3000.4 to 3000.6
  EXPECT_EQ(in.notes("sub-ns-time"), 6u);
}

TEST(Era, MarkersSetNoTimeRange) {
  Imported in(
      kineto(list({"{\"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\", "
                   "\"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": 5}",
                   "{\"ph\": \"X\", \"cat\": \"Trace\", \"name\": \"PyTorch Profiler (0)\", "
                   "\"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\", \"ts\": 4, \"dur\": 2000}",
                   "{\"ph\": \"X\", \"cat\": \"cuda_profiler_range\", \"name\": \"r\", \"pid\": 0, "
                   "\"tid\": 0, \"ts\": 1, \"dur\": 1, \"args\": {\"sm\": 1.5}}",
                   op("a", "1000.5", "1")})));
  EXPECT_EQ(in.recording().origin, 1000000);
  EXPECT_EQ(in.begin("a"), 500);
  EXPECT_EQ(in.begin("Iteration Start: PyTorch Profiler"), -995000);
  EXPECT_EQ(in.kind("Iteration Start: PyTorch Profiler"), EventKind::Marker);
  EXPECT_EQ(in.kind("PyTorch Profiler (0)"), EventKind::Window);
  EXPECT_EQ(in.family("r"), Family::Window);
}

TEST(Era, RankHostAndDevices) {
  Imported in(
      kineto(op("a", "1.5", "1"),
             "\"deviceProperties\": [{\"id\": 2, \"name\": \"AMD Instinct MI300X\", "
             "\"totalGlobalMem\": 206141652992, \"computeMajor\": 9, "
             "\"computeMinor\": 4, \"numSms\": 304}, {\"id\": 2, \"name\": \"AMD Instinct "
             "MI300X\", \"totalGlobalMem\": 206141652992, "
             "\"computeMajor\": 9, \"computeMinor\": 4, \"numSms\": 304}], \"host_name\": \"n1\", "
             "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\":\"3\", \"world_size\": 16}, "
             "\"hip_runtime_version\": 70051831, "),
      "x_rank-7.json");
  EXPECT_EQ(in.rank().number, 3);
  EXPECT_EQ(in.rank().worldSize, 16);
  EXPECT_EQ(in.rank().backend, "nccl");
  EXPECT_EQ(in.rank().host, "n1");
  EXPECT_EQ(in.recording().vendor, Vendor::Rocm);
  ASSERT_EQ(in.recording().devices.size(), 1u);
  EXPECT_EQ(in.recording().devices[0], (Device{2, "AMD Instinct MI300X", 304, 206141652992, 9, 4}));
  std::pair<StringRef, int64_t> names[] = {{"dir/rank-12.x.json", 12},
                                           {"a_rank_3.json", 3},
                                           {"rank0", 0},
                                           {"h_1.2-TP-5.trace.json.gz", 5},
                                           {"frank.rank9.gz", 9}};
  for (auto [name, number] : names)
    EXPECT_EQ(Imported(kineto(op("a", "1", "1")), name).rank().number, number) << name.str();
  EXPECT_EQ(Imported(kineto(op("a", "1", "1")), "rank12/trace.json").rank().number, std::nullopt);
  EXPECT_EQ(
      Imported(kineto(op("a", "1", "1")), "n-7_1.1733769848514071115.pt.trace.json.gz").rank().host,
      "n-7");
  EXPECT_EQ(Imported(kineto(op("a", "1", "1")), "worker3_step_12.1694128201557.pt.trace.json.gz")
                .rank()
                .host,
            "");
}
