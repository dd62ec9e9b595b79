"""The tables of symbolize: rules 57 to 65 of docs/Definitions.md, the slow and plain way. Nothing
here shares code with Heddle; what is a library is data, and read from its list."""
import bisect
import collections
import os
import re

from linking import prepare
from names import CALLS
from ops import Ops, has_broken_ids
from reading import Event, Trace, integer

LISTS = os.path.join(
    os.path.dirname(__file__), "..", "..", "..", "lib", "Analysis", "UserFrameData.cpp"
)
FRAME = re.compile(r"(.*?)\((\d+)\): (.*)", re.DOTALL)
ENGINE = ("autograd::engine::evaluate_function", "torch::autograd::")
Stack = collections.namedtuple("Stack", "frames statements")  # innermost first


def lists():
    """Function of the data file -> the words or parts it lists."""
    with open(LISTS, encoding="utf-8") as file:
        text = re.sub(r"//.*", "", file.read())
    found = {}
    for name, body in re.findall(r"\n[\w<>]+ (\w+)\(\) \{(.*?)\n\}", text, re.DOTALL):
        parts = re.findall(r'"([^"]*)"', body)
        found[name] = set("".join(parts).split()) if "[]" not in body else parts
    return found


LIST = lists()


def is_user(frame):
    """Rule 61."""
    match = FRAME.fullmatch(frame)
    if not match or frame.startswith("nn.Module: "):
        return False
    path, function = match[1].replace("\\", "/"), match[3]
    if path.startswith("<"):
        return path.startswith(("<stdin>", "<ipython-input"))
    if any(part in "/" + path for part in LIST["generatedPaths"] + LIST["libraryPaths"]):
        return False
    tail = path
    for mark in (r".*/site-packages/", r".*/dist-packages/", r".*/python3\.\d*/"):
        if re.match(mark, path, re.DOTALL):
            tail = re.sub(mark, "", path, count=1, flags=re.DOTALL)
            break
    root = tail.split("/")[0]
    root = root[:-3] if root.endswith(".py") else root
    if root in LIST["libraryPackages"] or root in LIST["standardModules"]:
        return False
    if function in LIST["wrapperFunctions"]:
        return False
    return not any(path == end or path.endswith("/" + end) for end in LIST["wrapperPaths"])


def is_module(frame):
    """Rule 61."""
    name = frame[11:] if frame.startswith("nn.Module: ") else ""
    return bool(name) and re.sub(r"_*\d*$", "", name) not in LIST["wrapperModules"]


class Frames:
    """The Python frames of a thread: rules 57 and 58."""

    def __init__(self, events, slack):
        self.events = sorted(events, key=Event.order)
        self.begins = [event.begin for event in self.events]
        place = {}
        for i, event in enumerate(self.events):
            own = integer(event.args.get("Python id"))
            if own is not None:
                place.setdefault(own, i)
        self.callers = []
        running = []
        for i, event in enumerate(self.events):
            running = [j for j in running if self.events[j].end > event.begin]
            caller = place.get(integer(event.args.get("Python parent id")))
            if caller is None or caller >= i:
                around = [j for j in running if self.events[j].end + slack >= event.end]
                caller = around[-1] if around else None
            self.callers.append(caller)
            running.append(i)

    def at(self, time):
        """The indices of the open frames, innermost first."""
        chain, i = [], bisect.bisect_right(self.begins, time) - 1
        while i is not None and i >= 0:
            chain.append(i)
            i = self.callers[i]
        is_open = []
        for i in reversed(chain):
            if self.events[i].end <= time:
                break
            is_open.append(i)
        return is_open[::-1]


class Around:
    """What rules 59 and 60 say of an event by itself and by the ops around it."""

    def __init__(self):
        self.text, self.text_begin = None, None
        self.hierarchy = None
        self.node, self.forward = None, None  # the backward op, and its forward op


class Places:
    def __init__(self, path):
        self.trace = trace = Trace(path)
        prepare(trace)
        ops = Ops(trace)
        self.rank = trace.rank
        slack = 0 if trace.has_fractions else 1000
        python = collections.defaultdict(list)
        for event in trace.hosts:
            if event.kind == "python":
                python[event.pid, event.tid].append(event)
        self.frames = {thread: Frames(events, slack) for thread, events in python.items()}
        self.forwards = self.find_forwards()
        self.around = {}
        for thread in ops.threads.values():
            self.look_around(thread)
        self.by_id = {}
        if not has_broken_ids(trace):
            for event in sorted(trace.hosts, key=Event.order):
                if event.kind in ("op", "annotation"):
                    own = integer(event.args.get("External id", event.args.get("external id")))
                    if own:
                        self.by_id[own] = event
        self.ops = ops

    def find_forwards(self):
        """Rule 60: the forward op of each backward op, by sequence numbers."""
        numbered = collections.defaultdict(list)
        for event in self.trace.hosts:
            thread = event.args.get("Fwd thread id", event.args.get("Fwd thread Id"))
            number, thread = integer(event.args.get("Sequence number")), integer(thread)
            if event.kind == "op" and number is not None and number >= 0 and thread is not None:
                numbered[number].append((event, thread > 0))
        forwards = {}
        for events in numbered.values():
            last = outer = None
            for event, backward in sorted(events, key=lambda pair: pair[0].order()):
                if not backward:
                    last = event
                    continue
                if outer and outer.tid == event.tid and event.end <= outer.end:
                    continue
                outer = event
                if last is not None:
                    forwards[event] = last
        return forwards

    def look_around(self, thread):
        running = []
        following = dict(zip(thread, thread[1:]))
        for event in thread:
            running = [(e, over) for e, over in running if over > event.begin]
            outer = self.around[running[-1][0]] if running else None
            around = self.around[event] = Around()
            if outer:
                around.__dict__.update(outer.__dict__)
            text = event.args.get("Call stack")
            if isinstance(text, str) and text:
                frames = tuple(part.strip() for part in text.split(";") if part.strip())
                if frames:
                    around.text, around.text_begin = Stack(frames, True), event.begin
            hierarchy = event.args.get("Module Hierarchy")
            if isinstance(hierarchy, str) and hierarchy:
                around.hierarchy = hierarchy
            engine = event.name.startswith(ENGINE)
            if engine or event in self.forwards:
                around.node, around.forward = event, self.forwards.get(event)
                inner = following.get(event)
                if engine and around.forward is None and inner and inner.begin < event.end:
                    if event.name.endswith(": " + inner.name):
                        around.forward = self.forwards.get(inner)
            over = min([event.end] + [over for _, over in running[-1:]])
            running.append((event, over))

    def own(self, event):
        """The stack of an event without forward ops, and when it began."""
        frames = self.frames.get((event.pid, event.tid))
        is_open = frames.at(event.begin) if frames else []
        if is_open:
            names = tuple(frames.events[i].name for i in is_open)
            return Stack(names, False), frames.events[is_open[0]].begin
        around = self.around[event]
        return around.text, around.text_begin

    def stack_of(self, event, orders=4):
        """Of a forward op, rule 60."""
        if event is None or orders == 0 or event not in self.around:
            return None
        stack, begin = self.own(event)
        around = self.around[event]
        if stack and (around.forward is None or begin >= around.node.begin):
            return stack
        return self.stack_of(around.forward, orders - 1) if around.forward else None

    def place(self, event):
        """(stack, forward stack or None, hierarchy, in a backward op, reason where no stack)."""
        around = self.around[event]
        stack, begin = self.own(event)
        forward = self.stack_of(around.forward)
        backward = around.node is not None
        if stack and (forward is None or begin >= around.node.begin):
            return stack, forward, around.hierarchy, backward, None
        if forward:
            return forward, None, around.hierarchy, backward, None
        if backward:
            reason = "no forward"
        elif (event.pid, event.tid) in self.frames:
            reason = "no frame open"
        else:
            reason = "thread without frames"
        return None, None, around.hierarchy, backward, reason

    def of_activity(self, activity):
        """Rule 62; None without a launch."""
        if activity.launch is None:
            return None
        place = self.place(activity.launch)
        if place[0] is None:
            op = self.ops.op_of(activity.launch, self.by_id)
            if op is not None:
                of_op = self.place(op)
                if of_op[0] is not None:
                    return of_op
        return place

    @staticmethod
    def modules(place):
        """The names of the modules, outermost first."""
        for stack in place[:2]:
            frames = stack.frames if stack else ()
            found = [f[11:] for f in frames if is_module(f)]
            if found:
                return tuple(found[::-1])
        return (place[2],) if place[2] else ()

    @staticmethod
    def function(place):
        for stack in place[:2]:
            for frame in stack.frames if stack else ():
                if is_user(frame):
                    path, line, function = FRAME.fullmatch(frame).groups()
                    kind = "statement" if stack.statements else "function"
                    return function, path, line, kind
        return None

    def tables(self):
        """Rules 63 to 65: table -> key -> figures."""
        coverage = collections.defaultdict(lambda: [0, 0])
        modules = collections.defaultdict(lambda: [set(), 0, 0, 0, 0, 0])
        code = collections.defaultdict(lambda: [0, 0, 0, 0])
        found = {}  # by launch
        for activity in self.trace.activities:
            length = activity.duration()
            if activity.launch is None:
                known, place = "no launch", None
            else:
                if activity.launch not in found:
                    place = self.of_activity(activity)
                    found[activity.launch] = place, self.modules(place), self.function(place)
                place, names, function = found[activity.launch]
                replay = "GraphLaunch" in activity.launch.name
                if replay:
                    known = "graph replay"
                elif names:
                    known = "module and function" if function else "module"
                elif function:
                    known = "function"
                else:
                    known = place[4] or "library code only"
            coverage[known][0] += 1
            coverage[known][1] += length
            if place is None or not (names or function):
                continue
            backward = 0 if replay or not place[3] else length
            own, replayed = (0, length) if replay else (length, 0)
            classes = [re.sub(r"(?<=.)_\d+$", "", name) for name in names]
            if place[2] and names == (place[2],):
                classes = list(names)
            row = code["/".join(classes), *(function or ("", "", "", ""))]
            for i, figure in enumerate((1, own, backward, replayed)):
                row[i] += figure
            for depth in range(1, len(names) + 1):
                row = modules["/".join(classes[:depth])]
                row[0].add(names[:depth])
                row[1] += 1
                row[2] += own
                row[3] += backward
                row[4] += own if depth == len(names) else 0
                row[5] += replayed
        return {
            "symbolize-coverage": {(known,): row for known, row in coverage.items()},
            "symbolize-modules": {(k,): [len(v[0]), *v[1:]] for k, v in modules.items()},
            "symbolize-code": dict(code),
        }
