//===- CapabilityTest.cpp -------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Analysis/Maker.h"
#include "heddle/Pass/Pass.h"

using namespace heddle;
using namespace heddle::test;

TEST(Capability, TextsAreStacksToo) {
  for (const char *text : {"net.py(3): forward", ""}) {
    Maker m;
    m.host(EventKind::CpuOp, 0, 10, "aten::mm", 1, {{"Call stack", text}});
    m.done();
    EXPECT_EQ(hasCapability(m.rank, Capability::PythonStacks), text[0] != 0);
  }
}

TEST(Capability, StepMarksAreAnnotationsOrOps) {
  // The same spans that Steps takes for marks; early recorders call them ops.
  for (EventKind kind : {EventKind::Annotation, EventKind::CpuOp, EventKind::Python}) {
    Maker m;
    m.host(kind, 0, 10, "ProfilerStep#1", 1, {});
    m.done();
    EXPECT_EQ(hasCapability(m.rank, Capability::Steps), kind != EventKind::Python);
  }
}
