"""Events of a PyTorch trace, with exact times: rules 1 to 7 of docs/Definitions.md.

Reads valid JSON, whole or gzip; control characters in strings and text after the document are
taken. Nothing here repairs a broken trace.
"""
import collections
import json
import os
import re
import zlib
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation, localcontext

from names import ACTIVITIES, CALLS, FLOWS, OF_NO_KIND, kind_of, lane_kind, lane_of

STREAM_WAIT = "Stream Wait Event"
PLAIN_NUMBER = re.compile(r"^(\d+)(?:\.(\d{1,3}))?$")

Flow = collections.namedtuple("Flow", "category id phase place")  # place: pid, tid, time


class Refused(Exception):
    """The file is no trace that these rules speak of."""


class Number(str):
    """A number with a fraction or exponent, as it is spelled."""

    __slots__ = ()


class Event:
    """One complete event ("ph": "X") with a kind. Times are ns, half-open [begin, end)."""

    __slots__ = (
        "seq", "kind", "name", "pid", "tid", "args", "begin", "end", "timed",
        "correlation", "device", "stream",  # rules 10 and 6
        "launch", "far", "device_class", "blocking",  # rules 12, 13, 8, 29
        "recorded", "op",  # rules 45 and 44
    )

    def order(self):
        """Rule 4: event order."""
        return (self.begin, -self.end, self.seq)

    def duration(self):
        return self.end - self.begin


def integer(value):
    """An integer, or text that spells one; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d+\s*", value):
        return int(value)
    return None


def nanoseconds(value):
    """Microseconds as JSON spells them, exactly, in ns (int or Decimal); None if no number."""
    if value is None or isinstance(value, (bool, list, dict, float)):
        return None  # json gives a float for NaN and Infinity only
    if isinstance(value, int):
        return value * 1000
    text = str(value).strip()
    plain = PLAIN_NUMBER.match(text)
    if plain:
        return int(plain[1]) * 1000 + int((plain[2] or "").ljust(3, "0"))
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    with localcontext() as context:
        context.prec = 100
        return number * 1000


def rounded(value):
    """Rule 1: to whole ns, half to even, once."""
    if isinstance(value, int):
        return value
    with localcontext() as context:
        context.prec = 100
        return int(value.to_integral_value(rounding=ROUND_HALF_EVEN))


def exact_sum(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    with localcontext() as context:
        context.prec = 100
        return Decimal(a) + Decimal(b)


def text_of(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        parts = []
        while data[:2] == b"\x1f\x8b":  # a gzip file may have several members
            inflate = zlib.decompressobj(31)
            parts.append(inflate.decompress(data))
            data = inflate.unused_data
        data = b"".join(parts)
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def document_of(path):
    text = text_of(path)
    try:
        document = json.loads(text, strict=False, parse_float=Number)
    except ValueError:
        decoder = json.JSONDecoder(strict=False, parse_float=Number)
        document, _ = decoder.raw_decode(text.lstrip())
    if isinstance(document, list):
        document = {"traceEvents": document}
    if not isinstance(document, dict) or not isinstance(document.get("traceEvents"), list):
        raise Refused("no traceEvents")
    return document


def rank_of(document, path):
    """Rule 7."""
    info = document.get("distributedInfo")
    rank = integer(info.get("rank")) if isinstance(info, dict) else None
    if rank is not None:
        return rank
    name = os.path.basename(path)
    found = re.search(r"rank[-_]?(\d+)", name, re.IGNORECASE) or re.search(r"-TP-(\d+)", name)
    return int(found[1]) if found else 0


def place(event):
    """Rule 6: device and stream of an activity or of a wait of a stream."""
    device = integer(event.args.get("device"))
    if device is None:
        device = integer(event.pid)
    stream = integer(event.args.get("stream"))
    if stream is None:
        stream = integer(event.tid)
    if stream is None and isinstance(event.tid, str):
        found = re.search(r"-?\d+", event.tid)
        stream = int(found[0]) if found else None
    return device or 0, stream or 0


def event_of(record, seq, kind, base):
    """Rules 1 to 3 for one complete event."""
    event = Event()
    event.seq, event.kind = seq, kind
    name, args = record.get("name"), record.get("args")
    event.name = name if isinstance(name, str) else "" if name is None else str(name)
    event.args = args if isinstance(args, dict) else {}
    event.pid, event.tid = record.get("pid"), record.get("tid")
    begin, duration = nanoseconds(record.get("ts")), nanoseconds(record.get("dur")) or 0
    event.timed = begin is not None and not (begin == 0 and base > 0)
    if not event.timed:
        begin = 0
    event.begin = rounded(begin)
    event.end = max(event.begin, rounded(exact_sum(begin, duration)))
    event.correlation = integer(event.args.get("correlation"))
    event.launch, event.far, event.device_class, event.blocking = None, False, None, False
    event.recorded, event.op = event.duration(), None
    return event


def names_of(records):
    """Names of processes and threads, and labels of processes, by pid or pid and tid."""
    names = {"process_name": {}, "process_labels": {}, "thread_name": {}}
    for record in records:
        if not isinstance(record, dict) or record.get("ph") != "M":
            continue
        what, args, pid, tid = (record.get(key) for key in ("name", "args", "pid", "tid"))
        if not isinstance(what, str) or what not in names or not isinstance(args, dict):
            continue
        text = args.get("labels" if what == "process_labels" else "name")
        hashable = all(isinstance(part, (int, str, type(None))) for part in (pid, tid))
        if isinstance(text, str) and hashable:
            names[what][(pid, tid) if what == "thread_name" else pid] = text.strip()
    return names


class Trace:
    """activities: all, also those without a time. hosts: timed host events. waits: timed waits of
    streams for events (rule 33). flows: ends of flows from calls to activities (rule 12).
    has_fractions: whether any time of a complete event is spelled with one."""

    def __init__(self, path):
        document = document_of(path)
        self.path = path
        self.base = integer(document.get("baseTimeNanoseconds")) or 0
        self.rank = rank_of(document, path)
        self.distributed = document.get("distributedInfo")
        self.properties = [p for p in document.get("deviceProperties") or [] if isinstance(p, dict)]
        self.activities, self.hosts, self.waits, self.flows = [], [], [], []
        self.has_fractions = False
        self.names = names_of(document["traceEvents"])
        for seq, record in enumerate(document["traceEvents"]):
            if not isinstance(record, dict):
                continue
            category = record.get("cat")
            category = category.lower() if isinstance(category, str) else ""
            if record.get("ph") in ("s", "f") and FLOWS.match(category):
                self.add_flow(category, record)
            if record.get("ph") != "X":
                continue
            times = (str(record.get(key)) for key in ("ts", "dur"))
            self.has_fractions |= any("." in time for time in times)
            kind = kind_of(category, str(record.get("name") or ""), record.get("pid"))
            lane = self.lane(record) if kind is None and category not in OF_NO_KIND else None
            if lane:
                row = self.names["thread_name"].get((record.get("pid"), record.get("tid")), "")
                args = record.get("args") if isinstance(record.get("args"), dict) else {}
                kind = lane_kind(lane, row, str(record.get("name") or ""), args)
            if kind is not None or category == "cuda_sync":
                self.add(event_of(record, seq, kind, self.base), lane)

    @property
    def rocm(self):
        """Whether any call is one of ROCm's."""
        return any(host.kind in CALLS and host.name.startswith("hip") for host in self.hosts)

    def multiprocessors(self, device):
        """Of a device by its number: of that id, else what all have; None if not known."""

        def count(properties):
            threads = integer(properties.get("maxThreadsPerMultiprocessor")) or 0
            return integer(properties.get("numSms")) or (threads if 0 < threads < 512 else None)

        for properties in self.properties:
            if integer(properties.get("id")) == device:
                return count(properties)
        kinds = {(properties.get("name"), count(properties)) for properties in self.properties}
        return kinds.pop()[1] if len(kinds) == 1 else None

    def add_flow(self, category, record):
        at = nanoseconds(record.get("ts"))
        if at is not None:
            place = (record.get("pid"), record.get("tid"), rounded(at))
            self.flows.append(Flow(category, record.get("id"), record["ph"], place))

    def lane(self, record):
        """Rule 55."""
        pid = record.get("pid")
        if not isinstance(pid, (int, str)):
            return None
        process = self.names["process_name"].get(pid, "")
        return lane_of(process, self.names["process_labels"].get(pid, ""))

    def add(self, event, lane=None):
        if event.kind in ACTIVITIES:
            event.device, event.stream = place(event)
            if lane:
                label = self.names["process_labels"].get(event.pid, "").removeprefix("NPU")
                event.device = integer(label) or 0
            self.activities.append(event)
        elif event.kind is not None:
            if event.timed:
                self.hosts.append(event)
        elif event.timed:
            sync = event.args.get("cuda_sync_kind")
            if (sync if isinstance(sync, str) else event.name) == STREAM_WAIT:
                event.device, event.stream = place(event)
                self.waits.append(event)
