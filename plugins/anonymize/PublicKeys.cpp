//===- PublicKeys.cpp - Keys and categories that stay ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "PublicWords.h"

using namespace llvm;

/// Keys, one a line. Source: what Kineto, PyTorch, CUPTI's and ROCm's recorders, torch_npu, XPU and
/// MTIA write, and the Trace Event Format. Keys that passes read are among them.
StringRef heddle::anonymize::publicKeyLines() {
  return R"(ph
name
cat
pid
tid
ts
dur
tts
tdur
args
id
id2
local
global
bp
bind_id
flow_in
flow_out
s
sf
esf
stack
estack
scope
cname
traceEvents
schemaVersion
deviceProperties
traceName
record_shapes
displayTimeUnit
baseTimeNanoseconds
distributedInfo
trace_id
profile_memory
with_stack
with_flops
with_modules
hip_runtime_version
hip_driver_version
roctracer_version
rocprofiler-sdk_version
rocprofiler-sdk-tool
cupti_version
cuda_runtime_version
cuda_driver_version
nccl_version
stackFrames
systemTraceEvents
otherData
controllerTraceDataKey
powerTraceAsString
samples
metadata
viztracer_metadata
file_info
username
host_name
clientInfo
computeProperties
version
frames
category
parent
totalGlobalMem
computeMajor
computeMinor
maxThreadsPerBlock
maxThreadsPerMultiprocessor
maxThreadsPerMultiProcessor
regsPerBlock
regsPerMultiprocessor
warpSize
sharedMemPerBlock
sharedMemPerMultiprocessor
numSms
sharedMemPerBlockOptin
backend
rank
world_size
pg_count
pg_config
pg_name
pg_desc
pg_size
backend_config
ranks
Ev Idx
External id
external id
External ID
Python parent id
Python id
Python module id
Python thread
Input type
Input Type
Input Dims
Input dims
Input Strides
Input names
Output dims
Output type
Output names
Output Dims
Output Type
Concrete Inputs
kwinputs
Extra arguments
Call stack
Module Hierarchy
Sequence number
Fwd thread id
Record function id
RecordFunction id
Profiler Event Index
Trace name
Trace iteration
external ts
correlation
correlation_id
cbid
stream
device
context
queued
grid
block
shared memory
registers per thread
warps per SM
blocks per SM
est. achieved occupancy %
theoretical occupancy %
occupancy
Est. SM Efficiency
queue
kind
bytes
memory bandwidth (GB/s)
fromDevice
toDevice
inDevice
from device
to device
src
dst
value
Device
Device Id
Device Type
Bytes
Addr
Total Allocated
Total Reserved
Alignment
Num Allocs
Num Frees
Collective name
Process Group Name
Process Group Description
Process Group Ranks
Process Group ID
Group size
In msg nelems
Out msg nelems
In split size
Out split size
Global rank start
Global rank stride
Rank
Src Rank
Dst Rank
dtype
Seq
Comms Id
comms_id
Is Async
async
cuda_sync_kind
wait_on_stream
wait_on_cuda_event_id
wait_on_cuda_event_record_corr_id
graph id
graph node id
finished
kernel
kernel_file
kernel_backend
kernel_hash
kernel_name
kernel_kwargs
kernel_num_gb
kernel_flop
num_warps
num_stages
CallFrom
ptr
size
data
direction
mem size
labels
sort_index
Thread Id
Stream Id
Task Type
Task Id
Batch Id
Model Id
Model Name
Subtask Id
Aicore Time(ms)
Total Cycle
notify_id
duration estimated(us)
stream id
task id
task type
src rank
dst rank
transport type
size(Byte)
data type
link type
bandwidth(GB/s)
Mode
level
critical
weight
Thread
thread
process
step
count
index
type
op
line
column
file
url
length
priority
timebase
delay
total
level_zero
Memory Type
MTIA
flops
FLOPs
Op count
shared size
block dim
grid dim
Kernel
average_overhead
Overhead
handle
address
image
priority class
clock domain
CLOCK_SYNC
sync_id
issue_ts
)";
}

/// Categories, one a line, in lower case. Source: Kineto's activity types in all their spellings,
/// torch_npu, and those of the Trace Event Format's own examples.
StringRef heddle::anonymize::publicCategoryLines() {
  return R"(cpu_op
operator
user_annotation
user
gpu_user_annotation
cuda_runtime
cuda_driver
xpu_runtime
xpu_driver
xpu_sync
mtia_runtime
mtia_ccp_events
mtia_insight
mtia_workloadd
glow_runtime
privateuse1_runtime
privateuse1_driver
hpu_op
runtime
driver
kernel
gpu_memcpy
gpu_memset
memcpy
memset
cuda_sync
cuda_event
cuda_profiler_range
python_function
cpu_instant_event
collective_comm
overhead
trace
ac2g
async
async_cpu_to_gpu
async_gpu
async_npu
async_task_queue
fwdbwd
enqueue
dequeue
gpu
cpu
hosttodevice
dataflow
__metadata
toplevel
ipc
instant
fee
op
)";
}
