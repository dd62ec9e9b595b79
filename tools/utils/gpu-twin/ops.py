"""The table ops: rules 40 to 46 of docs/Definitions.md."""
import collections

from names import CALLS, HIDDEN, SPANS, is_asynchronous, shown_name
from reading import Event, integer

KINDS = {"op": "cpu_op"}  # as tables call them
EXTERNAL_ID = ("External id", "external id")


class Member:
    """An event of rule 40."""

    def __init__(self, event):
        self.event, self.parent, self.children = event, None, []
        self.asynchronous = event.kind == "annotation" and is_asynchronous(event.name)
        self.folded, self.device = False, 0

    def covered(self):
        """The time in which a child runs, and that by which the children's sum is more."""
        event, reached, covered, total = self.event, self.event.begin, 0, 0
        for child in sorted((child.event for child in self.children), key=Event.order):
            begin, end = max(child.begin, reached), min(child.end, event.end)
            total += child.duration()
            if end > begin:
                covered, reached = covered + end - begin, end
        return covered, total - covered

    def device_total(self):
        total, below = 0, [self]
        while below:
            member = below.pop()
            total += member.device
            below += member.children
        return total


def external_id(event):
    for key in EXTERNAL_ID:
        if key in event.args:
            return integer(event.args[key])
    return None


def has_broken_ids(trace):
    """Rule 44: whether ids are correlations."""
    both = equal = 0
    for event in [*trace.hosts, *trace.activities]:
        if event.kind in SPANS or event.kind == "python":
            continue
        own = external_id(event)
        if own and event.correlation:
            both, equal = both + 1, equal + (own == event.correlation)
    return both >= 4 and equal * 100 >= both * 95


class Ops:
    """Of a trace whose launches are known."""

    def __init__(self, trace):
        self.rank = trace.rank
        self.threads = collections.defaultdict(list)  # all host events but Python frames
        for event in sorted(trace.hosts, key=Event.order):
            if event.kind != "python":
                self.threads[event.pid, event.tid].append(event)
        self.around = {}  # the innermost op around a call
        for thread in self.threads.values():
            self.find_ops_around(thread)
        self.members = {}
        slack = 0 if trace.has_fractions else 1000
        for thread in self.threads.values():
            self.nest(thread, slack)
        self.add_device_work(trace)
        for member in self.members.values():
            self.fold(member)

    def find_ops_around(self, thread):
        """Rule 44, its end."""
        running = []
        for event in thread:
            running = [op for op in running if op.end > event.begin]
            if event.kind in CALLS and running:
                self.around[event] = running[-1]
            if event.kind == "op":
                running.append(event)

    def nest(self, thread, slack):
        """Rule 41."""
        is_open = []
        for event in thread:
            if event.name in HIDDEN:
                continue
            member = self.members[event] = Member(event)
            if member.asynchronous:
                continue
            while is_open:
                above = is_open[-1].event
                if above.end > event.begin and above.end + slack >= event.end:
                    break
                is_open.pop()
            if is_open:
                member.parent = is_open[-1]
                member.parent.children.append(member)
            is_open.append(member)

    def fold(self, member):
        """Rule 42; members are in event order, so that the outermost comes first."""
        if member.folded:
            return
        while len(member.children) == 1 and member.children[0].event.name == member.event.name:
            inner = member.children[0]
            inner.folded, member.children, member.device = True, inner.children, inner.device

    def add_device_work(self, trace):
        """Rules 44 and 45."""
        by_id = {}
        if not has_broken_ids(trace):
            for event in sorted(trace.hosts, key=Event.order):
                own = external_id(event) if event.kind in SPANS else None
                if own:
                    by_id[own] = event
        found = {}  # by launch
        for activity in trace.activities:
            launch = activity.launch
            if launch is None:
                continue
            if launch not in found:
                found[launch] = self.op_of(launch, by_id)
            activity.op = found[launch]
            member = self.members.get(activity.op)
            if member and not member.asynchronous:
                member.device += activity.recorded

    def op_of(self, launch, by_id):
        """Rule 44."""
        own = external_id(launch)
        named = by_id.get(own) if own else None
        if named is not None and own == launch.correlation:
            same = (named.pid, named.tid) == (launch.pid, launch.tid)
            if not same or not named.begin <= launch.begin < named.end:
                named = None
        if named is not None:
            return named
        return self.around.get(launch)

    def rows(self):
        """Rule 46, and what torch's self time is less."""
        rows = collections.defaultdict(lambda: [0, 0, 0, 0, 0, 0])
        for member in self.members.values():
            if member.folded:
                continue
            event = member.event
            covered, twice = member.covered()
            own = 0 if member.asynchronous else event.duration() - covered
            row = rows[shown_name(event.name), KINDS.get(event.kind, event.kind)]
            figures = (1, own, event.duration(), member.device, member.device_total(), twice)
            for i, figure in enumerate(figures):
                row[i] += figure
        return rows

    def table(self):
        if not any(event.kind == "op" for thread in self.threads.values() for event in thread):
            return []
        return [[self.rank, *key, *row[:-1]] for key, row in sorted(self.rows().items())]
