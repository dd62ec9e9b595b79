"""The lint of Chrome JSON for viewers: what the text, the document and its events must be."""
import bisect
import collections
import decimal
import json
import math
import re

from document import StrictDocument
from events import Unreadable
from rules import RULES
from twins import ChromeTwin, PerfettoTwin

TIME = re.compile(r"(0|[1-9][0-9]*)\.([0-9]{3})\Z")
INTEGER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
PHASES = frozenset("MXBEiCbnestf")
OLD_KEYS = ("id2", "bind_id", "flow_in", "flow_out", "scope", "sf", "esf", "stack", "estack")
LEFTOVERS = ("samples", "stackFrames", "systemTraceEvents", "traceAnnotations", "controllerTraceDataKey",
             "powerTraceAsString")
DEVICE = frozenset(("kernel", "gpu_memcpy", "gpu_memset"))
OPS = frozenset(("cpu_op", "user_annotation"))
LAUNCHES = frozenset(("cuda_runtime", "cuda_driver", "xpu_runtime", "xpu_driver", "mtia_runtime",
                      "privateuse1_runtime", "privateuse1_driver"))
HOST = OPS | LAUNCHES | {"python_function", "cpu_instant_event"}
ROWS = {"process_name": ("name", str), "process_labels": ("labels", str), "process_sort_index": ("sort_index", int),
        "thread_name": ("name", str), "thread_sort_index": ("sort_index", int)}
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
SURROGATE = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]")
COLON = re.compile(rb'""[ \t\r\n]+:|:(?! )')
EVENTS_TEXT = b'"traceEvents": ['
SHOWN = 5


class Number(str):
    """The spelling of a number."""


def integer(value):
    """The int of an integer token, or None."""
    return int(value) if isinstance(value, Number) and len(value) <= 64 and INTEGER.match(value) else None


def plain(value):
    """A value of the file as a part of a key."""
    return value if isinstance(value, str) or value is None else shown(value)


def nanoseconds(value):
    """The nanoseconds of a time in microseconds, or None; and whether it is written as it should be."""
    if not isinstance(value, Number):
        return None, False
    match = TIME.match(value) if len(value) <= 64 else None
    if match:
        return int(match[1]) * 1000 + int(match[2]), True
    if len(value) > 64 or abs(float(value)) > 1e18:
        return None, False
    return round(decimal.Decimal(value) * 1000), False


class ViewerDocument(StrictDocument):
    """Objects are dicts, numbers are Numbers; duplicates counts objects with a key that stands twice."""

    def __init__(self, data):
        super().__init__(data, 0)
        self.duplicates = self.wild = 0
        self.decode = json.JSONDecoder(object_pairs_hook=self.object, parse_int=self.integer,
                                       parse_float=self.real, parse_constant=self.constant).scan_once

    def object(self, pairs):
        result = dict(pairs)
        if len(result) != len(pairs):
            self.duplicates += 1
        return result

    def integer(self, text):
        if len(text) > 18 and not -2**63 <= int(text[:400]) < 2**63:
            self.wild += 1
        return Number(text)

    def real(self, text):
        if not math.isfinite(float(text)):
            self.wild += 1
        return Number(text)


Slice = collections.namedtuple("Slice", "begin end seq")


class Lint:
    def __init__(self, path, raw, data, skipped):
        self.path, self.raw, self.data, self.skipped = path, raw, data, skipped
        self.count = collections.Counter()
        self.lines = []
        self.unit = "ms"
        self.slices = collections.defaultdict(list)  # (pid, tid) -> [Slice]
        self.instants = collections.defaultdict(list)  # (pid, tid) -> [(ts, seq)]
        self.open = collections.defaultdict(list)  # (pid, tid) -> [(ts, seq, name)], of B
        self.latest = {}  # (pid, tid) -> ts of the latest B, E or i in the file
        self.flows = collections.defaultdict(list)  # (cat, id) -> [(ts, seq, ph, track, name, bp)]
        self.asyncs = collections.defaultdict(list)  # (cat, id) -> [(ts, seq, ph, name, pid)]
        self.counters = {}  # (pid, name, id) -> (series, cat)
        self.rows = collections.defaultdict(list)  # (name of M, pid, tid or None) -> [argument]
        self.used_pids, self.used_threads = set(), set()
        self.device_pids, self.host_pids, self.op_pids = {}, {}, set()
        self.correlations, self.externals = {}, {}
        self.markers = []
        self.ranks = {}  # of several ranks: pid -> (place of its rank, the rank's title)
        self.reach = {}  # (pid, tid) -> begins of its slices, and the latest end so far
        self.events = 0
        self.last = None
        self.profiler = False
        self.perfetto, self.chrome = PerfettoTwin(self), ChromeTwin(self)

    def found(self, rule, where, what):
        assert rule in RULES
        if rule in self.skipped:
            return
        self.count[rule] += 1
        if self.count[rule] <= SHOWN:
            self.lines.append(f"{rule}: {f'traceEvents[{where}]' if isinstance(where, int) else where}: {what}")

    # --- the text -----------------------------------------------------------------------------

    def run(self):
        if self.path.endswith(".gz") != self.raw.startswith(b"\x1f\x8b"):
            self.found("suffix", "the file", "the name does not say whether it is packed")
        if b"\r" in self.data:
            self.found("line-ends", f"byte {self.data.index(b'%c' % 13)}", "CR")
        match = SURROGATE.search(self.data) if b"\\u" in self.data else None
        if match:
            self.found("surrogate-escape", f"byte {match.start()}", match.group().decode())
        try:
            document = ViewerDocument(self.data)
        except Unreadable as error:
            self.found("utf-8", "the file", str(error))
            return
        bare = STRING.sub(b'""', self.data)
        match = COLON.search(bare)
        if match:
            text = bare[max(0, match.start() - 20):match.end() + 10].decode()
            self.found("colon-space", "the file", f"{text!r}, strings left out")
        del bare
        try:
            self.members(document)
        except Unreadable as error:
            self.found("json", "the file", str(error))
            return
        if document.duplicates:
            self.found("duplicate-key", "the file", f"{document.duplicates} objects")
        if document.wild:
            self.found("number", "the file", f"{document.wild} numbers")
        self.afterwards()

    def members(self, document):
        if document.shape != "object":
            self.found("object", "the file", f"is an {document.shape}" if document.shape == "array" else "is a value")
        seen = {}
        for key, value in document.members():
            if document.shape == "array":
                self.all_events(value)
            if document.shape != "object":
                continue
            if key in seen:
                document.duplicates += 1
            if key == "baseTimeNanoseconds" and "traceEvents" in seen:
                self.found("head", key, "stands behind the events")
            seen[key] = value
            if key == "heddle":
                self.several(value)
            if key in LEFTOVERS:
                self.found("leftovers", key, "is there")
            if key != "traceEvents":
                continue
            if isinstance(value, (list, dict, str, type(None), bool)):
                self.found("object", "traceEvents", "is no array")
                continue
            if integer(seen.get("schemaVersion")) != 1:
                self.found("head", "schemaVersion", "is not 1 before the events")
            if "baseTimeNanoseconds" in seen and integer(seen["baseTimeNanoseconds"]) is None:
                self.found("head", "baseTimeNanoseconds", "is no integer")
            start = len(document.text[:document.at].encode("utf-8"))
            if not self.data.startswith(EVENTS_TEXT, start + 1 - len(EVENTS_TEXT)):
                self.found("events-text", "traceEvents", "is not written as '\"traceEvents\": ['")
            elif self.data.index(EVENTS_TEXT) != start + 1 - len(EVENTS_TEXT):
                self.found("events-text", f"byte {self.data.index(EVENTS_TEXT)}", "has the same text")
            self.all_events(value)
            rest = document.text[document.at:].rstrip()
            if any(c in rest[:-1] for c in "[]{}"):
                self.found("tail", "the file", "has brackets after the events")
        if document.shape != "object":
            return
        if "traceEvents" not in seen:
            self.found("object", "the file", "has no traceEvents")
        elif not self.events:
            self.found("object", "traceEvents", "holds no event")
        if seen.get("displayTimeUnit") != "ns":
            self.found("display-unit", "displayTimeUnit", f"is {shown(seen.get('displayTimeUnit'))}")
        self.unit = "ns" if seen.get("displayTimeUnit") == "ns" else "ms"

    def several(self, about):
        """Which rank each process is of, as the document describes a file of several."""
        members = about.get("members") if isinstance(about, dict) else None
        if not isinstance(members, list):
            return
        for place, member in enumerate(members):
            pids = member.get("pids") if isinstance(member, dict) else None
            title = member.get("title") if isinstance(member, dict) else None
            if not isinstance(pids, list) or not isinstance(title, str) or not title:
                self.found("rank", "heddle.members", f"rank {place} has no title or no pids")
                continue
            if any(title == other for _, other in self.ranks.values()):
                self.found("rank", "heddle.members", f"two are called {title!r}")
            for pid in map(integer, pids):
                if self.ranks.setdefault(pid, (place, title)) != (place, title):
                    self.found("rank", "heddle.members", f"pid {pid} is of two ranks")

    # --- events -------------------------------------------------------------------------------

    def all_events(self, events):
        for event in events:
            self.event(event, self.events)
            self.events += 1

    def event(self, event, seq):
        phase = event.get("ph") if isinstance(event, dict) else None
        if not isinstance(phase, str) or isinstance(phase, Number) or len(phase) != 1:
            self.found("event", seq, "is no object with a phase")
            return
        self.last = event
        if phase not in PHASES:
            self.found("phase", seq, f"'{phase}'")
            return
        for key in OLD_KEYS:
            if key in event:
                self.found("key", seq, f"'{key}'")
        name, pid, tid = event.get("name"), integer(event.get("pid")), integer(event.get("tid"))
        if not isinstance(name, str) or isinstance(name, Number):
            if phase != "E" or "name" in event:
                self.found("names", seq, "has no name" if "name" not in event else "its name is no string")
            name = None
        ts, dur = self.times(event, phase, seq)
        if phase == "M":
            self.row(event, name, seq)
            return
        if pid is None or not 0 <= pid < 2**31:
            self.found("pid", seq, f"pid {shown(event.get('pid'))}")
        of_no_thread = phase == "C" or phase == "i" and event.get("s") in ("g", "p") and "tid" not in event
        if not of_no_thread:
            if tid is None or not 0 < tid < 2**31:
                self.found("tid", seq, f"tid {shown(event.get('tid'))}")
        if "id" in event and not (integer(event["id"]) is not None and 0 <= integer(event["id"]) < 2**32):
            self.found("id", seq, f"id {shown(event['id'])}")
        track = (pid, tid)
        self.used_pids.add(pid)
        if phase in "XBEbnestf" or phase == "i" and event.get("s") == "t":
            self.used_threads.add(track)
        if ts is None:
            return
        self.perfetto.event(event, phase, track, ts, dur, seq)
        if phase == "X":
            self.complete(event, track, ts, dur, seq)
        elif phase in "BE":
            self.begin_end(event, phase, name, track, ts, seq)
        elif phase == "i":
            self.instant(event, name, track, ts, seq)
        elif phase in "bne":
            self.asyncs[(plain(event.get("cat")), plain(event.get("id")))].append((ts, seq, phase, name, pid))
            if "id" not in event or not isinstance(event.get("cat"), str):
                self.found("async", seq, "has no id or no cat")
        elif phase in "stf":
            self.flows[(plain(event.get("cat")), plain(event.get("id")))].append((ts, seq, phase, track, name, event.get("bp")))
            if "id" not in event or not isinstance(event.get("cat"), str):
                self.found("flow-pair", seq, "has no id or no cat")
        elif phase == "C":
            self.counter(event, name, pid, seq)

    def times(self, event, phase, seq):
        (ts, ts_good), (dur, dur_good) = nanoseconds(event.get("ts")), nanoseconds(event.get("dur"))
        if not ts_good and (phase != "M" or "ts" in event):
            self.found("time-text", seq, f"ts {shown(event.get('ts'))}")
        if not dur_good and (phase == "X" or "dur" in event):
            self.found("time-text", seq, f"dur {shown(event.get('dur'))}")
        if ts is not None and ts + (dur or 0) >= 2**53:
            self.found("time-range", seq, f"{(ts + (dur or 0)) / 1000:.0f} us")
        return ts, dur

    def row(self, event, name, seq):
        pid, tid = integer(event.get("pid")), integer(event.get("tid"))
        if name not in ROWS:
            self.found("row-form", seq, f"M '{name}'")
            return
        key, kind = ROWS[name]
        args = event.get("args")
        argument = args.get(key) if isinstance(args, dict) else None
        if kind is int:
            argument = integer(argument)
            good = argument is not None and -2**31 <= argument < 2**31
        else:
            good = isinstance(argument, str) and not isinstance(argument, Number) and argument != ""
        if not good:
            self.found("row-form", seq, f"args.{key} of {name} is no {'32-bit integer' if kind is int else 'text'}")
        if pid is None or not 0 <= pid < 2**31:
            self.found("pid", seq, f"pid {shown(event.get('pid'))}")
        of_thread = name.startswith("thread")
        if of_thread and (tid is None or not 0 < tid < 2**31):
            self.found("tid", seq, f"tid {shown(event.get('tid'))}")
        self.rows[(name, pid, tid if of_thread else None)].append((argument, seq))
        if not of_thread and tid:
            self.rows[("process_tid", pid, tid)].append((None, seq))

    def complete(self, event, track, ts, dur, seq):
        args, cat = event.get("args"), event.get("cat")
        if not isinstance(cat, str) or isinstance(cat, Number):
            self.found("x-keys", seq, "cat is no string")
            cat = None
        if not isinstance(args, dict):
            self.found("x-keys", seq, "args is no object")
            args = {}
        for key in ("pid", "tid"):
            if not isinstance(event.get(key), Number):
                self.found("x-keys", seq, f"{key} is no number")
        if dur is not None:
            self.slices[track].append(Slice(ts, ts + dur, seq))
            self.chrome.slice(track, event["ts"], event["dur"], ts, ts + dur, seq)
        if cat in DEVICE:
            self.profiler = True
            self.device_pids.setdefault(track[0], seq)
            if track[0] is not None and track[0] >= 64 and not self.ranks:
                self.found("gpu-pid", seq, f"{cat} on pid {track[0]}")
            for key in ("device", "stream"):
                if integer(args.get(key)) is None:
                    self.found("gpu-args", seq, f"args.{key} is {shown(args.get(key))}")
        elif cat in HOST:
            self.host_pids.setdefault(track[0], seq)
            if cat in OPS:
                self.profiler = True
                self.op_pids.add(track[0])
        if "correlation" in args and cat is not None:
            self.correlated(args["correlation"], cat, seq)
        if cat in OPS and "External id" in args:
            value = integer(args["External id"])
            if value is None or not 0 < value <= 2**53:
                self.found("external-id", seq, f"External id {shown(args['External id'])}")
            elif self.externals.setdefault(value, seq) != seq:
                self.found("external-id", seq, f"External id {value} is that of traceEvents[{self.externals[value]}] too")

    def correlated(self, value, cat, seq):
        number = integer(value)
        if cat not in LAUNCHES and cat not in DEVICE:
            return
        if number is None or not 0 < number < 2**32:
            self.found("correlation", seq, f"correlation {shown(value)}")
        elif cat in LAUNCHES and self.correlations.setdefault(number, seq) != seq:
            self.found("correlation", seq, f"correlation {number} is that of traceEvents[{self.correlations[number]}] too")

    def begin_end(self, event, phase, name, track, ts, seq):
        self.in_order(track, ts, seq)
        stack = self.open[track]
        if phase == "B":
            stack.append((ts, seq, name))
            self.chrome.begin(track, event["ts"], ts, seq)
            return
        if not stack:
            self.found("begin-end", seq, "E without an open B")
            return
        begin, begin_seq, begin_name = stack.pop()
        if name is not None and name != begin_name:
            self.found("begin-end", seq, f"E of {name!r} where B of {begin_name!r} is open")
        self.slices[track].append(Slice(begin, ts, begin_seq))
        self.chrome.end(begin_seq, event["ts"], ts)
        self.perfetto.pairs[seq] = begin_seq

    def in_order(self, track, ts, seq):
        if ts < self.latest.get(track, ts):
            self.found("begin-end", seq, "stands after a B, E or i of its thread that is later")
        self.latest[track] = ts

    def instant(self, event, name, track, ts, seq):
        scope = event.get("s")
        if scope not in ("t", "p", "g"):
            self.found("instant", seq, f"s is {shown(scope)}")
        if scope == "t":
            if self.open[track] or track in self.latest:
                self.in_order(track, ts, seq)
            self.chrome.slice(track, event["ts"], "0", ts, ts, seq)
        if isinstance(name, str) and (name.startswith("Iteration Start: ") or name == "Record Window End"):
            self.markers.append((name, ts, seq))

    def counter(self, event, name, pid, seq):
        args = event.get("args")
        if not isinstance(args, dict) or not args:
            self.found("counter", seq, "has no series")
            return
        for key, value in args.items():
            if not isinstance(value, Number):
                self.found("counter", seq, f"series {key!r} is {shown(value)}")
        counter = (pid, name, plain(event.get("id")))
        series = (frozenset(args), plain(event.get("cat")))
        if self.counters.setdefault(counter, series) != series:
            self.found("counter", seq, f"the series or the cat of {name!r} are others than in its first sample")
        self.perfetto.counter(counter, args, seq)

    # --- what shows when all events are known ----------------------------------------------------

    def afterwards(self):
        for track, stack in self.open.items():
            for _, seq, name in stack:
                self.found("begin-end", seq, f"B of {name!r} is never closed")
        for track in self.slices:
            self.slices[track].sort(key=lambda s: (s.begin, -s.end, s.seq))
            self.nesting(track)
        self.check_asyncs()
        self.check_flows()
        self.check_devices()
        self.check_ranks()
        self.check_rows()
        self.check_markers()
        self.perfetto.run()
        self.chrome.run()

    def nesting(self, track):
        stack, previous = [], None
        for item in self.slices[track]:
            together = previous and previous.begin == item.begin and previous.end > item.end > item.begin
            if together and previous.seq > item.seq:
                self.found("ties", previous.seq, f"stands after traceEvents[{item.seq}], which begins with it and is shorter")
            previous = item
            while stack and stack[-1].end <= item.begin:
                stack.pop()
            if stack and item.end > stack[-1].end:
                self.found("nesting", item.seq, f"begins inside of traceEvents[{stack[-1].seq}] and ends after it")
                continue
            stack.append(item)

    def check_asyncs(self):
        for (cat, number), items in self.asyncs.items():
            kinds = collections.Counter(kind for _, _, kind, _, _ in items)
            if not kinds["b"] and not kinds["e"]:
                continue
            seq = items[0][1]
            if kinds["b"] != 1 or kinds["e"] != 1:
                self.found("async", seq, f"id {number} of {cat!r} has {kinds['b']} b and {kinds['e']} e")
                continue
            begin = next(i for i in items if i[2] == "b")
            end = next(i for i in items if i[2] == "e")
            if begin[3:] != end[3:]:
                self.found("async", end[1], f"name or pid are not those of its b, traceEvents[{begin[1]}]")
            if any(not begin[:2] <= i[:2] <= end[:2] for i in items):
                self.found("async", seq, f"id {number} of {cat!r}: not all between b and e")

    def check_flows(self):
        roots = {}
        for (cat, number), items in self.flows.items():
            kinds = collections.Counter(kind for _, _, kind, _, _, _ in items)
            seq = items[0][1]
            if kinds["s"] != 1 or kinds["f"] != 1:
                self.found("flow-pair", seq, f"id {number} of {cat!r} has {kinds['s']} s and {kinds['f']} f")
            if len({name for *_, name, _ in items}) != 1:
                self.found("flow-pair", seq, f"id {number} of {cat!r} has several names")
            rank = [("stf".index(kind)) for _, _, kind, *_ in sorted(items)]
            if rank != sorted(rank):
                self.found("flow-order", seq, f"id {number} of {cat!r} does not begin with s and end with f")
            for ts, at, kind, track, _, bp in items:
                if kind == "f" and bp != "e":
                    self.found("flow-pair", at, "f without bp e")
                if not self.on_slice(track, ts):
                    self.found("flow-slice", at, f"no slice of tid {track[1]} is there")
                if kind == "f" and cat in ("fwdbwd", "forward_backward"):
                    if roots.setdefault((cat, track, ts), at) != at:
                        self.found("flow-backward", at, f"ends where traceEvents[{roots[(cat, track, ts)]}] ends")

    def on_slice(self, track, ts):
        """Whether a slice of a track holds a time, its end included."""
        if track not in self.reach:
            begins, latest, far = [], [], -1
            for item in self.slices.get(track, ()):
                far = max(far, item.end)
                begins.append(item.begin)
                latest.append(far)
            self.reach[track] = begins, latest
        begins, latest = self.reach[track]
        at = bisect.bisect_right(begins, ts) - 1
        return at >= 0 and latest[at] >= ts

    def check_devices(self):
        for pid, seq in self.device_pids.items():
            if pid in self.host_pids:
                self.found("gpu-pid", self.host_pids[pid], f"is of the host, on pid {pid} of a GPU (traceEvents[{seq}])")

    def check_rows(self):
        for (name, pid, tid), items in self.rows.items():
            if name == "process_tid":
                if (pid, tid) not in self.used_threads:
                    self.found("row-unused", items[0][1], f"nothing is on tid {tid} of pid {pid}")
                continue
            row = f"pid {pid}" + ("" if tid is None else f" tid {tid}")
            if len(items) > 1:
                self.found("row-twice", items[1][1], f"{name} of {row} is there already")
            if (pid not in self.used_pids) if tid is None else ((pid, tid) not in self.used_threads):
                self.found("row-unused", items[0][1], f"nothing is on {row}")
        for pid in sorted(self.used_pids, key=str):
            if pid == 0 and pid not in self.device_pids and not self.labelled(0):
                self.found("pid", "pid 0", "is no GPU")
            for name in ("process_name", "process_sort_index"):
                if (name, pid, None) not in self.rows:
                    self.found("row-unnamed", f"pid {pid}", f"no {name}")
            self.check_label(pid)
        for pid, tid in sorted(self.used_threads, key=str):
            for name in ("thread_name", "thread_sort_index"):
                if (name, pid, tid) not in self.rows:
                    self.found("row-unnamed", f"pid {pid} tid {tid}", f"no {name}")

    def check_ranks(self):
        """The processes of a rank stand together, hosts with ops before GPUs by number; ranks in order."""
        if not self.ranks:
            return
        order = []
        small = {pid for pid in self.device_pids if isinstance(pid, int) and pid < 64}
        for pid, seq in self.device_pids.items():
            if isinstance(pid, int) and pid >= 64 and len(small) < 64:
                self.found("gpu-pid", seq, f"on pid {pid}, while one below 64 is free")
        for pid in sorted(self.used_pids, key=str):
            if pid not in self.ranks:
                self.found("rank", f"pid {pid}", "is of no rank")
                continue
            place, title = self.ranks[pid]
            name = self.rows.get(("process_name", pid, None), [(None, 0)])[0][0]
            if not isinstance(name, str) or not name.startswith(title + ": "):
                self.found("rank", f"pid {pid}", f"is of {title!r} and called {shown(name)}")
            index = self.rows.get(("process_sort_index", pid, None), [(None, 0)])[0][0]
            if index is None:
                continue
            gpu = self.labelled(pid)
            kind = (1, *gpu) if gpu else (0, 0) if pid in self.op_pids else None
            order.append((index, place, kind, pid))
        order.sort(key=lambda item: item[0])
        for before, after in zip(order, order[1:]):
            if before[0] == after[0]:
                self.found("rank", f"pid {after[3]}", f"has the sort index of pid {before[3]}")
            elif before[1] > after[1]:
                self.found("rank", f"pid {after[3]}", f"is sorted behind pid {before[3]}, which comes after it")
        order = [item for item in order if item[2] is not None]
        for before, after in zip(order, order[1:]):
            if before[1] == after[1] and before[2] > after[2]:
                self.found("rank", f"pid {after[3]}", f"is sorted behind pid {before[3]}, which comes after it")

    def labelled(self, pid):
        """The number of the GPU that a process is labelled as, in a tuple, or None."""
        label = self.rows.get(("process_labels", pid, None), [("", 0)])[0][0]
        match = re.match(r"GPU (0|[1-9][0-9]{0,5})\Z", label) if isinstance(label, str) else None
        return (int(match[1]),) if match else None

    def check_label(self, pid):
        label = self.rows.get(("process_labels", pid, None), [(None, 0)])[0][0]
        gpu = self.labelled(pid)
        where = f"pid {pid}"
        if pid in self.device_pids:
            index = self.rows.get(("process_sort_index", pid, None), [(None, 0)])[0][0]
            if not gpu:
                self.found("gpu-row", where, f"has kernels and the label {label!r}")
            elif index != 5000000 + gpu[0] and not self.ranks:
                self.found("gpu-row", where, f"is labelled {label!r} and sorted at {index}")
        elif pid in self.host_pids and (gpu or pid in self.op_pids and label != "CPU"):
            self.found("gpu-row", where, f"is of the host and has the label {label!r}")

    def check_markers(self):
        begins = [s[0].begin for s in self.slices.values() if s]
        ends = [item.end for s in self.slices.values() for item in s]
        for name, ts, seq in self.markers:
            if begins and not min(begins) <= ts <= max(ends):
                self.found("markers", seq, f"'{name}' lies outside of the spans")
        if self.profiler:
            if not any(name == "Iteration Start: PyTorch Profiler" for name, _, _ in self.markers):
                self.found("markers", "the file", "has no 'Iteration Start: PyTorch Profiler'")
            if not self.last or self.last.get("name") != "Record Window End" or self.last.get("ph") != "i":
                self.found("markers", "the file", "does not end with 'Record Window End'")


def shown(value):
    if isinstance(value, Number):
        text = str(value)
    elif isinstance(value, (list, dict)):
        text = "an array" if isinstance(value, list) else "an object"
    else:
        text = "null or absent" if value is None else json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
