#!/usr/bin/env python3
"""Print a trace in which one thing is just right or just wrong.

usage: make.py KEY=VALUE...

  kernels=N      kernels, 10 us long and 20 us apart, each launched 5 us before it begins   [100]
  unlinked=N     the first N of them have no launch                                         [0]
  early=N        the last N of them begin before their launch                               [0]
  overlap=NS     the second kernel begins so long before the first one's end                [0]
  swallowed=N    N gaps between neighbours are exactly 1 ns                                  [0]
  steps=N        ProfilerStep marks that share the kernels evenly                           [4]
  misplaced=1    an optimizer step crosses the border of the last two marks
  frames=N       Python frames `len()` of 100 ns on the launching thread                    [0]
  quick=1        of these, each lasts 0 ns
  shaped=N       ops with shapes                                                            [0]
  names=N        ops of N names                                                             [0]
  overhead=NS    a row of the recorder                                                      [0]
  cold=NS        so long nothing runs before the only use of another kernel
  lost=N         launches without an activity                                               [0]
  capture=1      a graph is captured
  graphs=N       one graph launch owns the last N kernels                                   [0]
  outside=N      the first N kernels are launched before the first mark                     [0]
  optimizer=N    optimizer steps that share the kernels evenly (with steps=0)               [0]
  crossing=N     pairs of spans of a thread that overlap in part                            [0]
  open=N         ops with "finished": false, and one with true                              [0]
  full=N         rows of the recorder: the command buffer was full                          [0]
  bare=1         no op covers the launches (with steps=0)
  jump=NS        so long nothing is recorded before the second half                         [0]
  early_op=NS    an op that lasts so long before everything else                            [0]
  comm=N         kernels of NCCL after the others, each with a launch                       [0]
  sized=N        the first N of them say their collective                                   [0]
  process=1      a kernel is launched by another process
  far=NS         a kernel without a launch so long after the host's end
  runaway=NS     one of two kernels of a name lasts 10 us, the other so long, over its successor's begin
  timeless=1     a kernel at file time 0 beside an absolute base
  ranks=TEXT     what follows "rank": "1 of 8 backend "nccl""                               [0]
  body=TEXT      a line of the rank: "repairs { nan = 3 }"
"""
import sys

options = dict(a.split("=", 1) for a in sys.argv[1:])


def number(key, default=0):
    return int(options.get(key, default))


count, steps, swallowed = number("kernels", 100), number("steps", 4), number("swallowed")
launches, kernels, at = [], [], 10_000
for i in range(count):
    if i == 1:
        at -= number("overlap")
    name = "gemm"
    if options.get("cold") and i == count // 2:
        at += number("cold") - 10_000
        name = "another"
    if i == count // 2:
        at += number("jump")
    launch = at - 5_000 if i < count - number("early") else at + 1_000
    edge = f" -> %k{i}" if i >= number("unlinked") else ""
    first_replayed = count - number("graphs")
    if i == first_replayed:
        replayed = ", ".join(f"%k{k}" for k in range(i, count))
        launches.append((launch, f'runtime "cudaGraphLaunch" at {launch} for 1000 -> {replayed}'))
    elif i < first_replayed:
        launches.append((launch, f'runtime "cudaLaunchKernel" at {launch} for 1000{edge}'))
    begin = at
    at += 10_000
    ref = f"%k{i} = " if edge else ""
    kernels.append(f'{ref}kernel "{name}" at {begin} for 10000')
    at = at + 1 if i < swallowed else (at + 10_000 if i or not number("overlap") else at)
for i in range(number("comm")):
    launches.append((at - 5_000, f'runtime "cudaLaunchKernel" at {at - 5_000} for 1000 -> %c{i}'))
    sizes = ' { "Collective name" = "allreduce" }' if i < number("sized") else ""
    kernels.append(f'%c{i} = kernel "ncclDevKernel_AllReduce" at {at} for 10000{sizes}')
    at += 20_000
host_end = launches[-1][0] + 1_000
if number("far"):
    kernels.append(f'kernel "late" at {host_end + number("far")} for 10')
if number("runaway"):
    for i, length in enumerate((10_000, number("runaway"))):
        launches.append((at - 1_000, f'runtime "cudaLaunchKernel" at {at - 1_000} for 10 -> %r{i}'))
        kernels.append(f'%r{i} = kernel "slow" at {at} for {length}')
        at += 20_000
    launches.append((at - 15_000, f'runtime "cudaLaunchKernel" at {at - 15_000} for 10 -> %r2'))
    kernels.append(f'%r2 = kernel "next" at {at - 10_000} for 10')
if options.get("timeless"):
    kernels.insert(0, 'kernel "timeless" at 0 for 5')
end = at + 10_000
host = list(launches)
for i in range(number("lost")):
    host.append((end - 5_000 + i, f'runtime "cudaLaunchKernel" at {end - 5_000 + i} for 1'))
if options.get("capture"):
    host.append((end - 4_000, f'runtime "cudaStreamBeginCapture_v10000" at {end - 4_000} for 1'))
for i in range(number("open")):
    host.append((end - 3_000 + i, f'cpu_op "aten::to" at {end - 3_000 + i} for 1 {{ finished = false }}'))
if "open" in options:
    host.append((end - 2_000, f'cpu_op "aten::to" at {end - 2_000} for 1 {{ finished = true }}'))
if number("early_op"):
    host.append((-number("early_op"), f'cpu_op "early" at {-number("early_op")} for {number("early_op")}'))
if steps:
    per = count // steps
    cuts = [0] + [launches[k * per][0] - 1_000 for k in range(1, steps)] + [end]
    if number("outside"):
        cuts[0] = launches[number("outside")][0] - 1_000
    for k in range(steps):
        host.append((cuts[k], f'annotation "ProfilerStep#{k + 1}" at {cuts[k]} for {cuts[k + 1] - cuts[k]}'))
    if options.get("misplaced"):
        host.append((cuts[-2] - 100, f'annotation "Optimizer.step#SGD.step" at {cuts[-2] - 100} for 200'))
elif not options.get("bare"):
    host.append((0, f'cpu_op "train" at 0 for {end}'))
for k in range(number("optimizer")):
    cut = launches[(k + 1) * (count // number("optimizer")) - 1][0] + 2_000
    host.append((cut, f'annotation "Optimizer.step#SGD.step" at {cut} for 200'))
for i in range(number("shaped")):
    host.append((100 + i * 10, f'cpu_op "aten::mm" at {100 + i * 10} for 5 {{ "Input Dims" = [[8, 8], [8, 8]] }}'))
for i in range(number("names")):
    host.append((200 + i, f'cpu_op "name{i}" at {200 + i} for 1'))
print(f'trace {{\n  rank {options.get("ranks", "0")} device 0 "GPU" {{')
print("    " + options.get("body", ""))
print('    thread 1 "main" {')
for _, line in sorted(host, key=lambda h: h[0]):
    print("      " + line)
print("    }")
if number("crossing"):
    print('    thread 2 "other" {')
    for i in range(number("crossing")):
        print(f'      cpu_op "a" at {100 * i} for 20\n      cpu_op "b" at {100 * i + 10} for 20')
    print("    }")
if options.get("process"):
    print('    thread 1 "main" pid 77 {\n      runtime "cudaLaunchKernel" at 5000 for 1000 -> %p\n    }')
if number("frames"):
    print('    thread 1 "main" python {')
    for i in range(number("frames")):
        length = 0 if number("quick") else 100
        print(f'      python "<built-in function len>" at {200 * i} for {length}')
    print("    }")
print("    stream 7 device 0 {")
for line in kernels:
    print("      " + line)
print("    }")
if options.get("process"):
    print('    stream 8 device 1 {\n      %p = kernel "gemm" at 10000 for 10000\n    }')
if number("full"):
    print("    overhead tid 9 {")
    for i in range(number("full")):
        print(f'      overhead "Command Buffer Full" at {i * 10} for 1')
    print("    }")
if number("overhead"):
    print(f'    overhead {{\n      overhead "Buffer Flush" at 0 for {number("overhead")}\n    }}')
print("  }\n}")
