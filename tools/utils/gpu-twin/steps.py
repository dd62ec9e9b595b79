"""Marks, steps and windows: rules 9 and 15 to 21 of docs/Definitions.md."""
import collections

from linking import host_range
from names import OPTIMIZER, PROFILER_STEP, SPANS, STEP_PATTERNS
from reading import Event

Mark = collections.namedtuple("Mark", "begin end pid label")
Window = collections.namedtuple("Window", "label begin end")


def main_threads(events):
    """Rule 16: of each process, the events of the thread that has most of them."""
    kept = []
    for pid in dict.fromkeys(event.pid for event in events):
        threads = collections.defaultdict(list)
        for event in events:
            if event.pid == pid:
                threads[event.tid].append(event)
        most = max(map(len, threads.values()))
        kept += next(thread for thread in threads.values() if len(thread) == most)
    return sorted(kept, key=Event.order)


def optimizer_marks(trace, steps):
    """Rule 15 c: from the end of one optimizer step to the end of the next."""
    kept = []
    for event in main_threads([step for step in steps if step.name == steps[0].name]):
        inside = any(
            (other.pid, other.tid) == (event.pid, event.tid)
            and other.begin <= event.begin
            and event.end <= other.end
            for other in kept
        )
        if not inside:
            kept.append(event)
    marks, previous = [], {}
    for event in sorted(kept, key=lambda event: (event.end, event.seq)):
        begin = previous.get(event.pid)
        if begin is None:
            begin = min(host.begin for host in trace.hosts if host.pid == event.pid)
        previous[event.pid] = event.end
        marks.append(Mark(begin, event.end, event.pid, str(len(marks) + 1)))
    return marks


def marks_of(trace):
    """Rule 15: the marks of the first family that has any, in order; [] is one window."""
    spans = sorted((host for host in trace.hosts if host.kind in SPANS), key=Event.order)
    events = main_threads([span for span in spans if PROFILER_STEP.match(span.name)])
    if events:
        return [
            Mark(e.begin, e.end, e.pid, str(int(PROFILER_STEP.match(e.name)[1]))) for e in events
        ]
    for pattern in STEP_PATTERNS:
        events = main_threads([span for span in spans if pattern.match(span.name)])
        if events:
            return [Mark(e.begin, e.end, e.pid, str(i)) for i, e in enumerate(events, 1)]
    steps = [span for span in spans if span.name.startswith(OPTIMIZER)]
    return optimizer_marks(trace, steps) if steps else []


def owner(marks, activity):
    """Rule 17: the number of the mark in which the activity was launched, or None."""
    launch, found = activity.launch, None
    if launch is not None:
        for i, mark in enumerate(marks):
            if mark.pid == launch.pid and mark.begin <= launch.begin < mark.end:
                found = i
    return found


def windows_of(trace, marks, activities):
    """Rules 18 and 20: the windows of a device whose timed activities these are."""
    if not marks:
        begin, end = activities[0].begin, max(activity.end for activity in activities)
        span = host_range(trace)
        later = begin if span is None else max(begin, span[0])
        return [Window("1", later if later < end else begin, end)]
    own = collections.defaultdict(list)
    for activity in activities:
        own[owner(marks, activity)].append(activity)
    windows = []
    for i, mark in enumerate(marks):
        if i not in own:
            continue
        begin = min(mark.begin, min(activity.begin for activity in own[i]))
        end = max(activity.end for activity in own[i])
        if windows:
            begin, end = windows[-1].end, max(end, windows[-1].end)
        windows.append(Window(mark.label, begin, end))
    return windows


def union_length(intervals, begin, end):
    """How much of [begin, end) the intervals cover."""
    covered, reached = 0, begin
    for first, last in sorted(intervals):
        first, last = max(first, reached), min(last, end)
        if last > first:
            covered += last - first
            reached = last
    return covered


def breakdown(activities, window):
    """Rule 9, in the order of rule 36: window, busy, idle, compute, comm, copy."""
    _, begin, end = window
    sets = {"X": [], "C": [], "M": []}
    for activity in activities:
        if activity.end > begin and activity.begin < end:
            sets[activity.device_class].append((activity.begin, activity.end))
    compute = union_length(sets["X"], begin, end)
    useful = union_length(sets["X"] + sets["C"], begin, end)
    busy = union_length(sets["X"] + sets["C"] + sets["M"], begin, end)
    length = end - begin
    return [length, busy, length - busy, compute, useful - compute, busy - useful]
