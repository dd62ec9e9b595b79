"""The table fusion-candidates: rules 47 to 53 of docs/Definitions.md, the slow and plain way. Which ops
and kernels could be fused is data: read from the plugin's lists, and nothing else of it."""
import collections
import fractions
import json
import os
import re

from reading import Event
from steps import OPTIMIZER, PROFILER_STEP, STEP_PATTERNS, owner

LISTS = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../../plugins/fusion-candidates/OpClasses.cpp"
)
MAX_GAP, SHORT_GAP = 10000, 1000
LAUNCH_SHARE, TOO_MANY = 15, 64
NO_TENSOR = {"", "Scalar", "ScalarList", "Int", "Double", "Bool", "None", "String", "Device",
             "Generator", "IntList", "DoubleList"}  # fmt: skip
SIZES = {
    1: ["bool", "unsigned char", "signed char", "char", "int8_t", "uint8_t"],
    2: ["short", "short int", "unsigned short", "c10::Half", "c10::BFloat16", "at::Half",
        "at::BFloat16"],
    4: ["int", "float", "unsigned int", "c10::complex<c10::Half>"],
    8: ["long", "long int", "double", "unsigned long", "c10::complex<float>"],
    16: ["c10::complex<double>"],
}  # fmt: skip
SIZE_OF = {name: size for size, names in SIZES.items() for name in names}


Limits = collections.namedtuple("Limits", "max_length min_repeats min_share", defaults=(15, 5, 10))


def strings_in(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))


def read_lists():
    """The class of each op, and parts of kernels' names."""
    with open(LISTS, encoding="utf-8") as file:
        text = file.read()
    classes = {}
    for kind, names in re.findall(r"\{OpClass::(\w+),([^}]*)\}", text):
        classes.update(dict.fromkeys(strings_in(names).split(), kind))
    kernels = re.search(r"kernelNames\[\] = \{(.*?)\};", text, re.DOTALL)[1]
    return classes, re.findall(r'"([^"]*)"', kernels)


OP_CLASSES, KERNELS = read_lists()


def op_class(name):
    """Rule 47 b."""
    if not name.startswith("aten::"):
        return None
    name = name[len("aten::") :].partition(".")[0]
    if len(name) > 1 and name.endswith("_") and not name.endswith("__"):
        name = name[:-1]
    return "Elementwise" if name.startswith("_foreach_") else OP_CLASSES.get(name)


def named_fusible(name):
    return any(part in name[:4096] for part in KERNELS)


def fusible(activity):
    """Rule 47."""
    if activity.launch is None or "GraphLaunch" in activity.launch.name:
        return False
    if activity.device_class == "C" or activity.op is None or activity.op.kind != "op":
        return False
    if activity.device_class == "M":
        return "DtoD" in activity.name or "DeviceToDevice" in activity.name or named_fusible(activity.name)
    kind = op_class(activity.op.name)
    if kind is None:
        return activity.kind == "memset" or named_fusible(activity.name)
    return kind != "Never"


def text_of(args, *keys):
    for key in keys:
        if key in args:
            value = args[key]
            return value if isinstance(value, str) else json.dumps(value) if isinstance(value, list) else ""
    return ""


def dims_of(op):
    return text_of(op.args, "Input Dims", "Input dims")


def listed(text):
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, list) else None


def traffic_of(op):
    """Rule 51: bytes read and written, or None."""
    kind = op_class(op.name)
    dims, types = listed(dims_of(op)), listed(text_of(op.args, "Input type", "Input Types"))
    strides = listed(text_of(op.args, "Input Strides")) or []
    if kind in (None, "Never") or dims is None or types is None or len(dims) != len(types):
        return None
    tensors = []
    for i, (shape, name) in enumerate(zip(dims, types)):
        if name in NO_TENSOR:
            continue
        size = 1 if isinstance(name, str) and name.startswith("c10::Float8") else SIZE_OF.get(name)
        if size is None or not isinstance(shape, list):
            return None
        steps, elements = strides[i] if i < len(strides) else None, 1
        for k, extent in enumerate(shape):
            if isinstance(extent, bool) or not isinstance(extent, int) or extent < 0:
                return None
            if isinstance(steps, list) and len(steps) == len(shape) and steps[k] == 0:
                continue
            elements *= extent
            if elements > 2**56:
                return None
        tensors.append((elements, size))
    if not tensors or len(tensors) > TOO_MANY:
        return None
    bytes_of = [elements * size for elements, size in tensors]
    read, most, least = sum(bytes_of), max(tensors)[0], min(size for _, size in tensors)
    if read > 2**60:
        return None
    if kind == "CopyInto":
        return (bytes_of[1], bytes_of[0]) if len(tensors) > 1 else None
    return {
        "Elementwise": (read, most * least),
        "Normalise": (read, most * least),
        "Predicate": (read, most),
        "Reduction": (read, 0),
        "Copy": (read, read),
        "Fill": (0, bytes_of[0]),
    }[kind]


class Member:
    """Rule 48: activities of one op side by side on a stream."""

    def __init__(self, activity):
        self.op, self.activities = activity.op, [activity]
        self.key = (activity.op.name, dims_of(activity.op))
        self.traffic = traffic_of(activity.op)

    def work(self):
        return sum(activity.duration() for activity in self.activities)


def runs_of(activities, window_of):
    """Rule 49: of one stream, in event order."""
    run, end, window = [], None, None
    for activity in activities:
        own = window_of(activity)
        joins = run and window == own and activity.begin - end < MAX_GAP
        end = activity.end if end is None else max(end, activity.end)
        if own is None or not fusible(activity):
            if run:
                yield run
            run = []
            continue
        if run and not joins:
            yield run
            run = []
        window = own
        if run and run[-1].op is activity.op:
            run[-1].activities.append(activity)
        else:
            run.append(Member(activity))
    if run:
        yield run


def parts_of(runs, need, max_length):
    """Rule 50: parts of runs that are too long."""
    free = [[True] * len(run) for run in runs]
    for length in range(max_length, 1, -1):
        fits, count = [], collections.Counter()
        for r, run in enumerate(runs):
            for i in range(len(run) - length + 1):
                if all(free[r][i : i + length]):
                    fits.append((r, i, tuple(member.key for member in run[i : i + length])))
        reached = {}
        for r, i, key in fits:
            if reached.get(key, (-1, 0)) <= (r, i):
                count[key] += 1
                reached[key] = (r, i + length)
        for r, i, key in fits:
            if count[key] >= need and all(free[r][i : i + length]):
                free[r][i : i + length] = [False] * length
                yield runs[r][i : i + length]


def sequence_text(names):
    """What repeats at once, told once."""
    out, i = [], 0
    while i < len(names):
        best = (1, 1)
        for period in range(1, (len(names) - i) // 2 + 1):
            times = 1
            while names[i : i + period] == names[i + times * period : i + (times + 1) * period]:
                times += 1
            if times > 1 and times * period > (best[0] * best[1] if best[1] > 1 else 1):
                best = (period, times)
        period, times = best
        part = ", ".join(names[i : i + period])
        part = f"({part})" if period > 1 else part
        out.append(part + (f" x{times}" if times > 1 else ""))
        i += period * times
    return ", ".join(out)


def shapes_text(shapes):
    if not any(shapes):
        return ""
    alone = [s for i, s in enumerate(shapes) if i == 0 or s != shapes[i - 1]]
    return "; ".join(s[:80] + ("..." if len(s) > 80 else "") or "--" for s in alone)


def needed(flows):
    """Rule 52: of (read, written) in order."""
    reads = [read - sum(w for _, w in flows[:i]) for i, (read, _) in enumerate(flows)]
    writes = [w - sum(r for r, _ in flows[i + 1 :]) for i, (_, w) in enumerate(flows)]
    return max(0, *reads) + max(0, *writes)


class Figures:
    """Of one occurrence."""

    def __init__(self, members, best):
        activities = [activity for member in members for activity in member.activities]
        self.kernels = len(activities)
        self.launches = len({activity.launch for activity in activities})
        covered, low, end = 0, 0, activities[0].begin
        firsts = {member.activities[0] for member in members}
        for activity in activities:
            gap = activity.begin - end
            if activity in firsts and 0 < gap < SHORT_GAP:
                low += gap
            covered += max(0, activity.end - max(activity.begin, end))
            end = max(end, activity.end)
        self.time, self.low = covered, low
        self.gaps = end - activities[0].begin - covered
        works = [member.work() for member in members]
        if best and all(member.traffic for member in members):
            least = -(-needed([member.traffic for member in members]) // best)
            self.by_bytes = True
        else:
            least = needed([(work // 2, work // 2) for work in works])
            self.by_bytes = False
        self.fused = min(max(least, min(works)), covered)


def counted_windows(trace, marks, device):
    """The windows that count, and which of them an activity belongs to: rule 49 and 53."""
    if not marks:
        return [device.windows[0]], lambda activity: 0
    used = sorted({owner(marks, a) for a in device.activities} - {None})
    assert len(used) == len(device.windows)
    steps = [host for host in trace.hosts if host.kind in ("op", "annotation")]
    marking = [h for h in steps if PROFILER_STEP.match(h.name) or any(p.match(h.name) for p in STEP_PATTERNS)]
    optimizers = [host for host in steps if host.name.startswith(OPTIMIZER)] if marking else []

    def misplaced(mark):
        return any(
            o.pid == mark.pid and any(o.begin < edge < o.end for edge in (mark.begin, mark.end))
            for o in optimizers
        )

    typical = [i for i in used[1:] if not misplaced(marks[i])] or used
    place = {mark: n for n, mark in enumerate(typical)}
    windows = [window for mark, window in zip(used, device.windows) if mark in place]
    return windows, lambda activity: place.get(owner(marks, activity))


def table(trace, marks, device, limits):
    """The rows of a device, without rank and device."""
    windows, window_of = counted_windows(trace, marks, device)
    window_ns = sum(window.end - window.begin for window in windows)
    waits = 0
    for window in windows:
        for piece in device.pieces:
            if piece.step is not None and device.windows[piece.step] is window:
                waits += sum(piece.causes[c] for c in ("host", "unobserved", "launch-call"))
    bound = waits // LAUNCH_SHARE >= window_ns // 100
    streams = collections.defaultdict(list)
    for activity in device.activities:
        streams[activity.stream].append(activity)
    runs = [(s, run) for s, own in sorted(streams.items()) for run in runs_of(own, window_of)]
    rates = [
        fractions.Fraction(sum(member.traffic), member.work())
        for _, run in runs
        for member in run
        if member.traffic and member.work()
    ]
    best = max(rates, default=0)
    groups, need = collections.defaultdict(list), limits.min_repeats * len(windows)
    for stream in streams:
        own = [run for s, run in runs if s == stream]
        long_runs = [run for run in own if len(run) > limits.max_length]
        found = [run for run in own if 2 <= len(run) <= limits.max_length]
        found += parts_of(long_runs, need, limits.max_length)
        for run in found:
            groups[stream, tuple(member.key for member in run)].append(run)
    for (stream, key), alike in groups.items():
        if len(alike) < need:
            continue
        figures = [Figures(run, best) for run in alike]
        kernels, launches, time, gaps, fused, low = (
            sum(getattr(f, name) for f in figures)
            for name in ("kernels", "launches", "time", "gaps", "fused", "low")
        )
        if (time + gaps) * 1000 < window_ns * limits.min_share:
            continue
        high = time + gaps - fused
        yield [
            stream, sequence_text([name for name, _ in key]), shapes_text([dims for _, dims in key]),
            len(key), len(alike), len(windows), kernels, launches, launches - len(alike), time, gaps,
            window_ns, "bytes" if all(f.by_bytes for f in figures) else "times", fused,
            0 if bound else min(low, high), high, 0 if bound else high,
        ]  # fmt: skip
