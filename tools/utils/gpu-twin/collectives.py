"""The table collectives: rule 56 of docs/Definitions.md."""
import bisect
import collections
import re

from reading import integer

WIDTHS = {
    1: "Byte Char Bool UInt8 Float8_e4m3fn Float8_e5m2 Float8_e4m3fnuz Float8_e5m2fnuz",
    2: "Half BFloat16 Short UInt16",
    4: "Float Int UInt32 ComplexHalf",
    8: "Double Long UInt64 ComplexFloat",
    16: "ComplexDouble",
}
WIDTH = {name: width for width, names in WIDTHS.items() for name in names.split()}
EXACT = ("reduce", "gather", "scatter", "barrier")
KINDS = (
    (r"all_?reduce|cross_device_reduce|one_shot|two_shot|quickreduce", "all-reduce"),
    (r"all_?gather", "all-gather"),
    (r"reduce_?scatter", "reduce-scatter"),
    (r"all_?to_?all|deep_?ep", "all-to-all"),
    (r"broadcast", "broadcast"),
    (r"send|recv", "send, receive"),
)
SPLIT = ("all-gather", "reduce-scatter", "all-to-all", "gather", "scatter")
ONE_WAY = ("broadcast", "reduce", "send, receive")


def argument(kernel, *keys):
    """Of the kernel, else of the op of its launch."""
    for event in (kernel, kernel.op):
        for key in keys:
            if event is not None and event.args.get(key) not in (None, ""):
                return event.args[key]
    return None


def kind_of(kernel):
    called = argument(kernel, "Collective name")
    if called in EXACT:
        return called
    text = (called or kernel.name).lower()
    return next((kind for pattern, kind in KINDS if re.search(pattern, text)), "")


def listed(text):
    """The ranks in "[0, 1, ...]", and whether these are all."""
    found = re.fullmatch(r"\s*\[(.*)\]\s*", text) if isinstance(text, str) else None
    if not found:
        return [], False
    ranks = []
    for part in found[1].split(","):
        if part.strip() and not re.fullmatch(r"\s*\d+\s*", part):
            return ranks, False
        ranks += [int(part)] if part.strip() else []
    return ranks, True


def members_of(kernel, group, configured):
    ranks, complete = listed(argument(kernel, "Process Group Ranks"))
    if complete:
        return ranks, True
    names = ("Global rank start", "Global rank stride", "Group size")
    start, stride, size = (integer(argument(kernel, name)) for name in names)
    if None not in (start, stride, size) and start >= 0 and stride > 0 and size > 0:
        every = list(range(start, start + stride * size, stride))
        if every[: len(ranks)] == ranks:
            return every, True
    return (configured[group], True) if group in configured else (ranks, False)


def described(ranks, complete):
    text = ", ".join(map(str, ranks[:32]))
    if not complete:
        return text + (", ..." if ranks else "")
    steps = {b - a for a, b in zip(ranks, ranks[1:])}
    if len(ranks) > 2 and len(steps) == 1 and min(steps) > 0:
        step = min(steps)
        return f"{ranks[0]}-{ranks[-1]}" + ("" if step == 1 else f"/{step}")
    return text + (f", ... +{len(ranks) - 32}" if len(ranks) > 32 else "")


def groups_of(info):
    groups = info.get("pg_config") if isinstance(info, dict) else None
    configured = {}
    for group in groups if isinstance(groups, list) else []:
        ranks = group.get("ranks") if isinstance(group, dict) else None
        ranks, complete = listed(ranks) if isinstance(ranks, str) else (ranks, isinstance(ranks, list))
        if complete and ranks and isinstance(group.get("pg_name"), str):
            configured[group["pg_name"]] = ranks
    return configured


def factor_of(kind, size):
    if not size or size < 2:
        return None
    if kind == "all-reduce":
        return 2 * (size - 1), size
    return (size - 1, size) if kind in SPLIT else (1, 1) if kind in ONE_WAY else None


class Message:
    """What one kernel says."""

    def __init__(self, kernel, configured):
        self.kernel, self.kind = kernel, kind_of(kernel)
        group = argument(kernel, "Process Group Name", "Process Group ID")
        self.group = "" if group is None else str(group)
        self.dtype = argument(kernel, "dtype") or ""
        ranks, complete = members_of(kernel, self.group, configured)
        self.members = described(ranks, complete)
        self.size = integer(argument(kernel, "Group size"))
        if self.size is None and complete and ranks:
            self.size = len(ranks)
        inside, outside = (integer(argument(kernel, f"{way} msg nelems")) for way in ("In", "Out"))
        elements = [n for n in (inside, outside) if n is not None]
        if self.kind == "all-to-all" and inside is not None:
            elements = [inside]
        width = WIDTH.get(self.dtype) if self.kind != "barrier" else None
        self.bytes = max(elements) * width if elements and width else None
        self.peer = None
        called = argument(kernel, "Collective name")
        if called in ("send", "recv"):
            peer = integer(argument(kernel, "Dst Rank" if called == "send" else "Src Rank"))
            inside = peer is not None and complete and 0 <= peer < len(ranks)
            self.peer = ranks[peer] if inside else peer

    def key(self):
        size = "" if self.bytes is None else 1 << (self.bytes.bit_length() - 1) if self.bytes else 0
        return (self.kind, self.group, "" if self.size is None else self.size, self.members, self.dtype, size)


def rate(bytes_, time, factor):
    return bytes_ * 1000 * factor[0] // (time * factor[1])


def merged(spans):
    """Their union, in order."""
    union = []
    for begin, end in sorted(spans):
        if union and begin <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((begin, end))
    return union


def covered(union, kernel):
    """How much of a kernel's time lies in these."""
    first = max(0, bisect.bisect_left(union, (kernel.begin,)) - 1)
    total = 0
    for begin, end in union[first:]:
        if begin >= kernel.end:
            break
        total += max(0, min(end, kernel.end) - max(begin, kernel.begin))
    return total


def table(trace):
    rows = collections.defaultdict(list)
    configured = groups_of(trace.distributed)
    computing = collections.defaultdict(list)
    for activity in trace.activities:
        if activity.device_class == "C":
            message = Message(activity, configured)
            rows[(activity.device, *message.key())].append(message)
        elif activity.device_class == "X" and activity.timed and not activity.far:
            computing[activity.device].append((activity.begin, activity.end))
    computing = {device: merged(spans) for device, spans in computing.items()}
    for key, messages in rows.items():
        times = sorted(message.kernel.duration() for message in messages)
        hidden = sum(covered(computing.get(key[0], []), message.kernel) for message in messages)
        sizes = [message.bytes for message in messages]
        total, moved = sum(times), None if None in sizes else sum(sizes)
        factor = factor_of(messages[0].kind, messages[0].size)
        timed = moved is not None and total > 0
        single = [(m.bytes, m.kernel.duration()) for m in messages]
        rates = [rate(size, time, factor) for size, time in single if factor and size is not None and time]
        peers = sorted({message.peer for message in messages if message.peer is not None})
        yield [
            trace.rank,
            *key,
            len(times),
            "" if moved is None else moved,
            total,
            times[(len(times) - 1) // 2],
            times[0],
            total - hidden,
            rate(moved, total, (1, 1)) if timed else "",
            rate(moved, total, factor) if timed and factor else "",
            max(rates, default=""),
            described(peers, True),
        ]
