"""Make a PyTorch trace in which a stream runs sequences of small ops.

usage: runs.py [--steps=N] [--repeats=N] [--filler=NS] [--host=NS] [--graph] [--no-ops] [--no-launches]
               [--kernel=NAME] OP...
       runs.py --random=FIRST LAST FOLDER

OP is NAME[:NS[:GAP[:DIMS[:TYPES]]]]: an op without `aten::` (or with another namespace), how long its
kernel runs (1000), the gap before it (500), its `Input Dims` (none) and `Input type`. Each step has the
sequence N times, parted by a matrix product of NS (20000). The host launches all of a step ahead, or,
with --host, an op each NS. --graph launches all kernels of a sequence by one graph launch. --kernel
names the kernels.

--random makes traces by seed, each as FOLDER/SEED.json, in which sequences repeat that meet every rule's
odd cases.
"""
import argparse
import json
import os
import random
import sys

DIMS = ["[[64, 64]]", "[[64, 64], [64, 64]]", "[[64, 1], [64, 64]]", "[[8], [], []]", "[[], []]",
        "[[[64, 64], [64, 64]], []]", "", "[[4096, 256]]", "[[4096, 256], [4096, 256], []]"]  # fmt: skip
TYPES = {"[[64, 64]]": '["float"]', "[[64, 64], [64, 64]]": '["c10::Half", "float"]',
         "[[64, 1], [64, 64]]": '["float", "bool"]', "[[8], [], []]": '["long int", "Scalar", ""]',
         "[[], []]": '["float", "Scalar"]', "[[[64, 64], [64, 64]], []]": '["TensorList", "Scalar"]',
         "[[4096, 256]]": '["c10::BFloat16"]',
         "[[4096, 256], [4096, 256], []]": '["c10::Float8_e4m3fn", "strange", "Scalar"]'}  # fmt: skip
STRIDES = {"[[64, 1], [64, 64]]": [[0, 1], [64, 1]], "[[64, 64], [64, 64]]": [[64, 1], [0, 1]]}


class Trace:
    def __init__(self):
        self.events, self.number = [], 0

    def add(self, category, name, pid, tid, begin, length, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid,
                            "ts": begin, "dur": length, "args": args})  # fmt: skip
        return self.events[-1]

    def text(self):
        def micros(value):
            return f"@{value // 1000}.{value % 1000:03d}@"

        for event in self.events:
            event["ts"], event["dur"] = micros(event["ts"]), micros(event["dur"])
        document = {"schemaVersion": 1, "baseTimeNanoseconds": 0, "traceEvents": self.events}
        return json.dumps(document, indent=1).replace('"@', "").replace('@"', "") + "\n"


def kernel_of(name):
    return {"mm": "gemm", "copy_": "direct_copy_kernel"}.get(name, "vectorized_elementwise_kernel<4>")


def full_name(name):
    return name if "::" in name else "aten::" + name


def planned(options):
    trace, host, device, graph = Trace(), 1000, 0, 0
    for step in range(options.steps):
        first = host
        host += 1000
        device = max(device, host if options.host else host + options.repeats * (len(options.ops) + 2) * 3000)
        for _ in range(options.repeats):
            graph += 1
            sequence = [op.split(":") for op in options.ops]
            sequence = [["::".join(op[:3:2]), *op[3:]] if len(op) > 1 and op[1] == "" else op for op in sequence]
            for op in [*sequence, ["mm", str(options.filler), "500"]]:
                name, length, gap, dims, types = (op + ["", "", "", "", ""])[:5]
                length, gap = int(length or 1000), int(gap or 500)
                args = {}
                if dims:
                    args["Input Dims"] = json.loads(dims)
                if types:
                    args["Input type"] = types.split(",")
                trace.number += 1
                begin = max(host + 2000, device + gap) if options.host else device + gap
                if not options.no_ops:
                    trace.add("cpu_op", full_name(name), 100, 1, host, 2000, **args)
                grouped = options.graph and name != "mm"
                link = 10000 + graph if grouped else trace.number
                if not options.no_launches and not (grouped and op is not sequence[0]):
                    call = "cudaGraphLaunch" if grouped else "cudaLaunchKernel"
                    trace.add("cuda_runtime", call, 100, 1, host + 500, 1000, correlation=link)
                trace.add("kernel", options.kernel or kernel_of(name), 0, 7, begin, length,
                          correlation=link, device=0, stream=7)  # fmt: skip
                device = begin + length
                host += options.host or 2500
        if options.steps > 1:
            trace.add("user_annotation", f"ProfilerStep#{step + 1}", 100, 1, first, host - first)
        host += 1000
    return trace


def randomly(seed):
    r, trace, device, host = random.Random(seed), Trace(), 50000, 1000
    names = ["add", "mul_", "sum", "copy_", "fill_", "gt", "native_layer_norm", "cat", "mm",
             "custom::thing", "_foreach_add_", "nonesuch", "softmax.out", "conv__"]  # fmt: skip
    kernels = ["vectorized_elementwise_kernel<4>", "triton_poi_x", "gemm", "void reduce_kernel<512>"]

    def motif():
        ops = []
        for _ in range(r.choice([1, 2, 3, 4, 7, 20])):
            dims = r.choice(DIMS)
            pieces = r.choice([1, 1, 1, 2])
            ops.append((r.choice(names), dims, r.random() < 0.8, r.choice(kernels), pieces))
        return ops

    motifs = [motif() for _ in range(3)]
    family = r.choice(["none", "profiler", "misplaced"])
    streams = r.choice([[7], [7, 20]])
    ends = dict.fromkeys(streams, device)
    for step in range(r.choice([1, 2, 4])):
        first, optimizer = host, None
        for _ in range(r.choice([3, 12, 30])):
            stream = r.choice(streams)
            if r.random() < 0.5:
                ends[stream] += r.choice([9999, 10000, 30000])
            for name, dims, typed, kernel, pieces in r.choice(motifs):
                args = {}
                if dims:
                    args["Input Dims"] = dims if r.random() < 0.02 else json.loads(dims)
                if dims and typed:
                    args["Input type"] = json.loads(TYPES[dims])
                    if dims in STRIDES:
                        args["Input Strides"] = STRIDES[dims]
                trace.add(r.choice(["cpu_op"] * 30 + ["user_annotation"]), full_name(name), 100, 1,
                          host, 3000, **args)  # fmt: skip
                for piece in range(pieces):
                    trace.number += 1
                    link, what = trace.number, r.random()
                    call, category, label = "cudaLaunchKernel", "kernel", kernel
                    if what < 0.03:
                        call = "cudaGraphLaunch"
                    elif what < 0.06:
                        call, category, label = "cudaMemsetAsync", "gpu_memset", "Memset (Device)"
                    elif what < 0.10:
                        way = r.choice(["DtoD (Device -> Device)", "HtoD (Pinned -> Device)"])
                        call, category, label = "cudaMemcpyAsync", "gpu_memcpy", "Memcpy " + way
                    if r.random() > 0.02:
                        trace.add("cuda_runtime", call, 100, 1, host + 500 + 1000 * piece, 800, correlation=link)
                    begin = ends[stream] + r.choice([0, 1, 200, 999, 1000, 5000, 9999, -300])
                    length = r.choice([1, 800, 2000, 15000])
                    trace.add(category, label, 0, stream, begin, length, correlation=link, device=0, stream=stream)
                    ends[stream] = max(ends[stream], begin + length)
                host += r.choice([3500, 3500, 20000])
            if optimizer is None and r.random() < 0.2:
                optimizer = host
        if family != "none":
            trace.add("user_annotation", f"ProfilerStep#{step}", 100, 1, first, host - first)
        if family == "misplaced" and r.random() < 0.5:
            begin = optimizer or host - 50
            trace.add("user_annotation", "Optimizer.step#SGD.step", 100, 1, begin, host + 100 - begin)
        host += 500
    return trace


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--random", type=int)
    for name, default in ("steps", 1), ("repeats", 5), ("filler", 20000), ("host", 0):
        parser.add_argument("--" + name, type=int, default=default)
    for name in "graph", "no-ops", "no-launches":
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--kernel")
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    if options.random is None:
        sys.stdout.write(planned(options).text())
        return
    last, folder = options.ops
    for seed in range(options.random, int(last) + 1):
        with open(os.path.join(folder, f"{seed}.json"), "w", encoding="utf-8") as file:
            file.write(randomly(seed).text())


if __name__ == "__main__":
    main()
