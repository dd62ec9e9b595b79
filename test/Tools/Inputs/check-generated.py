"""Check that Kineto files of heddle-gen look as PyTorch's do.

usage: check-generated.py <era> <vendor> <file>...
"""
import collections
import gzip
import json
import sys


def load(path):
    with open(path, "rb") as file:
        text = file.read()
    return gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text


def number(text):
    return text  # as it is spelled


def check(era, vendor, path):
    text = load(path).decode("ascii")
    trace = json.loads(text, parse_float=number, object_pairs_hook=collections.OrderedDict)
    events = trace["traceEvents"]
    keys = list(trace)
    spans = [e for e in events if e["ph"] == "X"]
    by_cat = collections.defaultdict(list)
    for event in spans:
        by_cat[event["cat"]].append(event)

    def expect(condition, what):
        if not condition:
            sys.exit(f"{path}: {what}")

    # Time stamps and where the base stands.
    for event in events:
        stamp = event["ts"]
        if era == "1.13":
            expect(isinstance(stamp, int) and stamp > 10**15, f"stamp {stamp} is not whole")
        else:
            expect(isinstance(stamp, str) and len(stamp.split(".")[1]) == 3, f"stamp {stamp}")
    expect(("baseTimeNanoseconds" in keys) == (era != "1.13"), "base")
    if era != "1.13":
        before = keys.index("baseTimeNanoseconds") < keys.index("traceEvents")
        expect(before == (era == "2.15"), "the base is not where it belongs")

    # Every activity has a launch before its end, and a flow from it.
    calls = {e["args"]["correlation"]: e for e in by_cat["cuda_runtime"] + by_cat["cuda_driver"]}
    flows = collections.Counter((e["ph"], e["id"]) for e in events if e["ph"] in "sf"
                                and e["cat"] in ("ac2g", "async_cpu_to_gpu"))
    activities = by_cat["kernel"] + by_cat["gpu_memcpy"]
    expect(len(activities) > 50, "there are few activities")
    for activity in activities:
        identifier = activity["args"]["correlation"]
        call = calls.get(identifier)
        expect(call, f"activity {identifier} has no launch")
        expect(call["name"].startswith("hip" if vendor == "rocm" else "cuda"), call["name"])
        expect(flows["s", identifier] == 1 and flows["f", identifier] == 1, f"flow {identifier}")
        equal = activity["args"].get("External id") == identifier
        expect(era != "1.13" or equal, f"External id of {identifier}")

    # Recorded ids link to the innermost op.
    if era != "1.13":
        ops = {e["args"]["External id"]: e for e in by_cat["cpu_op"]}
        for activity in activities:
            call = calls[activity["args"]["correlation"]]
            op = ops[activity["args"]["External id"]]
            expect(float(op["ts"]) <= float(call["ts"]), f"op of {call}")

    # Steps follow each other, and what a thread does nests.
    steps = [e for e in by_cat["user_annotation"] if e["name"].startswith("ProfilerStep#")]
    expect([e["name"] for e in steps] == ["ProfilerStep#2", "ProfilerStep#3", "ProfilerStep#4"], "steps")
    threads = collections.defaultdict(list)
    slack = 1 if era == "1.13" else 0.0005
    for cat in ("cpu_op", "user_annotation", "cuda_runtime", "cuda_driver", "python_function"):
        for e in by_cat[cat]:
            threads[e["tid"]].append((float(e["ts"]), float(e["ts"]) + float(e["dur"])))
    for spans_of in threads.values():
        open_ends = []
        for begin, end in sorted(spans_of, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= begin + slack:
                open_ends.pop()
            expect(not open_ends or end <= open_ends[-1] + slack, f"span at {begin} overlaps")
            open_ends.append(end)

    # Streams run one thing after the other; on ROCm mostly without a recorded gap.
    streams = collections.defaultdict(list)
    for e in activities:
        streams[e["tid"]].append((float(e["ts"]), float(e["ts"]) + float(e["dur"])))
    gaps = []
    for lane in streams.values():
        lane.sort()
        for (_, end), (begin, _) in zip(lane, lane[1:]):
            expect(begin >= end - 0.0005, f"activities overlap at {begin}")
            gaps.append(round((begin - end) * 1000))
    swallowed = sum(1 for gap in gaps if gap <= 2)
    expect(vendor != "rocm" or swallowed * 4 > len(gaps), f"{swallowed} of {len(gaps)} gaps of 1 ns")
    expect(vendor == "rocm" or era == "1.13" or swallowed == 0, "gaps of 1 ns")
    expect(("distributedInfo" in trace) == ("rank-" in path), "distributedInfo")
    if "distributedInfo" in trace:
        expect(f"rank-{trace['distributedInfo']['rank']}." in path, "rank")
        collectives = [e for e in by_cat["kernel"] if e["name"].startswith("nccl")]
        expect(collectives and all("Collective name" in e["args"] for e in collectives), "collectives")


for argument in sys.argv[3:]:
    check(sys.argv[1], sys.argv[2], argument)
