"""Give tools/utils/lint-tensorboard a good run directory and, for each rule, ones that break it.

usage: tensorboard-mutants.py <lint-tensorboard> <folder to write into>

Prints one line a mutant; exits 1 if something is found in the good run, if a mutant is not found or not
by its rule, or if a rule has no mutant.
"""
import copy
import gzip
import importlib.machinery
import importlib.util
import json
import os
import shutil
import struct
import sys

EVALUATE = "autograd::engine::evaluate_function: "
WORKER = "node-1_4100"
TRACE = WORKER + ".0001700000000000000.pt.trace.json.gz"
EVENTS = "events.out.tfevents.1700000000.node-1.4100.0"


def span(cat, name, begin, end, tid=100, pid=4100, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": end - begin,
            "args": args}


def flow(phase, ident, ts, tid, cat):
    return {"ph": phase, "cat": cat, "name": cat, "id": ident, "pid": 4100, "tid": tid, "ts": ts}


def good_trace():
    events = [
        {"ph": "i", "name": "Iteration Start: PyTorch Profiler", "pid": 4100, "tid": 100, "ts": 0.0, "s": "t"},
        span("user_annotation", "ProfilerStep#3", 0.0, 90.0, **{"External id": 1}),
        span("python_function", "nn.Module: Net_0", 2.0, 30.0,
             **{"Python id": 1, "Python parent id": None, "Python module id": 0}),
        span("python_function", "nn.Module: Linear_0", 3.0, 20.0,
             **{"Python id": 2, "Python parent id": 1, "Python module id": 0}),
        span("cpu_op", "aten::linear", 4.0, 18.0, **{"External id": 2}),
        span("Runtime", "cudaLaunchKernel", 6.0, 8.0, **{"External id": 2, "correlation": 7}),
        span("cpu_op", EVALUATE + "AddmmBackward0", 40.0, 60.0, tid=101, **{"External id": 3}),
        span("cpu_op", "AddmmBackward0", 41.0, 55.0, tid=101, **{"External id": 4}),
        span("cpu_op", EVALUATE + "torch::autograd::AccumulateGrad", 61.0, 65.0, tid=101, **{"External id": 5}),
        span("cpu_op", "torch::autograd::AccumulateGrad", 62.0, 64.0, tid=101, **{"External id": 8}),
        span("user_annotation", "nccl:all_reduce", 66.0, 70.0, tid=101,
             **{"External id": 6, "Input Dims": [[4, 8]], "Input type": ["float"]}),
        span("kernel", "gemm", 20.0, 50.0, tid=7, pid=0,
             **{"External id": 2, "correlation": 7, "device": 0, "stream": 7, "blocks per SM": 0.5,
                "est. achieved occupancy %": 30}),
        {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 4100, "tid": 100, "ts": 5.0, "s": "t",
         "args": {"Device Type": 1, "Device Id": 0, "Bytes": 512, "Addr": 64}},
    ]
    for cat in ("fwdbwd", "forward_backward"):
        events += [flow("s", 1, 4.0, 100, cat), flow("f", 1, 41.0, 101, cat)]
    events.append({"ph": "i", "name": "Record Window End", "pid": 4100, "tid": 100, "ts": 90.0, "s": "t"})
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(step, value):
    return b"\x09" + struct.pack("<d", 1.7e9) + (b"\x10" + varint(step) if step is not None else b"") + value


def scalar(step, tag, value):
    return message(step, field(5, field(1, field(1, tag) + b"\x15" + struct.pack("<f", value))))


def text(plugin=b"text"):
    return message(0, field(5, field(1, field(1, b"report") + field(8, b"\x08\x07" + field(2, b"") + field(8, b"x"))
                                     + field(9, field(1, field(1, plugin))))))


VERSION = message(None, field(3, b"brain.Event:2"))
GOOD_EVENTS = [VERSION, text(), scalar(3, b"GPU 0/busy", 1.5), scalar(4, b"GPU 0/busy", 1.25)]


class Run:
    """A run directory as it will be written."""

    def __init__(self, lint):
        self.lint = lint
        self.document = good_trace()
        self.records = list(GOOD_EVENTS)
        self.files = {}  # further or other files
        self.edit = lambda text: text
        self.cut = lambda data: data

    def event(self, name):
        return next(e for e in self.document["traceEvents"] if e["name"] == name)

    def write(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        records = b""
        for body in self.records:
            length = struct.pack("<Q", len(body))
            records += length + struct.pack("<I", self.lint.masked(length)) + body
            records += struct.pack("<I", self.lint.masked(body))
        files = {TRACE: gzip.compress(self.edit(json.dumps(self.document)).encode()), EVENTS: self.cut(records)}
        listed = "\n".join(["Heddle wrote this folder", *files, *(f for f in self.files if f[0] != ".")]) + "\n"
        files[".heddle-folder"] = listed.encode()
        files.update(self.files)
        for name, data in files.items():
            if data is not None:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)


MUTANTS = []


def mutant(rule):
    def add(change):
        MUTANTS.append((rule, change))
        return change
    return add


def on_event(rule, event_name, what, /, **members):
    """A mutant whose first event of this name has other members; None: absent; a_b is the argument b."""
    def change(run):
        event = run.event(event_name)
        for key, value in members.items():
            target = event["args"] if key.startswith("a_") else event
            key = key.removeprefix("a_").replace("__", " ")
            if value is None:
                target.pop(key)
            else:
                target[key] = value
    change.__doc__ = what
    MUTANTS.append((rule, change))


on_event("event-name", "aten::linear", "no name", name=None)
on_event("span", "aten::linear", "no category", cat=None)
on_event("span", "aten::linear", "no dur", dur=None)
on_event("span", "aten::linear", "ts is text", ts="4.0")
on_event("span", "aten::linear", "negative dur", dur=-1.0)
on_event("sum", "aten::linear", "a sum beyond its end", ts=0.1, dur=0.2)
on_event("tid", "aten::linear", "tid is text", tid="stream")
on_event("tid", "[memory]", "memory on a thread with a name", tid="main")
on_event("step", "ProfilerStep#3", "a step without a number", name="ProfilerStep#x")
on_event("step", "ProfilerStep#3", "a step on a device", cat="gpu_user_annotation")
on_event("collective", "nccl:all_reduce", "a collective on a device", cat="gpu_user_annotation")
on_event("collective", "nccl:all_reduce", "a list of tensors", a_Input__Dims=[[[4], [8]]])
on_event("collective", "nccl:all_reduce", "fewer types than shapes", a_Input__type=[])
on_event("device", "gemm", "no device", a_device=None)
on_event("device", "gemm", "device 64", a_device=64, pid=64)
on_event("device", "gemm", "another pid", pid=3)
on_event("rates", "gemm", "blocks per SM is inf", a_blocks__per__SM="inf")
on_event("link", "gemm", "work without External id", a_External__id=None)
on_event("link", "cudaLaunchKernel", "a call without External id", a_External__id=None)
on_event("call", "cudaLaunchKernel", "a call of today's category", cat="cuda_runtime")
on_event("memory", "[memory]", "a device that has no properties", a_Device__Id=1)
on_event("memory", "[memory]", "HIP's device type", a_Device__Type=6)
on_event("memory", "[memory]", "no device", a_Device__Id=None)
on_event("flow", "forward_backward", "a flow without id", id=None)
on_event("flow", "fwdbwd", "another end in one spelling", ts=5.0)
on_event("marks", "Record Window End", "an end long after", ts=1e9)
on_event("marks", "Record Window End", "no end", name="End")


@mutant("backward")
def two_flows(run):
    """two flows under one root"""
    for cat in ("fwdbwd", "forward_backward"):
        run.document["traceEvents"] += [flow("s", 2, 3.5, 100, cat), flow("f", 2, 41.0, 101, cat)]


@mutant("backward")
def accumulate_first(run):
    """a gradient is accumulated first"""
    run.event(EVALUATE + "torch::autograd::AccumulateGrad")["ts"] = 30.0


@mutant("backward")
def empty_module(run):
    """a module without backward work"""
    run.document["traceEvents"].append(span("python_function", "nn.Module: Dropout_0", 21.0, 24.0,
                                            **{"Python id": 3, "Python parent id": 1, "Python module id": 0}))


@mutant("backward")
def lost_root(run):
    """backward work that no flow leads to"""
    run.document["traceEvents"].append(span("cpu_op", EVALUATE + "LossBackward0", 30.0, 35.0, tid=101,
                                            **{"External id": 9}))


@mutant("file-name")
def other_name(run):
    """a file that the plugin does not see"""
    run.files["trace.json"] = b"{}"


@mutant("file-name")
def no_trace(run):
    """no trace"""
    run.files[TRACE] = None
    run.files[".heddle-folder"] = f"x\n{EVENTS}\n".encode()


@mutant("worker")
def short_span(run):
    """a span that is listed twice"""
    run.lint.TRACE = __import__("re").compile(r"^(\w[\w.-]*_\d+)\.(\d+)\.pt\.trace\.json\.gz$")
    run.files[WORKER + ".99.pt.trace.json.gz"] = gzip.compress(json.dumps(run.document).encode())
    run.files[WORKER + ".100.pt.trace.json.gz"] = gzip.compress(json.dumps(run.document).encode())


@mutant("list")
def not_listed(run):
    """a list that lacks a file"""
    run.files[".heddle-folder"] = f"x\n{TRACE}\n".encode()


@mutant("list")
def no_list(run):
    """no list"""
    run.files[".heddle-folder"] = None


@mutant("gzip")
def plain(run):
    """text under a name that ends in .gz"""
    run.files[TRACE] = json.dumps(run.document).encode()


def on_text(rule, what, old, new):
    def change(run):
        run.edit = lambda text: text.replace(old, new)
    change.__doc__ = what
    MUTANTS.append((rule, change))


on_text("json", "a number that is none", '"blocks per SM": 0.5', '"blocks per SM": NaN')
on_text("json", "no events", '"traceEvents": [', '"events": [')
on_text("events-last", "another spelling", '"traceEvents": [', '"traceEvents":[')
on_text("events-last", "a list behind the events", '"s": "t"}]}', '"s": "t"}], "INFO": []}')
on_text("events-last", "a name behind the events", '"s": "t"}]}', '"s": "t"}], "traceName": "x"}')


@mutant("empty")
def empty(run):
    """no event"""
    run.document["traceEvents"] = []


@mutant("record")
def cut_record(run):
    """a record that is cut"""
    run.cut = lambda data: data[:-3]


@mutant("record")
def flipped_bit(run):
    """a bit that is not as it was"""
    run.cut = lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@mutant("record")
def wrong_length(run):
    """a length that is not as it was"""
    run.cut = lambda data: bytes([data[0] + 1]) + data[1:]


@mutant("version")
def no_version(run):
    """no version"""
    del run.records[0]


@mutant("tag-steps")
def equal_steps(run):
    """a step twice"""
    run.records.append(scalar(4, b"GPU 0/busy", 1.0))


@mutant("value")
def infinite(run):
    """an infinite figure"""
    run.records.append(scalar(5, b"GPU 0/busy", float("inf")))


@mutant("value")
def no_group(run):
    """a tag without a group"""
    run.records.append(scalar(5, b"busy", 1.0))


@mutant("text")
def no_text(run):
    """no text"""
    del run.records[1]


@mutant("text")
def other_plugin(run):
    """a text for another plugin"""
    run.records[1] = text(b"images")


def main(lint_path, folder):
    loader = importlib.machinery.SourceFileLoader("lint", lint_path)
    lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
    loader.exec_module(lint)
    pattern = lint.TRACE
    failures = 0

    def findings(run):
        run.write(folder)
        result = lint.Lint()
        result.run(folder)
        lint.TRACE = pattern
        return result.found

    found = findings(Run(lint))
    print("good:", found or "nothing found")
    failures += bool(found)
    for rule, change in MUTANTS:
        run = Run(lint)
        run.document = copy.deepcopy(run.document)
        change(run)
        found = findings(run)
        right = any(line.startswith(rule + ": ") for line in found)
        failures += not right
        print("found:" if right else "WRONG:", f"{rule}: {change.__doc__}", "" if right else found)
    lacking = set(lint.RULES) - {rule for rule, _ in MUTANTS}
    failures += len(lacking)
    print(f"{len(lint.RULES)} rules, {len(MUTANTS)} mutants, {failures} failures", *sorted(lacking))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
