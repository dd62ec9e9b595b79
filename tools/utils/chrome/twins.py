"""Naive twins of what viewers do to times, ids and overlaps, written from their documented
behaviour. They know nothing of the rules: after their conversions nothing may overlap, collide or
be dropped.

Perfetto: ts * 1000 as a double, then llround; pid and tid below 0 or from 2^32 become 0, then a
tid 0 becomes the pid; events sorted by time, at equal times E first, then X, the longer before, then
all else in the order of the file; a stack of slices on each track, 512 deep, from which a slice that
ends at or before the new one is taken (but not an instant below an instant); a slice that begins
inside of an open one and ends after it is dropped or moved to a track of its own. E ends the
innermost open B of its name and category. A flow binds to the slice on top of the stack.

chrome://tracing: ts / 1000 as a double, in milliseconds; slices sorted by that, at equal times in the
order of the file; each is put into the last slice of the deepest row that holds it, begin and end
compared after rounding to displayTimeUnit (nanoseconds, or microseconds for "ms").
"""
import collections
import math

DEEPEST = 512
FIRST, LAST = -2**63, 2**63 - 1


def llround(x):
    """C's: half away from zero."""
    whole = math.floor(abs(x))
    whole += abs(x) - whole >= 0.5
    return int(math.copysign(whole, x))


def perfetto_time(text):
    value = float(text) * 1000.0
    if "." not in text and "e" not in text and "E" not in text:
        return int(text) * 1000
    return llround(value)


def perfetto_id(text):
    """A pid or tid; a text gets a number of its own there."""
    if type(text) is str:
        return text
    try:
        value = int(text) if text.lstrip("-").isdigit() else int(float(text))
    except (ValueError, OverflowError, AttributeError):
        return 0
    return value if 0 <= value < 2**32 else 0


class PerfettoTwin:
    def __init__(self, lint):
        self.lint = lint
        self.queue = []
        self.pairs = {}  # seq of E -> seq of its B
        self.tracks = {}  # track in Perfetto -> track of the file
        self.series = {}  # name of a counter in Perfetto -> the counter

    def event(self, event, phase, track, ts, dur, seq):
        """One event with a time; track and ts as the file means them."""
        pid, tid = perfetto_id(event.get("pid")), perfetto_id(event.get("tid"))
        if tid == 0:
            tid = pid
        here = (pid, tid)
        if phase in "XBEstf" or phase == "i" and event.get("s") == "t":
            if self.tracks.setdefault(here, track) != track:
                other = self.tracks[here]
                self.lint.found("perfetto-track", seq,
                                f"pid {track[0]} tid {track[1]} is where pid {other[0]} tid {other[1]} is")
        else:
            return
        begin = perfetto_time(event["ts"])
        length = perfetto_time(event["dur"]) if phase == "X" and dur is not None else 0
        if begin != ts or phase == "X" and dur is not None and length != dur:
            self.lint.found("perfetto-time", seq, f"begins at {begin} ns and lasts {length}, not {ts} and {dur or 0}")
        if phase == "X" and dur is None:
            return
        key = FIRST if phase == "E" else LAST - length if phase == "X" else LAST
        # A name or category that is missing, or empty, is none.
        name, cat = (event.get(key) if isinstance(event.get(key), str) else None for key in ("name", "cat"))
        name, cat = name or None, cat or None
        self.queue.append((begin, key, seq, phase, here, length, name, cat, str(event.get("id"))))

    def counter(self, counter, args, seq):
        pid, name, number = counter
        for key in args:
            called = (pid, f"{name or ''}{'' if number is None else f' id: {number}'} {key}")
            if self.series.setdefault(called, (counter, key)) != (counter, key):
                self.lint.found("perfetto-counter", seq, f"is called '{called[1]}', as another one")

    def run(self):
        self.queue.sort(key=lambda item: item[:3])
        self.stacks = collections.defaultdict(list)  # [begin, end or None, seq, name, cat, is a slice]
        self.flows = {}
        for begin, _, seq, phase, here, length, name, cat, number in self.queue:
            stack = self.stacks[here]
            if phase == "X":
                self.push(stack, [begin, begin + length, seq, name, cat, True])
            elif phase == "i":
                self.push(stack, [begin, begin, seq, name, cat, False])
            elif phase == "B":
                self.push(stack, [begin, None, seq, name, cat, True])
            elif phase == "E":
                self.end(stack, begin, seq, name, cat)
            else:
                self.flow(stack, begin, seq, phase, (cat, name, number))

    def close(self, stack, begin, end, seq):
        """Take what has ended from a stack; whether a slice from begin to end (or None) may go on it."""
        for i in range(len(stack) - 1, -1, -1):
            if i >= len(stack):
                continue
            other = stack[i]
            if other[1] is None:
                continue
            if i < len(stack) - 1:  # an open B lies on it
                if begin > other[1]:
                    self.lint.found("perfetto-end", stack[i + 1][2], f"is cut where traceEvents[{other[2]}] ends")
                    del stack[i:]
                continue
            instants = other[0] == other[1] and end == begin
            if other[1] < begin or other[1] == begin and not instants:
                stack.pop()
            elif end is not None and begin < other[1] < end:
                self.lint.found("perfetto-slice", seq, f"begins inside of traceEvents[{other[2]}] and ends after it")
                return False
        return True

    def push(self, stack, item):
        if not self.close(stack, item[0], item[1], item[2]):
            return
        if len(stack) >= DEEPEST:
            self.lint.found("perfetto-slice", item[2], f"is {len(stack)} deep")
            return
        stack.append(item)

    def end(self, stack, ts, seq, name, cat):
        self.close(stack, ts, None, seq)
        for i in range(len(stack) - 1, -1, -1):
            other = stack[i]
            if other[1] is not None or cat not in (None, other[4]):
                continue
            if None not in (name, other[3]) and name != other[3]:
                continue
            other[1] = ts
            if self.pairs.get(seq) != other[2]:
                self.lint.found("perfetto-end", seq, f"ends traceEvents[{other[2]}], not its own B")
            if i == len(stack) - 1:
                stack.pop()
            return
        self.lint.found("perfetto-end", seq, "ends nothing")

    def flow(self, stack, ts, seq, phase, flow):
        if not stack:
            self.lint.found("perfetto-flow", seq, f"{phase} binds to nothing")
            return
        top = stack[-1]
        if top[1] is not None and not top[0] <= ts <= top[1] or not top[5]:
            self.lint.found("perfetto-bind", seq, f"{phase} binds to traceEvents[{top[2]}], "
                            f"{'which has ended' if top[5] else 'an instant'}")
        if phase == "s":
            self.flows[flow] = seq
        elif flow not in self.flows:
            self.lint.found("perfetto-flow", seq, f"{phase} without s")


class ChromeTwin:
    def __init__(self, lint):
        self.lint = lint
        self.tracks = collections.defaultdict(list)  # [begin in ms, seq, end in ms, exact begin, exact end]
        self.open = {}

    def slice(self, track, ts, dur, begin, end, seq):
        start = float(ts) / 1000
        self.tracks[track].append([start, seq, start + float(dur) / 1000, begin, end])

    def begin(self, track, ts, begin, seq):
        self.open[seq] = [float(ts) / 1000, seq, None, begin, None]
        self.tracks[track].append(self.open[seq])

    def end(self, begin_seq, ts, end):
        item = self.open.pop(begin_seq)
        # It keeps the duration, from which the end comes again.
        item[2] = item[0] + (float(ts) / 1000 - item[0])
        item[4] = end

    def run(self):
        scale = 1e6 if self.lint.unit == "ns" else 1e3
        for items in self.tracks.values():
            items = [item for item in items if item[2] is not None]
            items.sort(key=lambda item: item[:2])
            rows = []  # the last slice of each row, from the root
            for item in items:
                begin, end = math.floor(item[0] * scale + 0.5), math.floor(item[2] * scale + 0.5)
                depth = 0
                while depth < len(rows) and rows[depth][0] <= begin and end <= rows[depth][1]:
                    depth += 1
                self.place(rows, depth, begin, end, item)

    def place(self, rows, depth, begin, end, item):
        """Put a slice below rows[depth - 1], beside rows[depth]."""
        if depth < len(rows) and rows[depth][1] > begin and end > begin:
            self.lint.found("chrome-slice", item[1], f"is drawn over traceEvents[{rows[depth][2][1]}]")
        if depth and item[4] > item[3]:
            outer = rows[depth - 1][2]
            if not (outer[3] <= item[3] and item[4] <= outer[4]):
                self.lint.found("chrome-slice", item[1], f"is put into its neighbour traceEvents[{outer[1]}]")
        del rows[depth:]
        rows.append((begin, end, item))
