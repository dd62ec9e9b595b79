//===- NamesTest.cpp ------------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Names.h"
#include "gtest/gtest.h"
#include <set>

using namespace heddle;

namespace {

struct Example {
  NameFact fact;
  llvm::StringLiteral name;
  bool holds = true;
};

// One for each line of lib/IR/Names.def, in its order, and near misses.
constexpr Example kExamples[] = {
    {NameFact::Probe, "cuCtxGetDevice"},
    {NameFact::Probe, "cudaGetLastError"},
    {NameFact::Probe, "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"},
    {NameFact::Probe, "cudaPeekAtLastError"},
    {NameFact::Probe, "cudaEventQuery"},
    {NameFact::Probe, "cudaStreamQuery"},
    {NameFact::Probe, "cudaStreamIsCapturing"},
    {NameFact::Probe, "cuOccupancyMaxActiveClusters"},
    {NameFact::Probe, "cuEventQuery"},
    {NameFact::Probe, "cuStreamQuery_ptsz"},
    {NameFact::Probe, "cuStreamIsCapturing_ptsz"},
    {NameFact::Probe, "hipCtxGetDevice"},
    {NameFact::Probe, "hipOccupancyMaxPotentialBlockSize"},
    {NameFact::Probe, "hipPeekAtLastError"},
    {NameFact::Probe, "hipEventQuery"},
    {NameFact::Probe, "hipStreamQuery"},
    {NameFact::Probe, "hipStreamIsCapturing"},
    {NameFact::Probe, "urKernelGetGroupInfo"},
    {NameFact::Probe, "piextDeviceSelectBinaryGet"},
    {NameFact::Probe, "zeKernelGetProperties"},
    {NameFact::Probe, "zeEventQueryStatus"},
    {NameFact::Probe, "aclrtGetDevice"},
    {NameFact::Probe, "aclrtQueryEventStatus"},
    {NameFact::Probe, "aclnnAddGetWorkspaceSize"},
    {NameFact::Probe, "cudaLaunchKernel", false},
    {NameFact::Probe, "cudaEventRecord", false},
    {NameFact::Probe, "aclnnAdd", false},
    {NameFact::Probe, "GetX", false},

    {NameFact::Launches, "hipExtModuleLaunchKernel"},
    {NameFact::Launches, "launchKernel"},
    {NameFact::Launches, "urEnqueueCommandBufferExp"},
    {NameFact::Launches, "zeCommandQueueExecuteCommandLists"},
    {NameFact::Launches, "aclnnAddGetWorkspaceSize", false},
    {NameFact::Launches, "aclnnAdd"},
    {NameFact::Launches, "aclopExecuteV2"},
    {NameFact::Launches, "aclmdlExecuteAsync"},
    {NameFact::Launches, "aclmdlRIExecuteAsync"},
    {NameFact::Launches, "runFunction - job_prep_and_submit_for_execution"},
    {NameFact::Launches, "urEnqueueKernelLaunch"},
    {NameFact::Launches, "zeCommandListAppendLaunchKernel"},
    {NameFact::Launches, "cudaMemcpyAsync", false},

    {NameFact::Copies, "cudaMemcpyAsync"},
    {NameFact::Copies, "enqueueCommand memcpyHtoDAsync"},
    {NameFact::Copies, "urEnqueueMemBufferFill", false},
    {NameFact::Copies, "urEnqueueMemBufferRead"},
    {NameFact::Copies, "piEnqueueMemBufferFill", false},
    {NameFact::Copies, "piEnqueueMemBufferWrite"},
    {NameFact::Copies, "zeCommandListImmediateAppendMemoryCopyRegion"},
    {NameFact::Copies, "urEnqueueUSMMemcpy"},
    {NameFact::Copies, "cudaMemsetAsync", false},

    {NameFact::Fills, "hipMemsetD8"},
    {NameFact::Fills, "memset"},
    {NameFact::Fills, "urEnqueueUSMFill"},
    {NameFact::Fills, "piEnqueueMemBufferFill"},
    {NameFact::Fills, "piextUSMEnqueueFill2D"},
    {NameFact::Fills, "zeCommandListAppendMemoryFill"},
    {NameFact::Fills, "cudaMemcpyAsync", false},

    {NameFact::Several, "hipGraphLaunch"},
    {NameFact::Several, "cudaMemcpyBatchAsync"},
    {NameFact::Several, "hipLaunchCooperativeKernelMultiDevice"},
    {NameFact::Several, "urEnqueueCommandBufferExp"},
    {NameFact::Several, "zeCommandQueueExecuteCommandLists"},
    {NameFact::Several, "aclnnAddGetWorkspaceSize", false},
    {NameFact::Several, "aclnnAdd"},
    {NameFact::Several, "aclmdlExecute"},
    {NameFact::Several, "aclmdlRIExecuteAsync"},
    {NameFact::Several, "cudaLaunchKernel", false},

    {NameFact::LaunchesGraph, "cuGraphLaunch"},
    {NameFact::LaunchesGraph, "urEnqueueCommandBufferExp"},
    {NameFact::LaunchesGraph, "aclmdlRIExecuteAsync"},
    {NameFact::LaunchesGraph, "cudaGraphInstantiate", false},

    {NameFact::CapturesGraph, "cudaStreamBeginCapture"},
    {NameFact::CapturesGraph, "aclmdlRICaptureBegin"},
    {NameFact::CapturesGraph, "cudaStreamEndCapture", false},

    {NameFact::MakesGraph, "hipGraphInstantiate"},
    {NameFact::MakesGraph, "urCommandBufferFinalizeExp"},
    {NameFact::MakesGraph, "cudaGraphLaunch", false},

    {NameFact::LaunchesItems, "hipExtModuleLaunchKernel"},
    {NameFact::LaunchesItems, "hipHccModuleLaunchKernel"},
    {NameFact::LaunchesItems, "hipModuleLaunchKernel", false},
    {NameFact::LaunchesItems, "hipExtLaunchKernel", false},

    {NameFact::Waits, "cudaMemcpyAsync", false},
    {NameFact::Waits, "cudaMemcpy"},
    {NameFact::Waits, "cuMemcpyHtoDAsync_v2", false},
    {NameFact::Waits, "cuMemcpyDtoH_v2"},
    {NameFact::Waits, "hipMemcpyAsync", false},
    {NameFact::Waits, "hipMemcpyWithStream"},
    {NameFact::Waits, "cudaDeviceSynchronize"},
    {NameFact::Waits, "cudaDeviceSynchronize_v3020"},
    {NameFact::Waits, "cudaStreamSynchronize"},
    {NameFact::Waits, "cudaStreamSynchronize_ptsz"},
    {NameFact::Waits, "cudaEventSynchronize"},
    {NameFact::Waits, "cudaEventSynchronize_v3020"},
    {NameFact::Waits, "cudaThreadSynchronize"},
    {NameFact::Waits, "cudaThreadSynchronize_v3020"},
    {NameFact::Waits, "cuCtxSynchronize"},
    {NameFact::Waits, "cuCtxSynchronize_v2"},
    {NameFact::Waits, "cuStreamSynchronize"},
    {NameFact::Waits, "cuStreamSynchronize_ptsz"},
    {NameFact::Waits, "cuEventSynchronize"},
    {NameFact::Waits, "cuEventSynchronize_v2"},
    {NameFact::Waits, "hipDeviceSynchronize"},
    {NameFact::Waits, "hipDeviceSynchronize_v1"},
    {NameFact::Waits, "hipStreamSynchronize"},
    {NameFact::Waits, "hipStreamSynchronize_spt"},
    {NameFact::Waits, "hipEventSynchronize"},
    {NameFact::Waits, "hipEventSynchronize_v1"},
    {NameFact::Waits, "hipCtxSynchronize"},
    {NameFact::Waits, "hipCtxSynchronize_v1"},
    {NameFact::Waits, "urQueueFinish"},
    {NameFact::Waits, "urEventWait"},
    {NameFact::Waits, "piQueueFinish"},
    {NameFact::Waits, "piEventsWait"},
    {NameFact::Waits, "zeCommandQueueSynchronize"},
    {NameFact::Waits, "zeCommandListHostSynchronize"},
    {NameFact::Waits, "zeEventHostSynchronize"},
    {NameFact::Waits, "zeFenceHostSynchronize"},
    {NameFact::Waits, "aclrtSynchronizeStreamWithTimeout"},
    {NameFact::Waits, "aclrtMemcpyAsync", false},
    {NameFact::Waits, "aclrtMemcpy"},
    {NameFact::Waits, "synchronizeStream"},
    {NameFact::Waits, "AscendCL@aclrtSynchronizeDevice"},
    {NameFact::Waits, "cudaStreamWaitEvent", false},
    {NameFact::Waits, "cudaStreamSynchronizeX", false},
    {NameFact::Waits, "urEnqueueEventsWait", false},

    {NameFact::Allocates, "cudaMallocAsync"},
    {NameFact::Allocates, "cudaFree"},
    {NameFact::Allocates, "cudaHostAlloc"},
    {NameFact::Allocates, "cudaHostRegister"},
    {NameFact::Allocates, "cudaHostUnregister"},
    {NameFact::Allocates, "cuMemAlloc_v2"},
    {NameFact::Allocates, "cuMemFreeHost"},
    {NameFact::Allocates, "cuMemCreate"},
    {NameFact::Allocates, "cuMemRelease"},
    {NameFact::Allocates, "cuMemMap"},
    {NameFact::Allocates, "cuMemUnmap"},
    {NameFact::Allocates, "cuMemHostAlloc"},
    {NameFact::Allocates, "cuMemHostRegister_v2"},
    {NameFact::Allocates, "cuMemHostUnregister"},
    {NameFact::Allocates, "cuMemAddressReserve"},
    {NameFact::Allocates, "cuMemAddressFree"},
    {NameFact::Allocates, "cuMemSetAccess"},
    {NameFact::Allocates, "hipMalloc"},
    {NameFact::Allocates, "hipExtMallocWithFlags"},
    {NameFact::Allocates, "hipFreeAsync"},
    {NameFact::Allocates, "hipHostAlloc"},
    {NameFact::Allocates, "hipHostMalloc"},
    {NameFact::Allocates, "hipHostFree"},
    {NameFact::Allocates, "hipHostRegister"},
    {NameFact::Allocates, "hipHostUnregister"},
    {NameFact::Allocates, "urUSMDeviceAlloc"},
    {NameFact::Allocates, "urUSMFree"},
    {NameFact::Allocates, "urPhysicalMemCreate"},
    {NameFact::Allocates, "urVirtualMemMap"},
    {NameFact::Allocates, "piextUSMDeviceAlloc"},
    {NameFact::Allocates, "piextUSMFree"},
    {NameFact::Allocates, "zeMemAllocDevice"},
    {NameFact::Allocates, "zeMemFree"},
    {NameFact::Allocates, "zePhysicalMemCreate"},
    {NameFact::Allocates, "zeVirtualMemReserve"},
    {NameFact::Allocates, "aclrtMallocHost"},
    {NameFact::Allocates, "aclrtFree"},
    {NameFact::Allocates, "cuMemcpyAsync", false},
    {NameFact::Allocates, "cudaMemPrefetchAsync", false},

    {NameFact::LoadsCode, "cudaModuleLoad"},
    {NameFact::LoadsCode, "cudaLibraryLoadData"},
    {NameFact::LoadsCode, "cuModuleLoadData"},
    {NameFact::LoadsCode, "cuLibraryLoadData"},
    {NameFact::LoadsCode, "nvrtcCompileProgram"},
    {NameFact::LoadsCode, "hipModuleLoadDataEx"},
    {NameFact::LoadsCode, "hipLibraryLoadData"},
    {NameFact::LoadsCode, "hiprtcCompileProgram"},
    {NameFact::LoadsCode, "urProgramBuildExp"},
    {NameFact::LoadsCode, "urProgramCreateWithIL"},
    {NameFact::LoadsCode, "piProgramBuild"},
    {NameFact::LoadsCode, "piProgramCreate"},
    {NameFact::LoadsCode, "zeModuleCreate"},
    {NameFact::LoadsCode, "aclrtBinaryLoadFromFile"},
    {NameFact::LoadsCode, "aclopCompileAndExecute"},
    {NameFact::LoadsCode, "aclmdlLoadFromFile"},
    {NameFact::LoadsCode, "hipModuleLaunchKernel", false},

    {NameFact::CopyKernel, "__amd_rocclr_copyBuffer.kd"},
    {NameFact::FillKernel, "__amd_rocclr_fillBufferAligned.kd"},
    {NameFact::CopyKernel, "CatArrayBatchedCopy", false},

    {NameFact::Communicates, "ncclDevKernel_SendRecv(ncclDevKernelArgs)"},
    {NameFact::Communicates, "rcclGenericKernel"},
    {NameFact::Communicates, "Hccl_kernel"},
    {NameFact::Communicates, "xccl::barrier"},
    {NameFact::Communicates, "oneccl_barrier_entry"},
    {NameFact::Communicates, "mscclpp::barrier"},
    {NameFact::Communicates, "nvshmemi_barrier"},
    {NameFact::Communicates, "rocshmem_put_kernel"},
    {NameFact::Communicates, "ishmem_barrier"},
    {NameFact::Communicates, "hcom_send__534_0"},
    {NameFact::Communicates, "REDUCE_ASYNC_V2"},
    {NameFact::Communicates, "Default/AllReduce-op534_0"},
    {NameFact::Communicates, "Default/AllGather-op1"},
    {NameFact::Communicates, "Default/ReduceScatter-op1"},
    {NameFact::Communicates, "Default/AlltoAllV-op1"},
    {NameFact::Communicates, "Default/ReduceSum-op1", false},
    {NameFact::Communicates, "deepep::dispatch"},
    {NameFact::Communicates, "deep_ep::intranode::combine"},
    {NameFact::Communicates, "void vllm::Cross_Device_Reduce_1stage<float>"},
    {NameFact::Communicates, "quickreduce::twoshot"},
    {NameFact::Communicates, "one_shot_all_reduce"},
    {NameFact::Communicates, "two_shot_all_reduce"},
    {NameFact::Communicates, "symm_mem::barrier"},
    {NameFact::Communicates, "multimem_all_gather"},
    {NameFact::Communicates, "ampere_sgemm_128x64_nn", false},
    {NameFact::Communicates, "three_shots", false},
    {NameFact::Communicates, "finishMemory", false},

    {NameFact::MtiaOrder, "event_wait"},
    {NameFact::MtiaOrder, "event_record"},
    {NameFact::MtiaOrder, "stream_sync"},
    {NameFact::MtiaOrder, "pe_exe", false},
    {NameFact::MtiaCopy, "DMA_REQUEST"},
    {NameFact::MtiaCopy, "copy_out"},
    {NameFact::MtiaCopy, "merge", false},

    {NameFact::AscendOrder, "EVENT_WAIT"},
    {NameFact::AscendOrder, "NOTIFY_RECORD"},
    {NameFact::AscendOrder, "STREAM_ACTIVE"},
    {NameFact::AscendOrder, "MODEL_MAINTAINCE"},
    {NameFact::AscendOrder, "PROFILER_TRACE_EX"},
    {NameFact::AscendOrder, "AI_CORE", false},
    {NameFact::AscendCopy, "MEMCPY_ASYNC"},
    {NameFact::AscendCopy, "SDMA_SQE"},
    {NameFact::AscendCopy, "PCIE_DMA_SQE"},
    {NameFact::AscendCopy, "KERNEL_AICORE", false},

    {NameFact::ToDevice, "Memcpy HtoD (Pinned -> Device)"},
    {NameFact::ToDevice, "CopyHostToDevice"},
    {NameFact::ToDevice, "Memcpy M2D (MEMORY -> DEVICE)"},
    {NameFact::ToDevice, "Memcpy H2D (HOST -> DEVICE)"},
    {NameFact::ToDevice, "Memcpy D2M (DEVICE -> MEMORY)", false},
    {NameFact::FromDevice, "Memcpy DtoH (Device -> Pageable)"},
    {NameFact::FromDevice, "CopyDeviceToHost"},
    {NameFact::FromDevice, "Memcpy D2M (DEVICE -> MEMORY)"},
    {NameFact::FromDevice, "Memcpy D2H (DEVICE -> HOST)"},
    {NameFact::OnDevice, "Memcpy DtoD (Device -> Device)"},
    {NameFact::OnDevice, "CopyDeviceToDevice"},
    {NameFact::OnDevice, "Memcpy D2D (DEVICE -> DEVICE)"},
    {NameFact::BetweenDevices, "Memcpy PtoP (Device -> Device)"},
    {NameFact::BetweenDevices, "MEMCPY_PEER_PeerToPeer"},
    {NameFact::Pageable, "Memcpy HtoD (Pageable -> Device)"},
    {NameFact::Pageable, "Memcpy HtoD (Pinned -> Device)", false},

    {NameFact::AsyncSpan, "nccl:all_reduce"},
    {NameFact::AsyncSpan, "gloo:broadcast"},
    {NameFact::AsyncSpan, "ucc:all_gather"},
    {NameFact::AsyncSpan, "mpi:send"},
    {NameFact::AsyncSpan, "xccl:all_reduce"},
    {NameFact::AsyncSpan, "hccl:all_reduce"},
    {NameFact::AsyncSpan, "c10d::allreduce_", false},

    {NameFact::HiddenOp, "profiler::_record_function_enter"},
    {NameFact::HiddenOp, "profiler::_record_function_enter_new"},
    {NameFact::HiddenOp, "profiler::_record_function_exit"},
    {NameFact::HiddenOp, "aten::is_leaf"},
    {NameFact::HiddenOp, "aten::output_nr"},
    {NameFact::HiddenOp, "aten::_version"},
    {NameFact::HiddenOp, "[memory]"},
    {NameFact::HiddenOp, "[OutOfMemory]"},
    {NameFact::HiddenOp, "aten::is_leaf_", false},
};

} // namespace

TEST(Names, Examples) {
  for (const Example &e : kExamples)
    EXPECT_EQ(nameIs(e.fact, e.name), e.holds) << e.name.str();
}

TEST(Names, EveryLineHasAnExampleThatNeedsIt) {
  std::vector<NameRule> all(nameRules().begin(), nameRules().end());
  for (size_t line = 0; line != all.size(); ++line) {
    std::vector<NameRule> others = all;
    others.erase(others.begin() + static_cast<ptrdiff_t>(line));
    bool needed = llvm::any_of(kExamples, [&](const Example &e) {
      return e.fact == all[line].fact && nameIs(e.fact, e.name, others) != e.holds;
    });
    EXPECT_TRUE(needed) << all[line].pattern.str();
  }
}

TEST(Names, PatternsWithoutCaseAreLowerCase) {
  for (const NameRule &r : nameRules()) {
    llvm::StringRef pattern = r.pattern;
    bool ignoresCase = nameIs(r.fact, pattern.upper(), r) && nameIs(r.fact, pattern.lower(), r);
    EXPECT_TRUE(!ignoresCase || llvm::StringRef(r.pattern).lower() == r.pattern) << r.pattern.str();
  }
}

TEST(Names, FactsOfATableAreTheSame) {
  StringTable strings;
  NameFacts facts(strings);
  for (const Example &e : kExamples) {
    StringId id = strings.intern(e.name);
    EXPECT_EQ(facts.is(e.fact, id), e.holds) << e.name.str();
    EXPECT_EQ(facts.is(e.fact, id), e.holds) << "asked again: " << e.name.str();
  }
}

TEST(Names, PatternsAreMatchedFromTheFirstFit) {
  auto fits = [](llvm::StringLiteral pattern, llvm::StringRef name) {
    return nameIs(NameFact::Probe, name, NameRule{NameFact::Probe, pattern});
  };
  EXPECT_TRUE(fits("a*b*c", "abc"));
  EXPECT_TRUE(fits("a*b*c", "a..b..b..c"));
  EXPECT_FALSE(fits("a*b*c", "acb"));
  EXPECT_FALSE(fits("ab*ba", "aba"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_FALSE(fits("", "a"));
  EXPECT_FALSE(fits("a", "ab"));
}

TEST(Names, KindsOfCollectives) {
  EXPECT_EQ(collectiveKind("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), "all-reduce");
  EXPECT_EQ(collectiveKind("_allgather_base"), "all-gather");
  EXPECT_EQ(collectiveKind("_reduce_scatter_base"), "reduce-scatter");
  EXPECT_EQ(collectiveKind("all_to_allv"), "all-to-all");
  EXPECT_EQ(collectiveKind("ncclDevKernel_SendRecv"), "send, receive");
  EXPECT_EQ(collectiveKind("ncclDevKernel_Generic_4"), "");
}
