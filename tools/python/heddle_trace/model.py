"""The words of the format, and the small things that a rank is made of."""

import collections
import json

FAMILIES = (
    "thread thread-python thread-marker stream stream-annotation stream-sync stream-marker "
    "overhead window counter async"
).split()
KINDS = (
    "cpu_op annotation runtime driver kernel memcpy memset sync event python overhead memory comm "
    "window marker counter other"
).split()
TYPES = "int decimal string bool list raw null ph cat name pid tid ts dur args".split()
VENDORS = "none cuda rocm xpu mtia other".split()
EDGE_KINDS = "launch fwdbwd record-wait send-recv flow".split()
UNITS = ("", "ns", "bytes", "count", "percent")
LEVELS = ("note", "finding", "warning")
CONFIDENCES = ("low", "medium", "high")
INT, DECIMAL, STRING, BOOL, LIST, RAW, NULL = range(7)
EVENT_SCOPE, ARGS_SCOPE = "event", "args"
MAX_TIME = 2**62 - 1  # ns: 146 years
NO_NUMBER = -(2**63)
ENDS = {"B": "E", "b": "e", "S": "F"}
END_PHASES = frozenset(ENDS.values())

#: An event: the number of its track in `Rank.tracks`, and its index there.
EventRef = collections.namedtuple("EventRef", "track index")
#: An edge: its kind (one of EDGE_KINDS) and the events that it leads from and to.
Edge = collections.namedtuple("Edge", "kind source target")
#: A device as the document lists it; numbers are -1 where they are unknown.
Device = collections.namedtuple("Device", "id name sms memory compute_major compute_minor")
#: An event without a typed form: its ordinal in the source, and all of it as JSON text.
LooseRow = collections.namedtuple("LooseRow", "seq text")
#: A step of a device; times as in tracks.
Step = collections.namedtuple("Step", "device number window_begin window_end host_begin host_end")
#: The clock of a host; error is None where nobody knows it. See IR.md, as of a Placement.
Clock = collections.namedtuple("Clock", "reference offset drift error")
#: Where a rank stands in a trace of several.
Placement = collections.namedtuple("Placement", "clock ids origin assumed stated")
#: A key of a layout: scope "event" or "args", type one of TYPES, slot None if it has no values.
Entry = collections.namedtuple("Entry", "scope key type scale quoted slot")


class Raw(str):
    """A token that is neither a string nor a number of 64 bits, as the source spelled it."""

    __slots__ = ()


class Json(str):
    """A list or an object, as JSON text in canonical spacing."""

    __slots__ = ()

    @property
    def value(self):
        """What the text says, as lists and dicts."""
        return json.loads(self)


class SourceId:
    """A pid or tid as the source spelled it: `form` is "absent", "int", "string" or "raw"."""

    __slots__ = ("form", "value")
    FORMS = ("absent", "int", "string", "raw")

    def __init__(self, form, value):
        self.form, self.value = form, value

    def __eq__(self, other):
        return isinstance(other, SourceId) and (self.form, self.value) == (other.form, other.value)

    def __hash__(self):
        return hash((self.form, self.value))

    def __repr__(self):
        return "none" if self.form == "absent" else repr(self.value)

    def order(self):
        """A key by which ids sort canonically: by form, numbers by value, texts by bytes."""
        if self.form in ("absent", "int"):
            return self.FORMS.index(self.form), self.value or 0
        return self.FORMS.index(self.form), to_bytes(self.value)


class Layout:
    """The keys that a group of events shares: `phase`, `cat` (or None) and `entries` in order."""

    __slots__ = ("phase", "cat", "entries")

    def __init__(self, phase, cat, entries):
        self.phase, self.cat, self.entries = phase, cat, entries

    def __repr__(self):
        return f"<Layout {self.phase!r} {self.cat!r} {[e.key for e in self.entries]}>"


class Recording:
    """What the recording says besides its events.

    format, producer, part: texts. vendor: one of VENDORS. origin: begin + origin is the file's own
    time in ns; base: that + base is Unix time, None if unknown. absolute, unpadded_fraction,
    integer_microseconds, external_ids_broken, partial: flags. truncated_at, source_events: counts.
    repairs, notes: dicts of counts.
    """

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"<Recording {self.producer!r} {self.vendor}>"


class Document:
    """The JSON around the events: `is_array`, and `members`, pairs of key and JSON text in order.

    The text of the member that is the list of events is None.
    """

    __slots__ = ("is_array", "members")

    def __init__(self, is_array, members):
        self.is_array, self.members = is_array, members

    def __getitem__(self, key):
        """The value of the first member with that key, parsed."""
        for name, text in self.members:
            if name == key and text is not None:
                return json.loads(text)
        raise KeyError(key)

    def keys(self):
        """The keys in order."""
        return [key for key, _ in self.members]


class FlowRow:
    """A flow event, or the end of a span of two events.

    seq: its ordinal in the source. at: its time in ns. name: text. event: the EventRef that it is
    bound to, or None. pid, tid: SourceIds. layout: number of its layout. values: those of the
    entries of its layout that have a slot, in order. is_end: its phase is E, e or F.
    """

    __slots__ = ("seq", "at", "name", "event", "pid", "tid", "layout", "values", "is_end")

    def __init__(self, *fields):
        for name, value in zip(self.__slots__, fields):
            setattr(self, name, value)

    def __repr__(self):
        return f"<FlowRow {self.name!r} at {self.at}>"


def to_text(data):
    """A text of the trace; bytes that are no UTF-8 become surrogates, as file names do."""
    return bytes(data).decode("utf-8", "surrogateescape")


def to_bytes(text):
    """The bytes of a text that `to_text` made."""
    return text.encode("utf-8", "surrogateescape")
