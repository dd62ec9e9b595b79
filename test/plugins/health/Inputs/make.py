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
  overhead=NS    a row of the recorder                                                      [0]
  cold=1         2 ms pass before the only use of another kernel
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
        at += 2_000_000
        name = "another"
    launch = at - 5_000 if i < count - number("early") else at + 1_000
    edge = f" -> %k{i}" if i >= number("unlinked") else ""
    launches.append((launch, f'runtime "cudaLaunchKernel" at {launch} for 1000{edge}'))
    begin = at
    at += 10_000
    ref = f"%k{i} = " if edge else ""
    kernels.append(f'{ref}kernel "{name}" at {begin} for 10000')
    at = at + 1 if i < swallowed else (at + 10_000 if i or not number("overlap") else at)
end = at + 10_000
host = list(launches)
if steps:
    per = count // steps
    cuts = [0] + [launches[k * per][0] - 1_000 for k in range(1, steps)] + [end]
    for k in range(steps):
        host.append((cuts[k], f'annotation "ProfilerStep#{k + 1}" at {cuts[k]} for {cuts[k + 1] - cuts[k]}'))
    if options.get("misplaced"):
        host.append((cuts[-2] - 100, f'annotation "Optimizer.step#SGD.step" at {cuts[-2] - 100} for 200'))
else:
    host.append((0, f'cpu_op "train" at 0 for {end}'))
for i in range(number("shaped")):
    host.append((100 + i * 10, f'cpu_op "aten::mm" at {100 + i * 10} for 5 {{ "Input Dims" = [[8, 8], [8, 8]] }}'))
print(f'trace {{\n  rank {options.get("ranks", "0")} device 0 "GPU" {{')
print("    " + options.get("body", ""))
print('    thread 1 "main" {')
for _, line in sorted(host, key=lambda h: h[0]):
    print("      " + line)
print("    }")
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
if number("overhead"):
    print(f'    overhead {{\n      overhead "Buffer Flush" at 0 for {number("overhead")}\n    }}')
print("  }\n}")
