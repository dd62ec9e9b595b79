"""What names and categories mean: rules 5, 8, 11, 12, 15, 29, 30, 35, 40,
54 and 55 of docs/Definitions.md."""
import fnmatch
import re

# Rule 5: kinds by category, lower-cased. Categories not listed are of no kind; of "mtia_ccp_events"
# the name decides.
KINDS = {
    "kernel": "kernel",
    "hpu_op": "kernel",
    "mtia_ccp_events": "kernel",
    "gpu_memcpy": "memcpy",
    "memcpy": "memcpy",
    "gpu_memset": "memset",
    "memset": "memset",
    "cpu_op": "op",
    "operator": "op",
    "user_annotation": "annotation",
    "user": "annotation",
    "cuda_runtime": "runtime",
    "runtime": "runtime",
    "xpu_runtime": "runtime",
    "mtia_runtime": "runtime",
    "glow_runtime": "runtime",
    "privateuse1_runtime": "runtime",
    "cuda_driver": "driver",
    "xpu_driver": "driver",
    "privateuse1_driver": "driver",
    "python_function": "python",
}
ACTIVITIES = {"kernel", "memcpy", "memset"}
# Of these, no process can make anything else.
OF_NO_KIND = {
    "gpu_user_annotation", "cuda_sync", "xpu_sync", "cuda_event", "collective_comm", "overhead",
    "trace", "cuda_profiler_range", "mtia_insight", "mtia_workloadd", "heddle",
}
EARLIEST = {"CPU functions": "op", "CUDA functions": "kernel"}  # processes, without categories
MTIA = "mtia_ccp_events"
MTIA_ORDER = re.compile(r"wait|record|sync")  # events that only order others
MTIA_COPY = re.compile(r"(?i:dma)|copy")
# Rule 55: rows that the names and labels of their processes tell, and types of a device's tasks.
LANES = {
    "Ascend Hardware": "device",
    "HCCL": "collectives",
    "Communication": "collectives",
    "Overlap Analysis": "derived",
}
ASCEND_ORDER = re.compile(r"^(EVENT|NOTIFY|STREAM|MODEL|PROFILER)_")
ASCEND_COPY = re.compile(r"^(MEMCPY_|SDMA|PCIE_DMA)")
INSIDE = "hosttodevice"  # flows that begin somewhere in their call
CALLS = {"runtime", "driver"}
SPANS = {"op", "annotation"}

# Rule 8: what a kernel does, by its name.
COPY_KERNEL, FILL_KERNEL = "__amd_rocclr_copy", "__amd_rocclr_fill"
COLLECTIVE_KEYS = ("Collective name", "Process Group Name")
COLLECTIVE = re.compile(
    r"[nrhx]ccl|oneccl|mscclpp|(nv|roc)shmem|^ishmem|^hcom_|deep_?ep|cross_device_reduce|"
    r"quickreduce|(one|two)_shot|symm_mem|multimem|^reduce_async|"
    r"allreduce|allgather|reducescatter|alltoall",
    re.IGNORECASE | re.ASCII,
)

# Rules 11 and 12: calls that launch nothing, that surely launch, and that may launch several.
COPIES = re.compile(
    r"[Mm]emcpy|^(ur|pi)EnqueueMemBuffer(?!.*Fill)|^zeCommandList.*AppendMemoryCopy"
)
FILLS = re.compile(
    r"[Mm]emset|^(ur|pi)Enqueue.*Fill|^piextUSMEnqueueFill|^zeCommandList.*AppendMemoryFill"
)
SEVERAL = re.compile(
    r"GraphLaunch|Batch|MultiDevice|^urEnqueueCommandBuffer|^zeCommandQueueExecuteCommandLists$|"
    r"^aclmdl(RI)?Execute|^aclnn(?!.*GetWorkspaceSize$)|" + COPIES.pattern + "|" + FILLS.pattern
)
PROBE = re.compile(
    r"^(cuda|hip|cu)(\w*Get\w*|Occupancy\w*|PeekAtLastError|(Event|Stream)Query|StreamIsCapturing)|"
    r"^(ur|pi|ze).*Get|^ze.*QueryStatus$|^aclrt(Get|Query)|^aclnn.*GetWorkspaceSize$"
)
LAUNCHING = re.compile(r"[Ll]aunch|^(aclopExecute|runFunction)|" + SEVERAL.pattern)
GRAPH = re.compile(r"GraphLaunch|^urEnqueueCommandBuffer|^aclmdlRIExecute")

# Rule 39: calls whose grids count work items; and what recorders call their estimate.
ITEMS = re.compile(r"^hip(Ext|Hcc)ModuleLaunchKernel")
OCCUPANCY = "est. achieved occupancy %"

FLOWS = re.compile(r"^(ac2g|async_cpu_to_gpu|async_gpu|cpu_to_.*|hosttodevice)$")

# Rule 15: what marks a step, in the order in which families are tried.
PROFILER_STEP = re.compile(r"^ProfilerStep\s*#\s*(\d+)$")
STEP_GLOBS = ("execute_context_*", "execute_*_context_*", "step[[]*")
STEP_PATTERNS = [re.compile(fnmatch.translate(glob)) for glob in STEP_GLOBS]
OPTIMIZER = "Optimizer.step#"

# Rule 29: calls that return when the device is done.
SYNCHRONIZE = re.compile(
    r"^(cuda|hip)(Device|Stream|Event|Thread|Ctx)Synchronize(_\w+)?$|"
    r"^cu(Ctx|Stream|Event)Synchronize(_\w+)?$|"
    r"^(urQueueFinish|urEventWait|piQueueFinish|piEventsWait|zeCommandQueueSynchronize|"
    r"ze(CommandList|Event|Fence)HostSynchronize|synchronizeStream)$|^aclrtSynchronize"
)
COPY_CALL = re.compile(r"^(cuda|hip|cu|aclrt)Memcpy")

# Rule 30: what the host is busy with.
INPUT_PREFIXES = ("enumerate(DataLoader)#", "enumerate(DataPipe)#")
INPUT_FRAME = re.compile(r"(^|/)torch/utils/data/dataloader\.py\(\d+\): __next__$")
COLLECT = re.compile(r"^(?:gc|gc\.collect|garbage[ _]collection)$", re.IGNORECASE)
COLLECT_FRAME = re.compile(r"^<built-in (function|method) collect( of .*)?>$")
ALLOC = re.compile(
    r"^(cuda|hip)(Malloc|Free|HostAlloc|HostMalloc|HostFree|HostRegister|HostUnregister|ExtMalloc)|"
    r"^cuMem(Alloc|Free|Create|Release|Map|Unmap|HostAlloc|HostRegister|HostUnregister|"
    r"AddressReserve|AddressFree|SetAccess)|"
    r"^(ur|piext)USM(.*Alloc$|Free)|^(ur|ze)(Physical|Virtual)Mem|^zeMem(Alloc|Free)|"
    r"^aclrt(Malloc|Free)"
)
COMPILE_CALL = re.compile(
    r"^(cuda|hip|cu)(Module|Library)Load|^(hip|nv)rtc|^(ur|pi)Program(Build|Create)|"
    r"^zeModuleCreate|^aclrtBinaryLoad|^aclopCompile|^aclmdlLoad"
)
COMPILE_SPAN = "(dynamo_timed)"
COMPILE_FRAME = re.compile(
    r"(^|/)torch/_dynamo/convert_frame\.py\(\d+\): (_compile|compile_inner|transform)$|"
    r"(^|/)torch/_inductor/compile_fx\.py\(\d+\): |"
    r"(^|/)torch/_inductor/runtime/triton_heuristics\.py\(\d+\): "
    r"(autotune_to_one_config|benchmark_all_configs)$|"
    r"(^|/)triton/compiler/compiler\.py\(\d+\): compile$|"
    r"(^|/)triton/runtime/autotuner\.py\(\d+\): _bench$"
)

# Rule 35: causes, in the order in which tables list them.
CAUSES = (
    "sync",
    "after-sync",
    "input",
    "gc",
    "alloc",
    "compile",
    "host",
    "unobserved",
    "launch-call",
    "dependency",
    "launch-latency",
    "kernel-to-kernel",
    "unrecorded",
)

# Rule 40: what is not counted as an op, and spans that end on another thread.
HIDDEN = {
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
    "aten::_version",
    "[memory]",
    "[OutOfMemory]",
}
ASYNCHRONOUS = ("nccl:", "gloo:", "ucc:", "mpi:", "xccl:", "hccl:")


def is_asynchronous(name):
    return name.startswith(ASYNCHRONOUS)


def shown_name(name):
    """Rule 46."""
    if name.startswith("ProfilerStep#") or PROFILER_STEP.match(name):
        return "ProfilerStep*"
    return name


def kind_of(category, name, pid):
    """Rule 5; None if of no kind."""
    kind = KINDS.get(category)
    if not category:
        return EARLIEST.get(pid) if isinstance(pid, str) else None
    if category == MTIA and MTIA_ORDER.search(name):
        return None
    return "memcpy" if category == MTIA and MTIA_COPY.search(name) else kind


def lane_of(process, label):
    """Rule 55: what the rows of a process are; None if that is up to their categories."""
    if process == "CANN" and label == "CPU":
        return "calls"
    return LANES.get(process) if label.startswith("NPU") else None


def lane_kind(lane, row, name, args):
    """Rule 55: of an event without a known category; None if of no kind."""
    if lane == "calls":
        return "runtime"
    if lane == "collectives":
        return None if row.startswith("Plane") else "kernel"
    if lane != "device" or row.startswith("Step Trace"):
        return None
    texts = [name] + [args.get(key) for key in ("Task Type", "task type")]
    kinds = [text for text in texts if isinstance(text, str)]
    if any(ASCEND_ORDER.match(kind) for kind in kinds):
        return None
    return "memcpy" if any(ASCEND_COPY.match(kind) for kind in kinds) else "kernel"


def call_name(name):
    """A call's name without its layer: AscendCL@aclrtMemcpy."""
    return name[name.rfind("@") + 1 :]


def true_kind(activity):
    """Rule 8 a and b: a copy is a copy by name or by its launch call, and so is a fill."""
    call = call_name(activity.launch.name) if activity.launch else ""
    if activity.kind != "kernel":
        return activity.kind
    if activity.name.startswith(COPY_KERNEL) or COPIES.search(call):
        return "memcpy"
    if activity.name.startswith(FILL_KERNEL) or FILLS.search(call):
        return "memset"
    return "kernel"


def device_class(event):
    """Rule 8, of an activity whose kind is true: "X" compute, "C" communication, "M" copy."""
    if event.kind != "kernel":
        return "M" if event.kind == "memcpy" else "X"
    if any(event.args.get(key) not in (None, "", [], {}) for key in COLLECTIVE_KEYS):
        return "C"
    return "C" if COLLECTIVE.search(event.name) else "X"


def blocks_of(kernel, rocm):
    """Rule 39: thread blocks of a launch, None where that is not known."""
    grid, block = kernel.args.get("grid"), kernel.args.get("block")

    def is_size(value):
        positive = isinstance(value, list) and all(type(n) is int and n > 0 for n in value)
        return positive and len(value) == 3

    if not is_size(grid) or (rocm and not kernel.launch):
        return None
    if kernel.launch and ITEMS.match(call_name(kernel.launch.name)):
        if not is_size(block):
            return None
        grid = [-(-size // step) for size, step in zip(grid, block)]
    return grid[0] * grid[1] * grid[2]


def blocks(event):
    """Rule 29 a and b, for a runtime or driver call."""
    name = call_name(event.name)
    copies = COPY_CALL.match(name) and "Async" not in name
    return bool(SYNCHRONIZE.match(name) or copies)


def marks_step(event):
    """Whether rule 30 passes over this event because it marks a step."""
    if event.kind not in SPANS:
        return False
    return bool(
        PROFILER_STEP.match(event.name) or any(p.match(event.name) for p in STEP_PATTERNS)
    )


def host_cause(event):
    """Rule 30: the cause that this event gives to idle time under it, or None."""
    name = event.name
    call, span, frame = event.kind in CALLS, event.kind in SPANS, event.kind == "python"
    if event.blocking:
        return "sync"
    if (span and name.startswith(INPUT_PREFIXES)) or (frame and INPUT_FRAME.search(name)):
        return "input"
    if COLLECT.match(name) or COLLECT_FRAME.match(name):
        return "gc"
    if call and ALLOC.match(call_name(name)):
        return "alloc"
    if call and COMPILE_CALL.match(call_name(name)):
        return "compile"
    if (span and COMPILE_SPAN in name) or (frame and COMPILE_FRAME.search(name)):
        return "compile"
    return None
