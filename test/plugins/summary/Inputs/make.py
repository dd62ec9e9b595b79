#!/usr/bin/env python3
"""Print a trace whose window is made of the parts asked for.

usage: make.py CASE [SHARE]    SHARE of the window in tenths of a percent [600]

The device works in ten equal turns. In each, what CASE names takes SHARE and computing the rest:

  launch      the host, in 90 launches that each meet an empty queue
  host        the host, once a turn, before a launch that begins when it is done
  input       the same inside the data loader's span
  both        the same, the data loader's span for half of it and an op after that
  sync        the same after a synchronisation that drained the queue
  alloc       the same inside cudaMalloc
  latency     nothing: the launch is long done and the queue is empty
  stream      a recorded wait of the stream for another
  comm, copy  an all-reduce, a copy
  pageable    a copy from pageable memory
  covered     nothing: such a copy lasts while the device computes, too
  hidden      an all-reduce that lasts while the device computes, too
  comms       all-reduces and all-gathers by turns
  unrecorded  a gap that a kernel without a launch ends
  gpu-only    the same, and no host at all
  cpu         host spans only
  empty       nothing
"""
import sys

case = sys.argv[1]
share = int(sys.argv[2]) if len(sys.argv) > 2 else 600
# A host that is away for less than 1 ms at a time is one that launches too slowly.
# Latency above 100 us would be waiting for something that is not in the file.
TURN, TURNS = {"host": 10_000_000, "latency": 100_000}.get(case, 1_000_000), 10
part = TURN * share // 1000
rest = TURN - part
host, device, waits = [], [], []


def launch(at, length, name, begin, duration, kind="kernel", call="cudaLaunchKernel"):
    n = len(device)
    edge = f" -> %k{n}" if call else ""
    if call:
        host.append((at, f'runtime "{call}" at {at} for {length}{edge}'))
    device.append((begin, f'{"%%k%d = " % n if call else ""}{kind} "{name}" at {begin} for {duration}'))


for t in range(TURNS):
    a = t * TURN  # the turn begins with what the case names and ends with computing
    b = a + part
    if case in ("cpu", "empty"):
        continue
    if case == "launch":
        # Ten short gaps, each ended by a launch whose kernel begins at once.
        for i in range(9):
            gap, work = part // 9, rest // 9
            at = a + i * (gap + work)
            launch(at + gap - 3_000, 2_000, "gemm", at + gap, work)
        continue
    if case == "both":
        host.append((a + 1_500, f'annotation "enumerate(DataLoader)#_Iter.__next__" at {a + 1_500} for {part // 2}'))
        host.append((a + 1_500 + part // 2, f'cpu_op "aten::add" at {a + 1_500 + part // 2} for {part // 2 - 5_000}'))
        launch(b - 3_000, 2_000, "gemm", b, rest)
        continue
    if case in ("host", "input", "alloc", "sync"):
        span = {"host": 'cpu_op "aten::add"', "input": 'annotation "enumerate(DataLoader)#_Iter.__next__"',
                "alloc": 'runtime "cudaMalloc"', "sync": 'cpu_op "aten::add"'}[case]
        if case == "sync":
            host.append((a - 1_000, f'runtime "cudaDeviceSynchronize" at {max(0, a - 1_000)} for 2000'))
        host.append((a + 1_500, f'{span} at {a + 1_500} for {part - 5_000}'))
        launch(b - 3_000, 2_000, "gemm", b, rest)
    elif case == "latency":
        launch(a, 1_000, "gemm", b, rest)
    elif case == "stream":
        launch(a, 1_000, "gemm", b, rest)
        waits.append(f'sync "Stream Wait Event" at {a} for {part} {{ cuda_sync_kind = "Stream Wait Event" }}')
    elif case == "hidden":
        launch(max(0, a - 5_000), 1_000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", a, TURN)
        launch(max(0, a - 3_000), 1_000, "gemm", b, rest)
    elif case in ("comm", "comms"):
        what = "AllGather_RING_LL" if case == "comms" and t % 2 else "AllReduce_Sum_f32_RING_LL"
        launch(max(0, a - 5_000), 1_000, "ncclDevKernel_" + what, a, part)
        launch(max(0, a - 3_000), 1_000, "gemm", b, rest)
    elif case == "covered":
        launch(max(0, a - 5_000), 1_000, "Memcpy HtoD (Pageable -> Device)", a, part, "memcpy", "cudaMemcpyAsync")
        launch(max(0, a - 3_000), 1_000, "gemm", a, TURN)
    elif case == "pageable":
        launch(max(0, a - 5_000), 1_000, "Memcpy HtoD (Pageable -> Device)", a, part, "memcpy", "cudaMemcpyAsync")
        launch(max(0, a - 3_000), 1_000, "gemm", b, rest)
    elif case == "copy":
        launch(max(0, a - 5_000), 1_000, "Memcpy DtoH (Device -> Pinned)", a, part, "memcpy", "cudaMemcpyAsync")
        launch(max(0, a - 3_000), 1_000, "gemm", b, rest)
    else:  # unrecorded, gpu-only
        launch(0, 0, "gemm", b, rest, call="")
if case == "cpu":
    host = [(0, 'cpu_op "aten::mm" at 0 for 600'), (100, 'cpu_op "aten::add" at 100 for 200'),
            (700, 'cpu_op "aten::add" at 700 for 100')]
elif case not in ("gpu-only", "empty"):
    # So that host and device begin together, and the first turn counts in full.
    host.append((0, 'annotation "begin" at 0 for 1'))
    if case == "unrecorded":
        host.append((1, f'cpu_op "train" at 1 for {TURN * TURNS}'))
print("trace {\n  rank 0 {" if case in ("cpu", "empty") else 'trace {\n  rank 0 device 0 "GPU" {')
if host:
    print('    thread 1 "main" {')
    for _, line in sorted(host, key=lambda h: h[0]):
        print("      " + line)
    print("    }")
if device:
    print("    stream 7 device 0 {")
    for _, line in device:
        print("      " + line)
    print("    }")
if waits:
    print("    stream 7 device 0 sync {")
    for line in waits:
        print("      " + line)
    print("    }")
print("  }\n}")
