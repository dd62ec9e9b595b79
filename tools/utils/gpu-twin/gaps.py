"""Gaps of a device and their causes: rules 23 to 34 of docs/Definitions.md."""
import bisect
import collections

from names import host_cause, marks_step

SHORT = 1_000  # rule 26
LONG = 100_000  # rules 32 and 33
Gap = collections.namedtuple("Gap", "begin end ender lead_in")
Part = collections.namedtuple("Part", "begin end cause")


def gaps_of(activities):
    """Rule 23, for timed activities in event order."""
    gaps, reached = [], activities[0].end
    for activity in activities[1:]:
        if activity.begin > reached:
            gaps.append(Gap(reached, activity.begin, activity, False))
        reached = max(reached, activity.end)
    return gaps


class Thread:
    """What one host thread does at every instant: rule 30.

    times[i] to times[i + 1] has cause causes[i], by event[i] where the cause is an event's own.
    """

    def __init__(self, hosts):
        events = [host for host in hosts if host.end > host.begin]
        self.blocking = [event for event in events if event.blocking]
        changes = collections.Counter()  # of the number of events that rule 30 counts
        begins, ends = collections.defaultdict(list), collections.defaultdict(list)
        for event in events:
            if not marks_step(event):
                changes[event.begin] += 1
                changes[event.end] -= 1
            cause = host_cause(event)
            if cause:
                begins[event.begin].append((event, cause))
                ends[event.end].append((event, cause))
        self.times, self.causes, self.events = [], [], []
        count, open_events = 0, []
        for time in sorted({*changes, *begins, *ends}):
            count += changes[time]
            for entry in ends[time]:
                open_events.remove(entry)
            open_events += begins[time]
            event, cause = None, "host" if count else "unobserved"
            if open_events:
                event, cause = max(open_events, key=lambda e: (e[0].begin, -e[0].end, e[0].seq))
            self.times.append(time)
            self.causes.append(cause)
            self.events.append(event)

    def pieces(self, begin, end):
        """[begin, end) cut where what the thread does changes: (begin, end, cause, event)."""
        i = bisect.bisect_right(self.times, begin) - 1
        while begin < end:
            until = self.times[i + 1] if i + 1 < len(self.times) else end
            until = min(until, end)
            cause, event = ("unobserved", None) if i < 0 else (self.causes[i], self.events[i])
            if until > begin:
                yield begin, until, cause, event
            begin, i = until, i + 1


class Causes:
    """Gives the whole of a gap to causes. `others` are the activities of the other devices."""

    def __init__(self, trace, device, threads):
        self.trace, self.threads = trace, threads
        self.others = [
            other
            for other in trace.activities
            if other.device != device
            and other.timed
            and not other.far
            and other.duration() > 0
        ]

    def thread(self, pid, tid):
        key = (type(pid), pid, type(tid), tid)
        if key not in self.threads:
            hosts = [host for host in self.trace.hosts if (host.pid, host.tid) == (pid, tid)]
            self.threads[key] = Thread(hosts)
        return self.threads[key]

    def idles_alone(self, begin, end):
        """Longer than LONG while no other device does anything: rules 32 and 33."""
        if end - begin <= LONG:
            return False
        return not any(other.begin < end and other.end > begin for other in self.others)

    def host_part(self, gap, end):
        """Rules 30 to 32."""
        launch = gap.ender.launch
        thread = self.thread(launch.pid, launch.tid)
        draining = []
        if not gap.lead_in:
            draining = [s for s in thread.blocking if s.begin <= gap.begin < s.end]
        drained = max((sync.end for sync in draining), default=None)
        for first, last, cause, event in thread.pieces(gap.begin, end):
            if cause == "sync" and event not in draining:
                if self.idles_alone(max(event.begin, gap.begin), min(event.end, end)):
                    cause = "unrecorded"
            if drained is not None and cause in ("host", "unobserved") and last > drained:
                if first < drained:
                    yield Part(first, drained, cause)
                    first = drained
                cause = "after-sync"
            yield Part(first, last, cause)

    def after_part(self, gap, begin):
        """Rule 33."""
        ender, end = gap.ender, gap.end
        waits = [
            (max(wait.begin, begin), min(wait.end, end))
            for wait in self.trace.waits
            if (wait.device, wait.stream) == (ender.device, ender.stream)
            and wait.begin < end
            and wait.end > begin
        ]
        rest = "unrecorded" if self.idles_alone(begin, end) else "launch-latency"
        cuts = sorted({begin, end, *(time for wait in waits for time in wait)})
        for first, last in zip(cuts, cuts[1:]):
            waiting = any(wait[0] <= first and last <= wait[1] for wait in waits)
            yield Part(first, last, "dependency" if waiting else rest)

    def parts(self, gap):
        """Rules 26 to 34."""
        if gap.end - gap.begin < SHORT:
            return [Part(gap.begin, gap.end, "kernel-to-kernel")]
        launch = gap.ender.launch
        if launch is None:
            return [Part(gap.begin, gap.end, "unrecorded")]
        called = min(max(launch.begin, gap.begin), gap.end)
        returned = min(max(launch.end, called), gap.end)
        parts = list(self.host_part(gap, called))
        if returned > called:
            parts.append(Part(called, returned, "launch-call"))
        if gap.end > returned:
            parts += self.after_part(gap, returned)
        assert sum(part.end - part.begin for part in parts) == gap.end - gap.begin
        return parts
