"""The tables gpu-breakdown, idle-gaps, idle-gaps-causes, kernels, kernels-copies, ops, collectives and
fusion-candidates, computed the slow and plain way: rules 21 to 25, 36 to 53 and 56 of docs/Definitions.md. Nothing here shares code with
Heddle."""
import collections
import functools

import collectives
import fusion
from gaps import SHORT, Causes, Gap, gaps_of
from linking import prepare
from names import CAUSES, GRAPH, OCCUPANCY, blocks_of, call_name
from ops import Ops
from reading import Event, Refused, Trace, integer
from steps import Window, breakdown, marks_of, windows_of

__all__ = ["COLUMNS", "Refused", "Twin"]

COLUMNS = {
    "gpu-breakdown": (
        "rank,device,step,begin_ns,end_ns,window_ns,busy_ns,idle_ns,"
        "compute_ns,exposed_comm_ns,exposed_copy_ns"
    ).split(","),
    "idle-gaps": "rank,device,step,begin_ns,duration_ns,cause,part_ns".split(","),
    "idle-gaps-causes": "rank,device,step,cause,gaps,ns".split(","),
    "kernels": (
        "rank,device,stream,name,calls,total_ns,launches,ops,"
        "min_blocks,max_blocks,few_blocks_ns,occupancy"
    ).split(","),
    "kernels-copies": "rank,device,stream,name,calls,total_ns,bytes,mb_per_s".split(","),
    "fusion-candidates": (
        "rank,device,stream,ops,shapes,length,repeats,steps,kernels,launches,launches_saved,time_ns,"
        "gaps_ns,window_ns,model,fused_ns,bound_low_ns,bound_high_ns,bound_window_ns"
    ).split(","),
    "ops": "rank,name,kind,calls,self_ns,total_ns,device_self_ns,device_total_ns".split(","),
}
COLUMNS["collectives"] = (
    "rank,device,op,group,group_size,members,dtype,size_class,calls,bytes,total_ns,median_ns,min_ns,"
    "exposed_ns,algbw_mb_per_s,busbw_mb_per_s,best_busbw_mb_per_s,peers"
).split(",")
COLUMNS["fusion-candidates-all"] = COLUMNS["fusion-candidates"]
# A piece of a gap that lies in one step or in none; causes maps a cause to its ns.
Piece = collections.namedtuple("Piece", "step begin end causes whole")


def causes_within(parts, begin, end):
    causes = collections.Counter()
    for part in parts:
        length = min(part.end, end) - max(part.begin, begin)
        if length > 0:
            causes[part.cause] += length
    return causes


class Device:
    """All that is said of one device."""

    def __init__(self, trace, marks, device, threads):
        self.activities = sorted(
            (a for a in trace.activities if a.device == device and a.timed and not a.far),
            key=Event.order,
        )
        first, end = self.activities[0], max(activity.end for activity in self.activities)
        self.windows = windows_of(trace, marks, self.activities)
        self.all = Window("all", first.begin, end)
        self.gaps = gaps_of(self.activities)
        gaps = list(self.gaps)
        if marks and self.windows and self.windows[0].begin < first.begin:  # rule 24
            gaps.insert(0, Gap(self.windows[0].begin, first.begin, first, True))
        causes = Causes(trace, device, threads)
        self.pieces, self.whole = [], []
        for gap in gaps:
            parts = causes.parts(gap)
            self.pieces += self.cut(gap, parts)
            if not gap.lead_in:
                self.whole.append(causes_within(parts, gap.begin, gap.end))
        self.pieces.sort(key=lambda piece: (piece.begin, piece.end))
        for window, idle in [(i, self.idle(w)) for i, w in enumerate(self.windows)]:
            assert idle == sum(sum(p.causes.values()) for p in self.pieces if p.step == window)
        assert self.idle(self.all) == sum(sum(causes.values()) for causes in self.whole)

    def idle(self, window):
        return breakdown(self.activities, window)[2]

    def cut(self, gap, parts):
        """Rule 25: a gap's pieces in windows and outside of them."""
        outside, whole = [(gap.begin, gap.end)], gap.end - gap.begin
        for i, window in enumerate(self.windows):
            begin, end = max(gap.begin, window.begin), min(gap.end, window.end)
            if begin < end:
                yield Piece(i, begin, end, causes_within(parts, begin, end), whole)
                pieces = ((a, min(b, begin)) for a, b in outside), ((max(a, end), b) for a, b in outside)
                outside = [(a, b) for side in pieces for a, b in side if a < b]
        for begin, end in outside:
            yield Piece(None, begin, end, causes_within(parts, begin, end), whole)

    def breakdown_rows(self, base):
        """Rules 22 and 36."""
        for window in [*self.windows, self.all]:
            times = [window.begin + base, window.end + base]
            yield [window.label, *times, *breakdown(self.activities, window)]

    def cause_rows(self):
        """Rule 37."""
        steps = [
            (window.label, [p.causes for p in self.pieces if p.step == i])
            for i, window in enumerate(self.windows)
        ]
        for label, gaps in [*steps, ("all", self.whole)]:
            for cause in CAUSES:
                lengths = [causes[cause] for causes in gaps if causes[cause]]
                if lengths:
                    yield [label, cause, len(lengths), sum(lengths)]

    def gap_rows(self, base):
        """Rule 38."""
        for piece in self.pieces:
            if piece.whole < SHORT:
                continue
            step = "" if piece.step is None else self.windows[piece.step].label
            for cause in CAUSES:
                if piece.causes[cause]:
                    length = piece.end - piece.begin
                    yield [step, piece.begin + base, length, cause, piece.causes[cause]]


class Twin:
    """Everything of one file. Raises Refused, ValueError (no JSON) or OSError."""

    def __init__(self, path):
        self.trace = trace = Trace(path)
        self.rank, self.base = trace.rank, trace.base
        prepare(trace)
        self.ops = Ops(trace)

    @functools.cached_property
    def devices(self):
        marks, threads = marks_of(self.trace), {}
        numbers = {a.device for a in self.trace.activities if a.timed and not a.far}
        return {n: Device(self.trace, marks, n, threads) for n in sorted(numbers)}

    def kernel_rows(self):
        """Rule 39."""
        kernels = collections.defaultdict(list)
        for activity in self.trace.activities:
            if activity.kind == "kernel":
                kernels[activity.device, activity.stream, activity.name].append(activity)
        for key, row in sorted(kernels.items()):
            calls = {activity.launch for activity in row if activity.launch}
            launches = sum(not GRAPH.search(call_name(call.name)) for call in calls)
            ops = collections.Counter(activity.op.name for activity in row if activity.op)
            names = sorted(ops, key=lambda name: (-ops[name], name.encode("utf-8", "surrogateescape")))
            more = f" +{len(names) - 3}" if len(names) > 3 else ""
            total = sum(activity.duration() for activity in row)
            head = [self.rank, *key, len(row), total, launches, ", ".join(names[:3]) + more]
            yield [*head, *self.sizes(key[0], row)]

    def sizes(self, device, row):
        """Rule 39: the last four cells."""
        blocks = [(activity, blocks_of(activity, self.trace.rocm)) for activity in row]
        known = [(activity, count) for activity, count in blocks if count is not None]
        counts = [count for _, count in known]
        sms = self.trace.multiprocessors(device)
        judged = [(a, count) for a, count in known if sms and a.device_class == "X"]
        few = sum(a.duration() for a, count in judged if count < sms) if judged else ""
        rated = [(a.duration(), integer(a.args.get(OCCUPANCY))) for a in row]
        rated = [(time, percent) for time, percent in rated if percent and 0 < percent <= 100]
        time = sum(time for time, _ in rated)
        mean = sum(time * percent for time, percent in rated) // time if time else ""
        return [min(counts, default=""), max(counts, default=""), few, mean]

    def copy_rows(self):
        """Rule 39, of copies and fills."""
        copies = collections.defaultdict(list)
        for activity in self.trace.activities:
            if activity.kind != "kernel":
                copies[activity.device, activity.stream, activity.name].append(activity)
        for key, row in sorted(copies.items()):
            sizes = [integer(a.args.get("bytes", a.args.get("size"))) for a in row]
            total = sum(activity.duration() for activity in row)
            moved = "" if any(size is None or size < 0 for size in sizes) else sum(sizes)
            rate = moved * 1000 // total if moved != "" and total else ""
            yield [self.rank, *key, len(row), total, moved, rate]

    def table(self, name):
        """The rows of a table, cells in the order of COLUMNS[name]."""
        if name == "kernels":
            return list(self.kernel_rows())
        if name == "kernels-copies":
            return list(self.copy_rows())
        if name == "ops":
            return self.ops.table()
        if name == "collectives":
            return list(collectives.table(self.trace))
        if name.startswith("fusion-candidates") and not any(host.kind == "op" for host in self.trace.hosts):
            return []
        rows = {
            "gpu-breakdown": lambda device: device.breakdown_rows(self.base),
            "idle-gaps-causes": lambda device: device.cause_rows(),
            "idle-gaps": lambda device: device.gap_rows(self.base),
            "fusion-candidates": lambda device: fusion.table(
                self.trace, marks_of(self.trace), device, fusion.Limits()
            ),
            "fusion-candidates-all": lambda device: fusion.table(
                self.trace, marks_of(self.trace), device, fusion.Limits(6, 2, 0)
            ),
        }[name]
        return [[self.rank, n, *row] for n, device in self.devices.items() for row in rows(device)]
