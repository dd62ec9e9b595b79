"""Give tools/utils/lint-chrome-viewer a good file and, for each rule, files that break it.

usage: viewer-lint.py <lint-chrome-viewer> <folder to write into>

Prints one line a file; exits 1 if something is found in a good one, or in a bad one not the rule that
it breaks, or more than that rule and those that break with it.
"""
import contextlib
import gzip
import importlib.machinery
import importlib.util
import io
import os
import re
import sys

GOOD = """{
 "schemaVersion": 1,
 "deviceProperties": [{"id": 0, "name": "a: b"}],
 "baseTimeNanoseconds": 1700000000000000000,
 "displayTimeUnit": "ns",
 "traceEvents": [
  {"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "args": {"name": "python"}},
  {"ph": "M", "name": "process_labels", "pid": 100, "tid": 0, "args": {"labels": "CPU"}},
  {"ph": "M", "name": "process_sort_index", "pid": 100, "tid": 0, "args": {"sort_index": 100}},
  {"ph": "M", "name": "thread_name", "pid": 100, "tid": 100, "args": {"name": "main"}},
  {"ph": "M", "name": "thread_sort_index", "pid": 100, "tid": 100, "args": {"sort_index": 1}},
  {"ph": "M", "name": "thread_name", "pid": 100, "tid": 101, "args": {"name": "other \\ud7ff \\\\ud83d"}},
  {"ph": "M", "name": "thread_sort_index", "pid": 100, "tid": 101, "args": {"sort_index": 2}},
  {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "GPU 3"}},
  {"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 3"}},
  {"ph": "M", "name": "process_sort_index", "pid": 0, "args": {"sort_index": 5000003}},
  {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}},
  {"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": 7, "args": {"sort_index": 7}},
  {"ph": "X", "name": "aten::mm", "cat": "cpu_op", "pid": 100, "tid": 100, "ts": 1.000, "dur": 10.000, "args": {"External id": 1}},
  {"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "pid": 100, "tid": 100, "ts": 2.000, "dur": 3.001, "args": {"External id": 1, "correlation": 5}},
  {"ph": "X", "name": "cudaFree", "cat": "cuda_runtime", "pid": 100, "tid": 100, "ts": 5.001, "dur": 0.999, "args": {"correlation": 6}},
  {"ph": "X", "name": "aten::add", "cat": "cpu_op", "pid": 100, "tid": 100, "ts": 11.000, "dur": 1.000, "args": {"External id": 2}},
  {"ph": "X", "name": "aten::empty", "cat": "cpu_op", "pid": 100, "tid": 100, "ts": 11.000, "dur": 0.500, "args": {}},
  {"ph": "X", "name": "AddBackward", "cat": "cpu_op", "pid": 100, "tid": 101, "ts": 13.000, "dur": 2.000, "args": {"External id": 3}},
  {"ph": "X", "name": "gemm", "cat": "kernel", "pid": 0, "tid": 7, "ts": 20.000, "dur": 5.000, "args": {"device": 3, "stream": 7, "correlation": 5}},
  {"ph": "X", "name": "Memcpy", "cat": "gpu_memcpy", "pid": 0, "tid": 7, "ts": 25.000, "dur": 1.000, "args": {"device": 3, "stream": 7}},
  {"ph": "s", "name": "ac2g", "cat": "ac2g", "id": 5, "pid": 100, "tid": 100, "ts": 2.000},
  {"ph": "f", "name": "ac2g", "cat": "ac2g", "id": 5, "pid": 0, "tid": 7, "ts": 20.000, "bp": "e"},
  {"ph": "s", "name": "fwdbwd", "cat": "fwdbwd", "id": 5, "pid": 100, "tid": 100, "ts": 11.000},
  {"ph": "f", "name": "fwdbwd", "cat": "fwdbwd", "id": 5, "pid": 100, "tid": 101, "ts": 13.000, "bp": "e"},
  {"ph": "B", "name": "outer", "cat": "c", "pid": 100, "tid": 101, "ts": 16.000},
  {"ph": "i", "name": "inside", "cat": "c", "pid": 100, "tid": 101, "ts": 16.000, "s": "t"},
  {"ph": "B", "name": "inner", "cat": "c", "pid": 100, "tid": 101, "ts": 17.000, "args": {}},
  {"ph": "E", "pid": 100, "tid": 101, "ts": 18.000, "args": {"more": 1}},
  {"ph": "E", "name": "outer", "cat": "c", "pid": 100, "tid": 101, "ts": 19.000},
  {"ph": "b", "name": "load", "cat": "io", "id": 1, "pid": 100, "tid": 101, "ts": 1.000},
  {"ph": "n", "name": "half", "cat": "io", "id": 1, "pid": 100, "tid": 101, "ts": 2.000},
  {"ph": "e", "name": "load", "cat": "io", "id": 1, "pid": 100, "tid": 101, "ts": 3.000},
  {"ph": "C", "name": "memory", "pid": 100, "ts": 1.000, "args": {"used": 1, "free": 2.5}},
  {"ph": "C", "name": "memory", "pid": 100, "ts": 2.000, "args": {"used": 3, "free": 0}},
  {"ph": "i", "name": "Iteration Start: PyTorch Profiler", "s": "g", "pid": 100, "tid": 100, "ts": 1.000},
  {"ph": "i", "name": "Record Window End", "s": "g", "pid": 100, "tid": 100, "ts": 26.000}
 ],
 "traceName": "x.json"
}
"""


def line(start):
    """The line of GOOD that holds a text."""
    return next(text for text in GOOD.split("\n") if start in text)


def edit(*pairs):
    def apply(text):
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        return text
    return apply


def without(*starts):
    def apply(text):
        for start in starts:
            text = text.replace(line(start) + "\n", "")
        return text
    return apply


def after(start, *lines):
    def apply(text):
        return text.replace(line(start), line(start) + "".join("\n  " + new + "," for new in lines))
    return apply


def chain(*functions):
    def apply(text):
        for function in functions:
            text = function(text)
        return text
    return apply


def op(ts, dur, tid=101, name="op", extra=""):
    return f'{{"ph": "X", "name": "{name}", "cat": "user", "pid": 100, "tid": {tid}, "ts": {ts}, "dur": {dur}, "args": {{}}{extra}}}'


def mark(phase, ts, name="x", tid=101, extra=""):
    return f'{{"ph": "{phase}", "name": "{name}", "cat": "c", "pid": 100, "tid": {tid}, "ts": {ts}{extra}}}'


def far(text):
    """The good file with all times in a year that a double of microseconds cannot keep."""
    return re.sub(r'"ts": (\d+)\.', lambda m: f'"ts": {1700000000000000 + int(m[1])}.', text)


MAIN = '"name": "aten::mm"'
LAST_OP = '"name": "Record Window End"'
ARRAY = "[\n" + GOOD[GOOD.index('  {"ph": "M"'):GOOD.index(' "traceName"')].rstrip().rstrip(",") + "\n"

SEVERAL = chain(
    edit(('"displayTimeUnit"', '"heddle": {"members": [{"title": "rank 0", "pids": [100, 0]}, {"title": "rank 1", "pids": [200, 64]}]},\n "displayTimeUnit"'),
         ('"name": "python"', '"name": "rank 0: python"'), ('"args": {"name": "GPU 3"}', '"args": {"name": "rank 0: GPU 3"}'),
         ("5000003", "5003")),
    after('"labels": "GPU 3"',
          '{"ph": "M", "name": "process_name", "pid": 200, "args": {"name": "rank 1: python"}}',
          '{"ph": "M", "name": "process_labels", "pid": 200, "args": {"labels": "CPU"}}',
          '{"ph": "M", "name": "process_sort_index", "pid": 200, "args": {"sort_index": 10001}}',
          '{"ph": "M", "name": "thread_name", "pid": 200, "tid": 100, "args": {"name": "main"}}',
          '{"ph": "M", "name": "thread_sort_index", "pid": 200, "tid": 100, "args": {"sort_index": 1}}',
          '{"ph": "X", "name": "op", "cat": "cpu_op", "pid": 200, "tid": 100, "ts": 1.000, "dur": 1.000, "args": {}}'))

# The rule, what is wrong, how, and which rules break with it.
BAD = [
    ("suffix", "packed, but not by name", lambda t: gzip.compress(t.encode()), ()),
    ("utf-8", "Latin-1", lambda t: t.replace("aten::mm", "caf\xe9").encode("latin-1"), ()),
    ("utf-8", "byte order mark", lambda t: "\ufeff" + t, ()),
    ("json", "NaN", edit(('"free": 0}', '"free": NaN}')), ()),
    ("json", "trailing comma", edit(('"ts": 26.000}', '"ts": 26.000},')), ()),
    ("json", "cut", lambda t: t[:-300], ()),
    ("json", "raw control character", edit(("aten::mm", "aten\x01mm")), ()),
    ("json", "text after the end", lambda t: t + "{}", ("tail",)),
    ("duplicate-key", "in args", edit(('{"device": 3, "stream": 7}', '{"device": 3, "stream": 7, "device": 3}')), ()),
    ("duplicate-key", "at the top", edit((' "schemaVersion": 1,', ' "schemaVersion": 1, "schemaVersion": 1,')), ()),
    ("colon-space", "none", edit(('"schemaVersion": 1', '"schemaVersion":1')), ()),
    ("colon-space", "line end", edit(('"schemaVersion": 1', '"schemaVersion":\n1')), ()),
    ("colon-space", "before the colon", edit(('"schemaVersion": 1', '"schemaVersion" : 1')), ()),
    ("line-ends", "CR LF", lambda t: t.replace("\n", "\r\n"), ()),
    ("surrogate-escape", "pair", edit(("aten::mm", r"aten \ud83d\ude00")), ()),
    ("surrogate-escape", "lone", edit(("aten::mm", r"aten \\\ud83d")), ()),
    ("number", "not finite", edit(('"free": 2.5', '"free": 1e999')), ()),
    ("number", "beyond 64 bits", edit(('"used": 1', '"used": 9223372036854775808')), ()),
    ("object", "array", lambda t: ARRAY, ()),
    ("object", "no events", lambda t: t[:t.index("  {")] + " ]}\n", ()),
    ("object", "no traceEvents", edit(("traceEvents", "events")), ()),
    ("object", "events are an object", lambda t: t[:t.index("[\n  {")] + "{}}\n", ()),
    ("head", "no schemaVersion", edit((' "schemaVersion": 1,\n', "")), ()),
    ("head", "another schemaVersion", edit(('"schemaVersion": 1', '"schemaVersion": 2')), ()),
    ("head", "base behind the events", edit((' "baseTimeNanoseconds": 1700000000000000000,\n', ""),
                                             ('"traceName"', '"baseTimeNanoseconds": 1, "traceName"')), ()),
    ("head", "base is no integer", edit(("1700000000000000000", "1.5")), ()),
    ("display-unit", "ms", edit(('"ns"', '"ms"')), ("chrome-slice",)),
    ("display-unit", "none", edit((' "displayTimeUnit": "ns",\n', "")), ("chrome-slice",)),
    ("events-text", "another spelling", edit(('"traceEvents": [', '"traceEvents":  [')), ()),
    ("events-text", "in a value before", edit(('"id": 0', '"id": 0, "traceEvents": []')), ()),
    ("tail", "array", edit(('"traceName": "x.json"', '"INFO": []')), ()),
    ("tail", "bracket in a text", edit(("x.json", "x[1].json")), ()),
    ("leftovers", "samples", edit((' "schemaVersion"', ' "samples": [],\n "schemaVersion"')), ()),
    ("leftovers", "stack frames", edit((' "schemaVersion"', ' "stackFrames": {},\n "schemaVersion"')), ()),
    ("event", "null", after(MAIN, "null"), ()),
    ("event", "empty", after(MAIN, "{}"), ()),
    ("event", "long phase", after(MAIN, mark("XX", "14.000")), ()),
    ("phase", "sample", after(MAIN, mark("P", "14.000")), ()),
    ("phase", "old async", after(MAIN, mark("S", "14.000", extra=', "id": 1')), ()),
    ("phase", "object", after(MAIN, mark("N", "14.000", extra=', "id": 1')), ()),
    ("phase", "instant of old", after(MAIN, mark("I", "14.000")), ()),
    ("key", "bind_id", edit(('"dur": 10.000', '"dur": 10.000, "bind_id": 1, "flow_out": true')), ()),
    ("key", "id2", edit(('"dur": 10.000', '"dur": 10.000, "id2": {"local": "1"}')), ()),
    ("key", "stack frame", edit(('"dur": 10.000', '"dur": 10.000, "sf": 1')), ()),
    ("time-text", "integer", edit(('"ts": 5.001', '"ts": 6')), ("nesting", "perfetto-slice", "chrome-slice")),
    ("time-text", "string", edit(('"ts": 13.000, "dur"', '"ts": "13.000", "dur"')), ("flow-slice", "perfetto-flow")),
    ("time-text", "two decimals", edit(('"dur": 5.000', '"dur": 5.00')), ()),
    ("time-text", "four decimals", edit(('"dur": 5.000', '"dur": 5.0001')), ("perfetto-time",)),
    ("time-text", "negative", edit(('"ts": 1.000, "dur": 10.000', '"ts": -1.000, "dur": 12.000')), ("perfetto-time",)),
    ("time-text", "negative length", edit(('"dur": 0.500', '"dur": -0.500')), ("nesting", "ties")),
    ("time-text", "exponent", edit(('"dur": 5.000', '"dur": 5e0')), ()),
    ("time-text", "absent", edit(('"ts": 25.000, ', "")), ("markers",)),
    ("time-text", "no length", edit(('"ts": 25.000, "dur": 1.000', '"ts": 25.000')), ("markers",)),
    ("time-range", "absolute", far, ("perfetto-time", "perfetto-slice", "perfetto-flow", "chrome-slice", "perfetto-end")),
    ("time-range", "long", edit(('"ts": 25.000, "dur": 1.000', '"ts": 25.000, "dur": 9007199254740.968')), ("perfetto-time",)),
    ("x-keys", "no cat", edit(('"name": "aten::empty", "cat": "cpu_op"', '"name": "aten::empty"')), ()),
    ("x-keys", "cat is a number", edit(('"name": "aten::empty", "cat": "cpu_op"', '"name": "aten::empty", "cat": 1')), ()),
    ("x-keys", "no args", edit(('"dur": 0.500, "args": {}', '"dur": 0.500')), ()),
    ("x-keys", "args null", edit(('"dur": 0.500, "args": {}', '"dur": 0.500, "args": null')), ()),
    ("x-keys", "pid is a string", after(MAIN, op("40.000", "1.000").replace("100", '"100"')), ("pid", "row-unnamed", "perfetto-track")),
    ("names", "absent", edit(('"name": "aten::empty", ', "")), ()),
    ("names", "number", edit(('"name": "aten::empty"', '"name": 1')), ()),
    ("pid", "negative", lambda t: t.replace('"pid": 100', '"pid": -1'), ("perfetto-track",)),
    ("pid", "too large", lambda t: t.replace('"pid": 100', '"pid": 2147483648'), ()),
    ("pid", "0 for a host", lambda t: t.replace('"pid": 0', '"pid": 1').replace('"pid": 100', '"pid": 0'), ()),
    ("tid", "0", lambda t: t.replace('"tid": 100', '"tid": 0').replace('"tid": 7', '"tid": 0'), ()),
    ("tid", "negative", lambda t: t.replace('"tid": 101', '"tid": -1029147072'), ("perfetto-track", "perfetto-slice", "perfetto-end", "perfetto-flow")),
    ("tid", "too large", lambda t: t.replace('"tid": 101', '"tid": 2147483648'), ()),
    ("tid", "string", lambda t: t.replace('"tid": 101', '"tid": "101"'),
     ("x-keys", "row-unnamed", "perfetto-track", "perfetto-slice", "perfetto-end", "perfetto-flow")),
    ("tid", "absent", edit(('"tid": 7, "ts": 25.000', '"ts": 25.000')), ("x-keys", "row-unnamed")),
    ("id", "hexadecimal", lambda t: t.replace('"cat": "ac2g", "id": 5', '"cat": "ac2g", "id": "0x5"'), ()),
    ("id", "too large", lambda t: t.replace('"cat": "io", "id": 1', '"cat": "io", "id": 4294967296'), ()),
    ("instant", "no scope", edit((', "s": "t"', "")), ()),
    ("instant", "unknown scope", edit(('"s": "t"', '"s": "x"')), ()),
    ("gpu-pid", "beyond 63", lambda t: t.replace('"pid": 0', '"pid": 64'), ()),
    ("gpu-pid", "shared with the host", lambda t: t.replace('"pid": 0', '"pid": 1').replace('"pid": 100', '"pid": 1'), ("row-twice", "gpu-row")),
    ("gpu-pid", "frames on it", after(MAIN, op("40.000", "1.000").replace('"pid": 100, "tid": 101', '"pid": 0, "tid": 7').replace('"user"', '"python_function"')), ()),
    ("gpu-args", "no stream", edit(('{"device": 3, "stream": 7}', '{"device": 3}')), ()),
    ("gpu-args", "device is a string", edit(('{"device": 3, "stream": 7}', '{"device": "3", "stream": 7}')), ()),
    ("correlation", "0", edit(('"correlation": 6', '"correlation": 0')), ()),
    ("correlation", "shared", edit(('"correlation": 6', '"correlation": 5')), ()),
    ("correlation", "too large", edit(('"correlation": 6', '"correlation": 4294967296')), ()),
    ("external-id", "0", edit(('"External id": 2', '"External id": 0')), ()),
    ("external-id", "shared", edit(('"External id": 2', '"External id": 1')), ()),
    ("external-id", "string", edit(('"External id": 2', '"External id": "2"')), ()),
    ("row-unused", "thread", after('"name": "main"', '{"ph": "M", "name": "thread_name", "pid": 100, "tid": 9, "args": {"name": "x"}}'), ()),
    ("row-unused", "process", after('"name": "main"', '{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "x"}}'), ()),
    ("row-unused", "thread of a process's row", edit((line('"name": "python"'), line('"name": "python"').replace('"tid": 0', '"tid": 9'))), ()),
    ("row-unnamed", "thread", without('"name": "stream 7"'), ()),
    ("row-unnamed", "process", without('"name": "python"'), ()),
    ("row-unnamed", "unsorted thread", without('"sort_index": 7}'), ()),
    ("row-unnamed", "unsorted process", without('"sort_index": 100}'), ()),
    ("row-twice", "thread name", after('"name": "main"', line('"name": "main"').replace("main", "again").strip().rstrip(",")), ()),
    ("row-form", "unknown", after('"name": "main"', '{"ph": "M", "name": "num_cpus", "pid": 100, "args": {"number": 4}}'), ()),
    ("row-form", "empty name", edit(('"name": "main"', '"name": ""')), ()),
    ("row-form", "sort index is a string", edit(('"sort_index": 100}', '"sort_index": "100"}')), ()),
    ("gpu-row", "no label", without('"labels": "GPU 3"'), ("pid",)),
    ("gpu-row", "sorted elsewhere", edit(("5000003", "5000000")), ()),
    ("gpu-row", "host labelled as GPU", edit(('"labels": "CPU"', '"labels": "GPU 1"')), ()),
    ("gpu-row", "ops without label", without('"labels": "CPU"'), ()),
    ("rank", "a process of none", chain(SEVERAL, edit(("[200, 64]", "[64]"))), ()),
    ("rank", "a process of two", chain(SEVERAL, edit(("[200, 64]", "[200, 100]"))), ()),
    ("rank", "two of one title", chain(SEVERAL, edit(('"title": "rank 1"', '"title": "rank 0"'), ("rank 1: python", "rank 0: python"))), ()),
    ("rank", "no title", chain(SEVERAL, edit(('"title": "rank 1", ', ""))), ()),
    ("rank", "another one's name", chain(SEVERAL, edit(("rank 1: python", "rank 0: python"))), ()),
    ("rank", "sorted among another one's", chain(SEVERAL, edit(("10001", "200"))), ()),
    ("rank", "its GPU before its host", chain(SEVERAL, edit(("5003", "50"))), ()),
    ("rank", "one sort index for two", chain(SEVERAL, edit(("10001", "5003"))), ()),
    ("gpu-pid", "64 of several ranks", chain(SEVERAL, edit(('"pid": 0,', '"pid": 64,'), ("[100, 0]", "[100, 64]"), ("[200, 64]", "[200]"))), ()),
    ("nesting", "partial overlap", after(MAIN, op("14.000", "1.500")), ("perfetto-slice", "chrome-slice")),
    ("nesting", "B and X", after(MAIN, op("16.500", "1.000")), ("perfetto-end", "chrome-slice", "perfetto-slice")),
    ("nesting", "by a nanosecond", edit(('"dur": 3.001', '"dur": 3.002')), ("perfetto-slice", "chrome-slice")),
    ("ties", "shorter first", after('"name": "cudaFree"', op("11.000", "0.750", tid=100), op("11.000", "0.900", tid=100)), ("chrome-slice",)),
    ("begin-end", "B never closed", without('"tid": 101, "ts": 19.000'), ("perfetto-end",)),
    ("begin-end", "E without B", after('"tid": 101, "ts": 19.000', mark("E", "19.500", "outer")), ("perfetto-end",)),
    ("begin-end", "E names another B", edit(('"ph": "E", "pid"', '"ph": "E", "name": "outer", "pid"')), ("perfetto-end",)),
    ("begin-end", "out of order", lambda t: t.replace(line('"name": "inside"') + "\n", "").replace(line('"ts": 18.000'), line('"ts": 18.000') + "\n" + line('"name": "inside"')), ()),
    ("async", "no e", without('"ph": "e"'), ()),
    ("async", "no b", without('"ph": "b"'), ()),
    ("async", "id used twice", after('"ph": "e"', mark("b", "4.000", "load", extra=', "id": 1').replace('"c"', '"io"'), mark("e", "5.000", "load", extra=', "id": 1').replace('"c"', '"io"')), ()),
    ("async", "e of another name", edit(('"ph": "e", "name": "load"', '"ph": "e", "name": "save"')), ()),
    ("async", "e before b", edit(('"tid": 101, "ts": 3.000', '"tid": 101, "ts": 0.500')), ()),
    ("async", "n after e", edit(('"ph": "n", "name": "half", "cat": "io", "id": 1, "pid": 100, "tid": 101, "ts": 2.000',
                               '"ph": "n", "name": "half", "cat": "io", "id": 1, "pid": 100, "tid": 101, "ts": 9.000')), ()),
    ("async", "no id", edit(('"ph": "n", "name": "half", "cat": "io", "id": 1', '"ph": "n", "name": "half", "cat": "io"')), ()),
    ("counter", "series missing", edit(('"used": 3, "free": 0', '"used": 3')), ()),
    ("counter", "value is a string", edit(('"free": 0}', '"free": "0"}')), ()),
    ("counter", "no series", edit(('{"used": 3, "free": 0}', "{}")), ()),
    ("flow-pair", "no f", without('"cat": "ac2g", "id": 5, "pid": 0'), ()),
    ("flow-pair", "no s", without('"cat": "ac2g", "id": 5, "pid": 100'), ("perfetto-flow",)),
    ("flow-pair", "two f", after('"cat": "ac2g", "id": 5, "pid": 0', '{"ph": "f", "name": "ac2g", "cat": "ac2g", "id": 5, "pid": 0, "tid": 7, "ts": 25.000, "bp": "e"}'), ()),
    ("flow-pair", "f without bp", edit(('"ts": 20.000, "bp": "e"', '"ts": 20.000')), ()),
    ("flow-pair", "other name", edit(('"ph": "f", "name": "ac2g"', '"ph": "f", "name": "launch"')), ("perfetto-flow",)),
    ("flow-order", "f before s", edit(('"id": 5, "pid": 100, "tid": 100, "ts": 2.000', '"id": 5, "pid": 0, "tid": 7, "ts": 25.000')), ("perfetto-flow",)),
    ("flow-slice", "s after its slice", edit(('"id": 5, "pid": 100, "tid": 100, "ts": 2.000', '"id": 5, "pid": 100, "tid": 100, "ts": 12.500')), ("perfetto-bind",)),
    ("flow-slice", "f before all", edit(('"tid": 7, "ts": 20.000, "bp"', '"tid": 7, "ts": 19.000, "bp"')), ("perfetto-flow",)),
    ("flow-backward", "two", after('"cat": "fwdbwd", "id": 5, "pid": 100, "tid": 101', '{"ph": "s", "name": "fwdbwd", "cat": "fwdbwd", "id": 6, "pid": 100, "tid": 100, "ts": 1.000}',
                               '{"ph": "f", "name": "fwdbwd", "cat": "fwdbwd", "id": 6, "pid": 100, "tid": 101, "ts": 13.000, "bp": "e"}'), ()),
    ("markers", "end after the spans", edit(('"ts": 26.000', '"ts": 26.001')), ()),
    ("markers", "start before the spans", edit(('"s": "g", "pid": 100, "tid": 100, "ts": 1.000', '"s": "g", "pid": 100, "tid": 100, "ts": 0.999')), ()),
    ("markers", "no end", lambda t: t.replace(",\n" + line(LAST_OP), ""), ()),
    ("markers", "no start", without("Iteration Start"), ()),
    ("markers", "end is not last", lambda t: t.replace(line(LAST_OP), line(LAST_OP) + ",\n  " + op("14.000", "0.500")), ()),
    ("perfetto-time", "far away", lambda t: re.sub(r'"ts": (\d+)\.', lambda m: f'"ts": {8900000000000 + int(m[1])}.', t).replace('.001, "dur": 0.999', '.001, "dur": 0.999'), ("chrome-slice",)),
    ("perfetto-track", "a process's own tid", lambda t: after(MAIN, op("2.500", "1.000", tid=0))(t), ("tid", "row-unnamed")),
    ("perfetto-slice", "513 deep", after(MAIN, *[op(f"{30000 + n}.000", f"{2000 - 2 * n}.000") for n in range(513)]), ()),
    ("perfetto-end", "B and E at one time", after('"tid": 101, "ts": 19.000', mark("B", "19.500", "zero"), mark("E", "19.500", "zero")), ()),
    ("perfetto-end", "X at the time of its B", after('"tid": 101, "ts": 19.000', mark("B", "40.000", "zero"), op("40.000", "1.000"), mark("E", "42.000", "zero")), ()),
    ("perfetto-end", "E of another category", edit(('"ph": "E", "name": "outer", "cat": "c"', '"ph": "E", "name": "outer", "cat": "d"')), ()),
    ("perfetto-flow", "f before its s, at one time", lambda t: t.replace(line('"cat": "ac2g", "id": 5, "pid": 0') + "\n", "").replace(
        line('"cat": "ac2g", "id": 5, "pid": 100'), line('"cat": "ac2g", "id": 5, "pid": 0').replace('"pid": 0, "tid": 7, "ts": 20.000', '"pid": 100, "tid": 100, "ts": 2.000')
        + "\n" + line('"cat": "ac2g", "id": 5, "pid": 100')), ("flow-order",)),
    ("perfetto-bind", "an instant at its time", after(MAIN, mark("i", "2.000", tid=100, extra=', "s": "t"')), ()),
    ("perfetto-bind", "the slice has a child that ended", edit(('"id": 5, "pid": 100, "tid": 100, "ts": 11.000', '"id": 5, "pid": 100, "tid": 100, "ts": 11.700')), ()),
    ("perfetto-counter", "a name with a space", after('"free": 0}', '{"ph": "C", "name": "memory used", "pid": 100, "ts": 3.000, "args": {"by op": 1}}',
                                                   '{"ph": "C", "name": "memory", "id": 1, "pid": 100, "ts": 3.000, "args": {"x": 1}}',
                                                   '{"ph": "C", "name": "memory used by", "pid": 100, "ts": 3.000, "args": {"op": 1}}'), ()),
    ("chrome-slice", "neighbours below the unit", chain(edit(('"ns"', '"ms"')), after(MAIN, op("40.000", "1.000"), op("41.000", "0.400"))), ("display-unit",)),
]
FINE = [
    ("as it is", lambda t: t),
    ("two ranks", SEVERAL),
    ("packed", lambda t: gzip.compress(t.encode())),
    ("above Latin", lambda t: t.replace("aten::mm", "\U0001f600 \u6f22")),
    ("instants at the begin and end of slices", after(MAIN, mark("i", "13.000", extra=', "s": "t"').replace("13.000", "40.000"), op("40.000", "1.000"), mark("i", "41.000", extra=', "s": "t"'))),
    ("512 deep", after(MAIN, *[op(f"{30000 + n}.000", f"{2000 - 2 * n}.000") for n in range(512)])),
    ("neighbours of a nanosecond", after(MAIN, *[op(f"40.{n:03}", "0.001") for n in range(20)])),
    ("two slices alike", after(MAIN, op("40.000", "1.000"), op("40.000", "1.000"))),
    ("a series named alike in another process", after('"free": 0}', '{"ph": "C", "name": "memory", "pid": 0, "ts": 3.000, "args": {"used": 1}}')),
]


def main(path, folder):
    os.makedirs(folder, exist_ok=True)
    loader = importlib.machinery.SourceFileLoader("lint", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
    loader.exec_module(module)
    failures = 0

    def run(data, name):
        target = os.path.join(folder, name)
        with open(target, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = module.main([target])
        lines = out.getvalue().rstrip("\n").split("\n")
        return code, lines, {found.split(": ")[0] for found in lines[:-1]}

    for what, change in FINE:
        data = change(GOOD)
        code, lines, _ = run(data, "good.json.gz" if isinstance(data, bytes) else "good.json")
        print(f"{'fine' if code == 0 else 'WRONG'}: {what}" + "".join(f"\n    {text}" for text in lines[:-1]))
        failures += code != 0
    for rule, what, change, others in BAD:
        data = change(GOOD)
        code, lines, rules = run(data, "bad.json")
        good = code == 1 and rule in rules and rules <= {rule, *others} and data != GOOD
        first = next((text for text in lines if text.startswith(rule + ": ")), "not found")
        print(f"{'found' if good else 'WRONG'}: {what}: {first}" + ("" if good else "".join(f"\n    {text}" for text in lines)))
        failures += not good
    untested = sorted(set(module.RULES) - {rule for rule, *_ in BAD})
    if untested:
        print("WRONG: no bad file for " + ", ".join(untested))
    failures += len(untested)
    print(f"{len(module.RULES)} rules, {len(BAD)} bad files, {len(FINE)} good ones, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
