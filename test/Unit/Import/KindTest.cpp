//===- KindTest.cpp - From categories to kinds and tracks -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace heddle;
using namespace llvm;

TEST(Kind, EveryCategory) {
  struct {
    StringRef category;
    EventKind kind;
    Family family;
  } rows[] = {
      {"cpu_op", EventKind::CpuOp, Family::ThreadWork},
      {"CPU_OP", EventKind::CpuOp, Family::ThreadWork},
      {"Operator", EventKind::CpuOp, Family::ThreadWork},
      {"user_annotation", EventKind::Annotation, Family::ThreadWork},
      {"User", EventKind::Annotation, Family::ThreadWork},
      {"cuda_runtime", EventKind::Runtime, Family::ThreadWork},
      {"Runtime", EventKind::Runtime, Family::ThreadWork},
      {"xpu_runtime", EventKind::Runtime, Family::ThreadWork},
      {"mtia_runtime", EventKind::Runtime, Family::ThreadWork},
      {"glow_runtime", EventKind::Runtime, Family::ThreadWork},
      {"privateuse1_runtime", EventKind::Runtime, Family::ThreadWork},
      {"cuda_driver", EventKind::Driver, Family::ThreadWork},
      {"xpu_driver", EventKind::Driver, Family::ThreadWork},
      {"privateuse1_driver", EventKind::Driver, Family::ThreadWork},
      {"kernel", EventKind::Kernel, Family::StreamWork},
      {"hpu_op", EventKind::Kernel, Family::StreamWork},
      {"gpu_memcpy", EventKind::Memcpy, Family::StreamWork},
      {"Memcpy", EventKind::Memcpy, Family::StreamWork},
      {"gpu_memset", EventKind::Memset, Family::StreamWork},
      {"Memset", EventKind::Memset, Family::StreamWork},
      {"mtia_ccp_events", EventKind::Kernel, Family::StreamWork},
      {"mtia_insight", EventKind::Other, Family::StreamMarker},
      {"gpu_user_annotation", EventKind::Annotation, Family::StreamAnnotation},
      {"cuda_sync", EventKind::Sync, Family::StreamSync},
      {"xpu_sync", EventKind::Sync, Family::StreamSync},
      {"cuda_event", EventKind::DeviceEvent, Family::StreamSync},
      {"python_function", EventKind::Python, Family::ThreadPython},
      {"collective_comm", EventKind::Comm, Family::ThreadWork},
      {"overhead", EventKind::Overhead, Family::Overhead},
      {"Trace", EventKind::Window, Family::Window},
      {"cuda_profiler_range", EventKind::Other, Family::Window},
      {"something_new", EventKind::Other, Family::ThreadWork},
  };
  for (auto &row : rows) {
    Imported in(kineto(op("e", "1.000", "1.000", "", row.category)));
    EXPECT_EQ(in.kind("e"), row.kind) << row.category.str();
    EXPECT_EQ(in.family("e"), row.family) << row.category.str();
    // The category stays as it was.
    EventRef e = in.find("e");
    EXPECT_EQ(in.rank().str(in.rank().layout(in.rank().track(e.track).layouts[e.index]).layout.cat),
              row.category);
  }
}

TEST(Kind, OtherToolsMayUseTheWords) {
  Imported in("{\"traceEvents\": [" +
              list({op("a", "1", "1", "", "kernel"), op("b", "1", "1", "", "trace"),
                    op("c", "1", "1", "", "user")}) +
              "]}");
  EXPECT_EQ(in.recording().format, "chrome");
  for (StringRef name : {"a", "b", "c"}) {
    EXPECT_EQ(in.kind(name), EventKind::Other);
    EXPECT_EQ(in.family(name), Family::ThreadWork);
  }
  // Unless the arguments are those of a device activity.
  Imported device("{\"traceEvents\": [" + kernel("k", "1", "1") + "]}");
  EXPECT_EQ(device.kind("k"), EventKind::Kernel);
}

TEST(Kind, CopiesAndFillsThatRunAsKernels) {
  Imported in(
      kineto(list({kernel("__amd_rocclr_copyBuffer", "1", "1"),
                   kernel("__amd_rocclr_fillBufferAligned", "3", "1"), kernel("gemm", "5", "1")})));
  EXPECT_EQ(in.kind("__amd_rocclr_copyBuffer"), EventKind::Memcpy);
  EXPECT_EQ(in.kind("__amd_rocclr_fillBufferAligned"), EventKind::Memset);
  EXPECT_EQ(in.kind("gemm"), EventKind::Kernel);
}

TEST(Kind, AThreadMayShareItsIdsWithAStream) {
  Imported in(kineto(
      list({"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", \"pid\": 0, \"tid\": 7, "
            "\"ts\": 1, \"dur\": 1, \"args\": {\"stream\": 3}}",
            "{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"py\", \"pid\": 0, \"tid\": "
            "7, \"ts\": 1, \"dur\": 1}",
            kernel("k", "1", "1"), kernel("annotation", "1", "1", "", "gpu_user_annotation")})));
  EXPECT_EQ(in.rank().tracks().size(), 4u);
  EXPECT_EQ(in.family("op"),
            Family::ThreadWork); // a stream among its arguments makes it no activity
  EXPECT_EQ(in.trackOf("op").device, -1);
  EXPECT_EQ(in.family("py"), Family::ThreadPython);
  EXPECT_EQ(in.family("k"), Family::StreamWork);
  EXPECT_EQ(in.family("annotation"), Family::StreamAnnotation);
}

TEST(Kind, DeviceAndStream) {
  Imported in(kineto(
      list({"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 102, \"tid\": 20, "
            "\"ts\": 1, \"dur\": 1, \"args\": {\"device\": 2, \"stream\": 13}}",
            "{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"p2p\", \"pid\": 3, \"tid\": 21, "
            "\"ts\": 1, \"dur\": 1, \"args\": {\"fromDevice\": 3}}",
            "{\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"sync\", \"pid\": 0, \"tid\": -1, "
            "\"ts\": 1, \"dur\": 1, \"args\": {\"device\": 0, \"stream\": -1}}"})));
  EXPECT_EQ(in.trackOf("k").device, 2);
  EXPECT_EQ(in.trackOf("k").stream, 13);
  EXPECT_EQ(in.trackOf("p2p").device, 3);
  EXPECT_EQ(in.trackOf("p2p").stream, 21);
  EXPECT_EQ(in.trackOf("sync").stream, -1);
}

TEST(Kind, ARowThatChangesItsDeviceOrStreamIsCounted) {
  auto on = [](StringRef name, StringRef ts, StringRef device, StringRef stream) {
    return ("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + name +
            "\", \"pid\": 0, \"tid\": 7, \"ts\": " + ts +
            ", \"dur\": 1, \"args\": {\"device\": " + device + ", \"stream\": " + stream + "}}")
        .str();
  };
  Imported in(kineto(list({on("a", "1", "0", "7"), on("b", "3", "1", "7"), on("c", "5", "0", "8"),
                           on("d", "7", "2", "9")})));
  EXPECT_EQ(in.rank().tracks().size(), 1u);
  EXPECT_EQ(in.trackOf("a").device, 0);
  EXPECT_EQ(in.trackOf("a").stream, 7);
  EXPECT_EQ(in.notes("device-differs-on-row"), 2u);
  EXPECT_EQ(in.notes("stream-differs-on-row"), 2u);
}

TEST(Kind, IdsOfAnyForm) {
  Imported in(kineto(list({"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": -1, "
                           "\"tid\": 140000000000000, \"ts\": 1, \"dur\": 1}",
                           "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": "
                           "\"[TP01] 4100\", \"tid\": 1.0, \"ts\": 1, \"dur\": 1}",
                           "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"c\", \"tid\": null, "
                           "\"ts\": 1, \"dur\": 1}"})));
  EXPECT_EQ(in.trackOf("a").key.pid, SourceId::integer(-1));
  EXPECT_EQ(in.trackOf("a").key.tid, SourceId::integer(140000000000000));
  EXPECT_EQ(in.trackOf("b").key.pid.form, SourceId::String);
  EXPECT_EQ(in.trackOf("b").key.tid.form, SourceId::Raw);
  EXPECT_EQ(in.rank().str(in.trackOf("b").key.tid.text), "1.0");
  EXPECT_EQ(in.trackOf("c").key.pid.form, SourceId::Absent);
  EXPECT_EQ(in.rank().str(in.trackOf("c").key.tid.text), "null");
}

TEST(Kind, PhasesOfEveryKind) {
  Imported in(
      "{\"traceEvents\": ["
      "{\"ph\": \"i\", \"name\": \"i\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"s\": \"t\"},"
      "{\"ph\": \"I\", \"name\": \"I\", \"pid\": 1, \"tid\": 1, \"ts\": 2},"
      "{\"ph\": \"R\", \"name\": \"R\", \"pid\": 1, \"tid\": 1, \"ts\": 3},"
      "{\"ph\": \"C\", \"name\": \"c\", \"pid\": 1, \"tid\": 9, \"ts\": 4, \"args\": {\"x\": 1, "
      "\"\": 2.50}},"
      "{\"ph\": \"B\", \"name\": \"B\", \"pid\": 1, \"tid\": 1, \"ts\": 5}, "
      "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":6},"
      "{\"ph\": \"b\", \"name\": \"async\", \"id\": \"0x1\", \"pid\": 1, \"tid\": 1, \"ts\": 7, "
      "\"args\": {\"a\": [1,{ }], \"u\": \"\\u00e9\"}},"
      "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"p\"}},"
      "{\"name\": \"no phase\", \"ts\": 1}, {\"ph\": \"long\", \"ts\": 1}, {\"ph\": 7, \"ts\": 1},"
      "{\"ph\": \"s\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 8}]}");
  EXPECT_EQ(in.recording().sourceEvents, 12u);
  EXPECT_EQ(in.rank().numEvents(), 6u);
  ASSERT_EQ(in.rank().flows().size(), 2u);
  EXPECT_TRUE(in.rank().isEnd(in.rank().flows()[0]));
  EXPECT_FALSE(in.rank().isEnd(in.rank().flows()[1]));
  EXPECT_EQ(in.length("B"), 1000);
  EXPECT_EQ(in.family("B"), Family::ThreadWork);
  EXPECT_EQ(in.family("async"), Family::Async);
  EXPECT_EQ(in.kind("async"), EventKind::Marker); // its end is not there
  ASSERT_EQ(in.rank().loose().size(), 4u);
  EXPECT_EQ(in.rank().str(in.rank().loose()[0].text),
            "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"p\"}}");
  EXPECT_EQ(in.family("c"), Family::Counter);
  EXPECT_EQ(in.trackOf("c").key.tid.form, SourceId::Absent); // a counter is its process's
  EXPECT_EQ(in.kind("R"), EventKind::Marker);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_GT(in.rank().loose()[i].seq, 6u);
}
