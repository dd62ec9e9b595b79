//===- LinkTest.cpp - Edges between events --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace heddle;
using namespace llvm;

static std::string id(int n) { return "\"correlation\": " + std::to_string(n); }
static std::string call(StringRef name, StringRef ts, int correlation, StringRef pid = "1",
                        StringRef category = "cuda_runtime") {
  return ("{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name +
          "\", \"pid\": " + pid + ", \"tid\": 2, \"ts\": " + ts +
          ", \"dur\": 2, \"args\": {\"correlation\": " + std::to_string(correlation) + "}}")
      .str();
}
static std::string flow(char phase, StringRef category, int number, StringRef pid, StringRef tid,
                        StringRef ts, StringRef more = "") {
  return ("{\"ph\": \"" + std::string(1, phase) + "\", \"id\": " + std::to_string(number) +
          ", \"pid\": " + pid + ", \"tid\": " + tid + ", \"ts\": " + ts + ", \"cat\": \"" +
          category + "\", \"name\": \"" + category + "\"" + more + "}")
      .str();
}

TEST(Link, NoneIsNoId) {
  // Several recorders write -1 where there is no id.
  Imported in(kineto(list({call("cudaLaunchKernel", "10", -1), kernel("k", "20", "1", id(-1))})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "");
  EXPECT_EQ(in.notes("activity-without-launch"), 1u);
}

TEST(Link, AFlowBindsToTheLaunchNotToAProbeBesideIt) {
  Imported in(kineto(list({call("cudaLaunchKernel", "10", 0), call("cudaGetDevice", "10", 0),
                           flow('s', "ac2g", 9, "1", "2", "10"), kernel("k", "20", "7", id(0)),
                           flow('f', "ac2g", 9, "0", "7", "20")})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
}

TEST(Link, ByCorrelation) {
  Imported in(kineto(list({kernel("k", "20", "1", id(5)), call("cudaLaunchKernel", "10", 5),
                           kernel("alone", "30", "1", id(6)), kernel("zero", "40", "1", id(0)),
                           call("cudaLaunchKernel", "12", 0), call("cudaLaunchKernel", "14", 7),
                           call("cudaStreamSynchronize", "16", 8)})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
  EXPECT_EQ(in.notes("activity-without-launch"), 2u);
  EXPECT_EQ(in.notes("launch-without-activity"), 2u);
}

TEST(Link, GraphsAndCopiesOwnMany) {
  Imported in(kineto(
      list({call("cudaGraphLaunch", "10", 5), kernel("a", "20", "1", id(5)),
            kernel("b", "22", "1", id(5)), kernel("c", "24", "1", id(5)),
            call("hipMemcpyWithStream", "30", 6), kernel("x", "40", "1", id(6), "gpu_memcpy"),
            kernel("y", "42", "1", id(6), "gpu_memcpy"), call("cudaLaunchKernel", "50", 7),
            kernel("one", "60", "1", id(7)), kernel("two", "62", "1", id(7))})));
  EXPECT_EQ(in.edges(EdgeKind::Launch),
            "cudaGraphLaunch->a cudaGraphLaunch->b cudaGraphLaunch->c hipMemcpyWithStream->x "
            "hipMemcpyWithStream->y cudaLaunchKernel->one");
  EXPECT_EQ(in.notes("second-activity-of-launch"), 1u);
  EXPECT_EQ(in.notes("activity-without-launch"), 1u);
}

TEST(Link, SeveralCallsWithTheId) {
  Imported in(kineto(
      list({call("cudaDeviceSynchronize", "14", 5),
            call("cuLaunchKernelEx", "10", 5, "1", "cuda_driver"), kernel("k", "20", "1", id(5)),
            call("first", "30", 6), call("second", "34", 6), kernel("l", "40", "1", id(6)),
            call("cudaOccupancyMaxActiveBlocks", "50", 7), kernel("m", "60", "1", id(7))})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cuLaunchKernelEx->k second->l");
  EXPECT_EQ(in.notes("activity-without-launch"), 1u); // a probe owns nothing
}

TEST(Link, ReusedIdsFollowCausality) {
  Imported in(kineto(list({call("hipLaunchKernel", "10", 5), kernel("a", "20", "1", id(5)),
                           call("hipLaunchKernel2", "30", 5), kernel("b", "40", "1", id(5))})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "hipLaunchKernel->a hipLaunchKernel2->b");
}

TEST(Link, AnyNumberOfEventsMayShareAnId) {
  std::string events;
  for (int i = 0; i < 30000; ++i) {
    std::string at = std::to_string(10 * i), later = std::to_string(10 * i + 2);
    events +=
        (i ? "," : "") + call("cudaLaunchKernel", at, 5) + "," + kernel("k", later, "1", id(5));
  }
  Imported in(kineto(events));
  ASSERT_EQ(in.rank().edges().size(), 30000u);
  for (const Edge &e : in.rank().edges())
    ASSERT_EQ(e.from.index, e.to.index);
  // Or begin at the same time.
  events.clear();
  for (int i = 0; i < 30000; ++i)
    events += (i ? "," : "") + call("cudaLaunchKernel", "1", i + 1) + "," +
              flow('s', "ac2g", i + 1, "1", "2", "1");
  EXPECT_EQ(Imported(kineto(events)).notes("unbound-flow"), 0u);
}

TEST(Link, ActivityBeforeItsLaunch) {
  Imported in(kineto(list({call("cudaLaunchKernel", "10", 5), kernel("k", "9.5", "1", id(5))})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
  EXPECT_EQ(in.notes("activity-before-launch"), 1u);
}

TEST(Link, ProcessesInOneFile) {
  // Only one process was first.
  Imported causal(
      kineto(list({call("cudaLaunchKernel", "10", 5, "100"),
                   call("cudaLaunchKernelExC", "30", 5, "200"), kernel("k", "20", "1", id(5))})));
  EXPECT_EQ(causal.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
  // Both were: no guess.
  Imported open(
      kineto(list({call("cudaLaunchKernel", "10", 5, "100"),
                   call("cudaLaunchKernelExC", "12", 5, "200"), kernel("k", "20", "1", id(5))})));
  EXPECT_EQ(open.edges(EdgeKind::Launch), "");
  EXPECT_EQ(open.notes("ambiguous-launch"), 1u);
}

TEST(Link, SyncsAndDeviceAnnotationsAreNoActivities) {
  Imported in(kineto(list({call("cudaStreamSynchronize", "10", 5),
                           kernel("Stream Sync", "20", "1", id(5), "cuda_sync"),
                           kernel("step", "20", "1", id(5), "gpu_user_annotation")})));
  EXPECT_EQ(in.rank().edges().size(), 0u);
  EXPECT_EQ(in.notes("activity-without-launch"), 0u);
}

TEST(Link, ACopyIsACopyByItsCall) {
  Imported in(
      kineto(list({call("hipMemcpyAsync", "10", 5), kernel("copy_kernel", "20", "1", id(5)),
                   call("hipMemsetAsync", "30", 6), kernel("fill_kernel", "40", "1", id(6))})));
  EXPECT_EQ(in.kind("copy_kernel"), EventKind::Memcpy);
  EXPECT_EQ(in.kind("fill_kernel"), EventKind::Memset);
}

TEST(Link, FlowsWhereCorrelationIsMissing) {
  Imported in(
      kineto(list({op("cudaLaunchKernel", "10", "2", "", "cuda_runtime"), kernel("k", "20", "1"),
                   flow('s', "ac2g", 3, "1", "2", "10"),
                   flow('f', "ac2g", 3, "0", "7", "20", ", \"bp\": \"e\""),
                   flow('f', "ac2g", 4, "0", "7", "25"), flow('s', "ac2g", 5, "1", "2", "99")})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
  EXPECT_EQ(in.notes("launch-by-flow"), 1u);
  EXPECT_EQ(in.notes("dangling-flow"), 2u);
  EXPECT_EQ(in.notes("unbound-flow"), 2u);
  EXPECT_EQ(in.notes("activity-without-launch"), 0u);
}

TEST(Link, CorrelationOutranksFlows) {
  Imported in(kineto(list({call("cudaLaunchKernel", "10", 5), call("cudaLaunchKernelExC", "14", 6),
                           kernel("k", "20", "1", id(5)), flow('s', "ac2g", 3, "1", "2", "14"),
                           flow('f', "ac2g", 3, "0", "7", "20")})));
  EXPECT_EQ(in.edges(EdgeKind::Launch), "cudaLaunchKernel->k");
}

TEST(Link, ForwardToBackwardByFlows) {
  for (StringRef category : {"fwdbwd", "forward_backward"}) {
    Imported in(
        kineto(list({op("aten::linear", "10", "5", "\"Sequence number\": 3, \"Fwd thread id\": 0"),
                     op("aten::t", "10", "1"),
                     op("backward", "50", "5", "\"Sequence number\": 3, \"Fwd thread id\": 1"),
                     flow('s', category, 3, "1", "2", "10"), flow('f', category, 3, "1", "2", "50"),
                     flow('s', category, 4, "1", "2", "11")})));
    EXPECT_EQ(in.rank().edges().size(), 1u);
    EXPECT_EQ(in.edges(EdgeKind::FwdBwd), "aten::linear->backward");
    EXPECT_EQ(in.notes("dangling-flow"), 1u);
  }
}

TEST(Link, ForwardToBackwardBySequence) {
  Imported in(kineto(
      list({op("view", "10", "1", "\"Sequence number\": 3, \"Fwd thread id\": 0"),
            op("mm", "12", "2", "\"Sequence number\": 3, \"Fwd thread id\": 0"),
            op("evaluate_function", "50", "9", "\"Sequence number\": 3, \"Fwd thread id\": 1"),
            op("MmBackward0", "51", "5", "\"Sequence number\": 3, \"Fwd thread id\": 1"),
            op("lost", "70", "5", "\"Sequence number\": 9, \"Fwd thread id\": 1"),
            op("other", "80", "1", "\"Sequence number\": 4, \"Fwd thread id\": 0")})));
  EXPECT_EQ(in.edges(EdgeKind::FwdBwd), "mm->evaluate_function");
  EXPECT_EQ(in.notes("backward-without-forward"), 1u);
}

TEST(Link, OtherFlowsBindToSlices) {
  Imported in("{\"traceEvents\": [" +
              list({op("outer", "10", "20", "", "x"), op("inner", "12", "4", "", "x"),
                    op("next", "40", "4", "", "x"), op("last", "60", "4", "", "x"),
                    flow('s', "q", 1, "1", "2", "13"), flow('t', "q", 1, "1", "2", "20"),
                    flow('f', "q", 1, "1", "2", "35"), flow('s', "q", 1, "1", "2", "41"),
                    flow('f', "q", 1, "1", "2", "61", ", \"bp\": \"e\""),
                    flow('f', "q", 2, "1", "2", "62"), flow('s', "q", 7, "9", "9", "1")}) +
              "]}");
  EXPECT_EQ(in.edges(EdgeKind::Flow), "outer->next inner->outer next->last");
  EXPECT_EQ(in.notes("dangling-flow"), 2u);
  EXPECT_EQ(in.notes("unbound-flow"), 2u);
}
