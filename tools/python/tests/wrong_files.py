"""Files whose hashes fit and that are wrong all the same, one for each check of a reader."""

import copy
import ctypes
import struct

import tiny_writer as tiny
from tiny_writer import column, frame

# The frames of tiny.small by name, and how many strings it has, the empty one among them.
NAMES = "head strings rank events flows loose edges result provenance".split()
STRINGS = 21
MAX_TIME = 2**62 - 1


class Draft:
    """The parts of a small trace, to be changed and then written."""

    def __init__(self):
        self.frames = copy.deepcopy(tiny.small())
        self.options = {"ranks": copy.deepcopy(tiny.RANKS)}
        self.rewrite = lambda data: data
        for name, part in zip(NAMES, self.frames):
            setattr(self, name, part[1])

    def facts(self, name):
        """What the footer says of a frame."""
        return self.frames[NAMES.index(name)][2]

    def put(self, before, *new):
        """Add frames before one."""
        place = NAMES.index(before)
        self.frames[place:place] = [list(part) for part in new]

    def replace(self, name, payload):
        """Put bytes in the place of a message."""
        self.frames[NAMES.index(name)][1] = payload

    def swap(self, a, b):
        """Exchange two frames."""
        a, b = NAMES.index(a), NAMES.index(b)
        self.frames[a], self.frames[b] = self.frames[b], self.frames[a]

    def write(self, beside=False):
        """The bytes of the file; with a right rank beside the first, of number 4, if wanted."""
        frames, options = self.frames, dict(self.options)
        if beside:
            right = copy.deepcopy(tiny.small()[1:7])
            for part in right:
                part[1]["rank"] = 1
            right[1][1]["number"] = 4
            kinds = [part[0] for part in frames]
            behind = [n for n, k in enumerate(kinds) if k in (tiny.RESULT, tiny.PROVENANCE)]
            frames = frames[: behind[0]] + right + frames[behind[0] :]
            options["ranks"] = [*self.options.get("ranks", [{}]), {"number": 4}]
        return self.rewrite(tiny.write(frames, **options))


WRONG = {}

# What nobody looks at who reads the rank alone, through the footer: frames that it does not list,
# results, and strings that nothing uses.
NOT_OF_THE_RANK = frozenset("""
    type 0 / type 12 / two heads / end in the middle / events behind the footer
    footer lacks a chunk / no provenance / two provenances / result behind provenance
    delta of nothing / piece missing / piece too long / piece that does not follow
    middle piece of another size / piece of another size / piece of another string
    piece with lengths / strings between pieces
    result of no rank / result of rank -2 / cells missing / rows missing / rows of nothing
    kind of a cell unknown / text of a cell unknown / negative text of a cell / unit unknown
    level unknown / confidence unknown / severity unknown / evidence of no track
    evidence of no event / evidence of the trace / remark about no rank / last piece missing
    first piece missing / piece behind the last / piece of another pass / piece of another spelling
    piece about another rank / piece of another generation / piece that is stale / rows of no table
    rows of another table / rows of another title / rows of fewer columns / rows behind a table
    files of more ranks
    """.replace("\n    ", " / ").strip(" /").split(" / "))

def wrong(cause):
    """Registers a change that makes a file wrong, and a part of the message that it leads to."""

    def register(change):
        WRONG[change.__name__] = change, cause
        return change

    return register


def simple(name, cause, change):
    """The same for a change that is one expression."""
    WRONG[name] = change, cause


def edit_frame(kind, change):
    """A change of the bytes of all frames of a type."""

    def edit(draft):
        draft.options["edit_frames"] = lambda k, data: change(data) if k == kind else data

    return edit


def payload_of(data):
    """The payload of a frame."""
    return data[24 : 24 + struct.unpack_from("<Q", data, 8)[0]]


def set_in(name, **values):
    """A change of fields of a message."""
    return lambda draft: getattr(draft, name).update(values)


def with_footer(change):
    """A change of the footer."""
    return lambda draft: draft.options.update(edit_footer=change)


def entry_of(footer, name):
    """A list of the first rank of a footer."""
    return footer["ranks"][0][name]


def item(rows, index, field, value):
    """Replace a field of a tuple in a list."""
    row = list(rows[index])
    row[field] = value
    rows[index] = tuple(row)


# Frames.
simple(
    "magic",
    "magic",
    edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), magic=0x0A424888)),
)
simple(
    "hash", "hash", edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), digest=1))
)
simple(
    "long payload",
    "payload",
    edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), length=(64 << 20) + 1)),
)
simple(
    "payload beyond the file",
    "file ends",
    edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), length=1 << 20)),
)
simple(
    "flags", "flags", edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), flags=2))
)
simple(
    "no zstd",
    "unpacked",
    edit_frame(tiny.EVENTS, lambda d: frame(tiny.EVENTS, payload_of(d), flags=1)),
)
simple("padding", "padding", edit_frame(tiny.HEAD, lambda d: d[:-1] + b"\1"))
simple("type 0", "unknown type", lambda d: d.put("edges", [0, b""]))
simple("type 12", "unknown type", lambda d: d.put("edges", [12, b""]))
simple("no head", "no Head", lambda d: d.frames.pop(0))
simple("two heads", "out of place", lambda d: d.put("strings", [tiny.HEAD, {}]))
simple("no provenance", "Provenance", lambda d: d.frames.pop())
simple("two provenances", "out of place", lambda d: d.frames.append([tiny.PROVENANCE, {}]))
simple("result behind provenance", "out of place", lambda d: d.swap("result", "provenance"))
simple("events behind the footer", "out of place", lambda d: d.swap("edges", "provenance"))
simple("end in the middle", "out of place", lambda d: d.put("edges", [tiny.END, bytes(8)]))
simple("end elsewhere", "footer", lambda d: d.options.update(end=48))
simple("end beyond", "footer", lambda d: d.options.update(end=1 << 40))
simple("end not aligned", "footer", lambda d: d.options.update(end=8))
simple("bytes at the end", "End", lambda d: setattr(d, "rewrite", lambda data: data + bytes(16)))
simple("no end", "End", lambda d: setattr(d, "rewrite", lambda data: data[:-32]))
simple("cut end", "End", lambda d: setattr(d, "rewrite", lambda data: data[:-1]))
simple("empty", "file ends", lambda d: setattr(d, "rewrite", lambda data: data[:4]))


@wrong("End")
def end_of_another_size(draft):
    def rewrite(data):
        return data[:-32] + frame(tiny.END, payload_of(data[-32:]) + bytes(8))

    draft.rewrite = rewrite


# Messages.
simple("empty message", "broken", lambda d: d.replace("head", b""))
simple("root outside", "broken", lambda d: d.replace("head", struct.pack("<I", 4000) + bytes(8)))
simple("vtable outside", "broken", lambda d: d.replace("head", struct.pack("<Ii", 4, 100)))
simple("vtable of half a field", "broken", lambda d: d.replace("head", struct.pack("<IHHi", 8, 5, 4, 4)))
simple(
    "field outside",
    "broken",
    lambda d: d.replace("head", struct.pack("<IHHHHi", 12, 6, 4, 4, 0, 8)),
)


@wrong("broken")
def list_outside(draft):
    def edit(kind, data):
        if kind != tiny.STRINGS:
            return data
        payload = bytearray(payload_of(data))
        struct.pack_into("<I", payload, payload.index(b"traceEvents") - 4, 1 << 30)
        return frame(tiny.STRINGS, bytes(payload))

    draft.options["edit_frames"] = edit


# Head.
simple("version", "version", set_in("head", version=1))
simple("unknown feature", "features", set_in("head", must_understand=1 << 63))


# Columns, at the example of begin: 10, 20, 100, 200.
def begin(**fields):
    """A change of the column begin."""
    return lambda draft: draft.events["begin"].update(fields)


BYTES = {"width": 1, "sizes": [4], "data": bytes(4)}
simple("too few values", "values", begin(count=3))
simple("too many values", "values", begin(count=5))
simple("absent column", "values", lambda d: d.events.pop("begin"))
simple("unit 0", "unit", begin(unit=0))
simple("unknown encoding", "encoding", begin(encoding=5))
simple("nine planes", "planes", begin(width=9, sizes=[4] * 9, data=bytes(36)))
simple("sizes missing", "sizes", begin(width=8, sizes=[4] * 7, data=bytes(28)))
simple("sizes left", "sizes or data", begin(**{**BYTES, "sizes": [4, 4], "data": bytes(8)}))
simple("data missing", "data", begin(**{**BYTES, "data": bytes(3)}))
simple("data left", "data", begin(**{**BYTES, "data": bytes(5)}))
simple("plane no zstd", "unpacked", begin(**{**BYTES, "sizes": [9], "data": bytes(9)}))
simple("plane of no bytes", "unpacked", begin(**{**BYTES, "sizes": [0], "data": b""}))
simple("no entries", "entries", begin(**BYTES, encoding=4, entries=0))
simple("more entries than values", "entries", begin(**BYTES, encoding=4, entries=5))
simple(
    "index beyond entries",
    "index",
    begin(width=1, sizes=[4], data=b"\0\0\0\1", encoding=4, entries=1),
)
simple(
    "delta of nothing",
    "needs",
    lambda d: d.put(
        "events", [tiny.STRINGS, tiny.strings(STRINGS, [], lengths=column([], encoding=2))]
    ),
)
simple("delta of delta of one", "needs", lambda d: d.edges.update(kind=column([4], encoding=3)))


def pack(data):
    """One zstd frame."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(len(data) + 1000)
    sizes = ctypes.c_size_t(len(out)), ctypes.c_size_t(len(data))
    size = zstd.ZSTD_compress(out, sizes[0], data, sizes[1], 3)
    return out.raw[:size]


def packed_plane(data):
    """The column begin, of one plane with these stored bytes."""
    return begin(width=1, sizes=[len(data)], data=data)


# A frame that zstd passes over, of 8 bytes and none.
SKIPPED = struct.pack("<II", 0x184D2A50, 0)
simple("plane of another size", "cannot be unpacked", packed_plane(pack(bytes(9))))
simple("plane of two frames", "follows", packed_plane(pack(bytes(2)) * 2))
simple("plane with a frame to pass over", "follows", packed_plane(pack(bytes(4)) + SKIPPED))
simple("plane behind a frame to pass over", "no zstd", packed_plane(SKIPPED + pack(bytes(4))))
simple(
    "payload of two zstd frames",
    "follows",
    edit_frame(tiny.LOOSE, lambda d: frame(tiny.LOOSE, pack(payload_of(d)) + pack(b""), flags=1)),
)


simple("planes of a constant", "planes", begin(encoding=0))

# Rank.
simple("no recording", "recording", lambda d: d.rank.pop("recording"))
simple(
    "second recording",
    "recording",
    lambda d: d.put("events", [tiny.RANK, {"first_layout": 5, "first_track": 2, "recording": {}}]),
)
simple(
    "layouts that do not follow",
    "follow",
    lambda d: d.put("events", [tiny.RANK, {"first_layout": 4, "first_track": 2}]),
)
simple(
    "tracks that do not follow",
    "follow",
    lambda d: d.put("events", [tiny.RANK, {"first_layout": 5, "first_track": 1}]),
)
simple(
    "rank behind events",
    "behind",
    lambda d: d.put("flows", [tiny.RANK, {"first_layout": 5, "first_track": 2}]),
)
simple("rank 1 alone", "track", set_in("rank", rank=1))
simple("string unknown", "string", lambda d: d.rank.update(host=STRINGS))
simple("key unknown", "string", lambda d: item(d.rank["layouts"][0]["entries"], 0, 0, STRINGS))
simple("cat unknown", "string", lambda d: d.rank["layouts"][0].update(cat=STRINGS + 1))
simple("type unknown", "type", lambda d: item(d.rank["layouts"][0]["entries"], 0, 2, 15))
simple("scope unknown", "scope", lambda d: item(d.rank["layouts"][0]["entries"], 0, 1, 2))
simple(
    "derived argument", "args", lambda d: d.rank["layouts"][0]["entries"].append((1, 1, 9, 0, 0))
)
simple("scale unknown", "time", lambda d: item(d.rank["layouts"][0]["entries"], 4, 3, 4))
simple("quoted unknown", "time", lambda d: item(d.rank["layouts"][0]["entries"], 4, 4, 2))
simple("family unknown", "family", lambda d: item(d.rank["tracks"], 0, 5, 11))
simple("form of an id unknown", "form", lambda d: item(d.rank["tracks"], 0, 0, (1000, 0, 4)))
simple("id unknown", "string", lambda d: item(d.rank["tracks"], 0, 0, (0, STRINGS, 2)))
simple("name of a track unknown", "string", lambda d: item(d.rank["tracks"], 0, 4, STRINGS + 1))
simple("vendor unknown", "vendor", lambda d: d.rank["recording"].update(vendor=6))
simple("origin beyond", "origin", lambda d: d.rank["recording"].update(origin=MAX_TIME + 1))
simple("format unknown", "string", lambda d: d.rank["recording"].update(format=STRINGS))
simple("member unknown", "string", lambda d: item(d.rank["recording"]["members"], 0, 1, STRINGS))
simple("device unknown", "string", lambda d: item(d.rank["recording"]["devices"], 0, 5, STRINGS))
simple("note unknown", "string", lambda d: item(d.rank["recording"]["notes"], 0, 1, STRINGS))
simple("note twice", "twice", lambda d: d.rank["recording"]["notes"].append((1, 9)))
simple("strings behind", "string", lambda d: d.swap("strings", "rank"))
simple(
    "same key of two tracks",
    "one pid",
    lambda d: d.rank["tracks"].insert(1, d.rank["tracks"][0])
    or item(d.events["segments"], 1, 0, 2)
    or d.events.update(derived=[])
    or d.events["segments"].insert(1, (1, 1))
    or item(d.events["segments"], 0, 1, 1)
    or d.facts("events").update(tracks=(0, 2)),
)
simple(
    "track without events",
    "no events",
    lambda d: d.rank["tracks"].append((((5, 0, 1), (7, 0, 1), 5, 7, 0, 3))),
)
simple(
    "tracks out of order",
    "out of order",
    lambda d: d.rank["tracks"].reverse()
    or [item(d.events["segments"], n, 0, 1 - n) for n in (0, 1)]
)


@wrong("layouts")
def too_many_layouts(draft):
    layouts = []
    for number in range(65531):
        key, rest = divmod(number, 256 * STRINGS)
        fields = {"phase": rest % 256, "cat": rest // 256 + 1, "entries": [(key, 0, 6, 0, 0)]}
        layouts.append(fields)
    draft.put("events", [tiny.RANK, {"first_layout": 5, "first_track": 2, "layouts": layouts}])


# Strings.
simple("strings do not follow", "follow", lambda d: d.strings.update(first=2))
simple("lengths too short", "lengths", lambda d: d.strings.update(bytes=d.strings["bytes"] + b"x"))
simple("lengths too long", "lengths", lambda d: d.strings.update(bytes=d.strings["bytes"][:-1]))
simple("negative length", "lengths", lambda d: d.strings.update(lengths=column([-1] + [8] * 19)))
simple(
    "too many strings",
    "values",
    lambda d: d.put("rank", [tiny.STRINGS, tiny.strings(STRINGS, [""] * 4097)]),
)


def pieces(*parts):
    """A change that adds pieces of a string, (offset, total, bytes, first)."""

    def change(draft):
        frames = [
            [tiny.STRINGS, {"rank": 0, "first": f, "bytes": b, "offset": o, "total": t}]
            for o, t, b, f in parts
        ]
        draft.put("events", *frames)

    return change


simple("piece missing", "piece", pieces((0, 4, b"ab", STRINGS)))
simple("piece too long", "piece", pieces((0, 4, b"ab", STRINGS), (2, 4, b"abc", STRINGS)))
simple("piece that does not follow", "piece", pieces((0, 4, b"ab", STRINGS), (3, 4, b"b", STRINGS)))
simple(
    "middle piece of another size",
    "piece",
    pieces((0, 4, b"a", STRINGS), (1, 5, b"b", STRINGS), (2, 4, b"cd", STRINGS)),
)
simple("piece of another size", "piece", pieces((0, 4, b"ab", STRINGS), (2, 5, b"ab", STRINGS)))
simple(
    "piece of another string", "follow", pieces((0, 4, b"ab", STRINGS), (2, 4, b"ab", STRINGS + 1))
)
simple(
    "piece with lengths",
    "piece",
    lambda d: d.put("events", [tiny.STRINGS, tiny.strings(STRINGS, ["ab"], total=2)]),
)
simple(
    "strings between pieces",
    "piece",
    lambda d: d.put(
        "events",
        [tiny.STRINGS, {"rank": 0, "first": STRINGS, "bytes": b"a", "total": 2}],
        [tiny.STRINGS, tiny.strings(STRINGS, ["x"])],
    ),
)
simple(
    "strings behind edges",
    "behind",
    lambda d: d.put("result", [tiny.STRINGS, tiny.strings(STRINGS, ["x"])]),
)

# Events.
simple("segment of no track", "track", lambda d: item(d.events["segments"], 1, 0, 2))
simple("segment of no rows", "no rows", lambda d: d.events["segments"].append((1, 0)))
simple("segment of too many rows", "rows", lambda d: item(d.events["segments"], 1, 1, 65535))
simple("shape unknown", "shape", lambda d: d.events.update(shape=column([0, 3, 1, 1])))
simple("layout unknown", "layout", lambda d: item(d.events["shapes"], 0, 0, 5))
simple(
    "layout of no row unknown", "layout", lambda d: d.events["shapes"].append((5, 0))
)
simple("kind unknown", "kind", lambda d: item(d.events["shapes"], 0, 1, 17))
simple(
    "begin beyond",
    "begin",
    lambda d: d.events.update(begin=column([-MAX_TIME - 1, 20, 100, 200]))
    or d.facts("events").update(times=(-MAX_TIME - 1, 260)),
)
simple(
    "end beyond",
    "duration",
    lambda d: d.events.update(duration=column([5, MAX_TIME, 50, 60]))
    or d.facts("events").update(times=(10, MAX_TIME + 20)),
)
simple("negative duration", "duration", lambda d: d.events.update(duration=column([5, -1, 50, 60])))
simple("name unknown", "name", lambda d: d.events.update(name=column([0, 0, 0, STRINGS])))
simple("negative name", "name", lambda d: d.events.update(name=column([0, 0, 0, -1])))
simple("ordinal beyond", "seq", lambda d: d.events.update(seq=column([0, 1, 2, 2**32 - 16])))
simple("ordinal twice", "ordinal", lambda d: d.events.update(seq=column([0, 1, 2, 1])))
simple(
    "ordinal of a flow row twice", "ordinal", lambda d: d.events.update(seq=column([5, 1, 2, 3]))
)
simple(
    "ordinal of a loose row twice", "ordinal", lambda d: d.events.update(seq=column([6, 1, 2, 3]))
)
simple("launched of threads", "launched", lambda d: d.events.update(launched=column([1, 0, 0, 0])))
simple("launched is 2", "launched", lambda d: d.events.update(launched=column([2, 0])))
simple(
    "out of order",
    "out of order",
    lambda d: d.events.update(begin=column([20, 10, 100, 200]))
    or d.facts("events").update(times=(10, 260)),
)
simple("longer second", "out of order", lambda d: d.events.update(begin=column([10, 10, 100, 200])))
simple(
    "ordinals out of order",
    "out of order",
    lambda d: d.events.update(
        seq=column([1, 0, 2, 3]),
        begin=column([10, 10, 100, 200]),
        duration=column([70, 70, 50, 60]),
    ),
)

simple(
    "events of no rows",
    "no rows",
    lambda d: d.put("flows", [tiny.EVENTS, {"rank": 0}, {"rows": 0}]),
)
simple(
    "flow rows of no rows",
    "no rows",
    lambda d: d.put("loose", [tiny.FLOWS, {"rank": 0}, {"rows": 0}]),
)
simple(
    "loose rows of no rows",
    "no rows",
    lambda d: d.put("edges", [tiny.LOOSE, {"rank": 0}, {"rows": 0}]),
)
simple(
    "edges of no rows", "no rows", lambda d: d.put("result", [tiny.EDGES, {"rank": 0}, {"rows": 0}])
)

# Attributes.
simple("slot missing", "slot", lambda d: d.events["attributes"].pop(1))
simple("slots out of order", "slot", lambda d: d.events["attributes"].reverse())
simple("slot that no row has", "attributes", lambda d: d.events["attributes"].append(column([], 5)))
simple("digits missing", "slot", lambda d: d.events["attributes"].pop(3))
simple(
    "digits of an integer",
    "slot",
    lambda d: d.events["attributes"].insert(1, column([1, 1, 1], 0, 1)),
)
simple(
    "values of a slot missing",
    "values",
    lambda d: d.events["attributes"].__setitem__(0, column([11, 11], 0)),
)
simple(
    "too many digits",
    "digits",
    lambda d: d.events["attributes"].__setitem__(3, column([2, 19], 2, 1)),
)
simple(
    "negative digits",
    "digits",
    lambda d: d.events["attributes"].__setitem__(3, column([2, -1], 2, 1)),
)
simple(
    "string of an attribute unknown",
    "slot",
    lambda d: d.events["attributes"].__setitem__(1, column([0, STRINGS], 1)),
)
simple("bool is 2", "slot", lambda d: d.events["attributes"].__setitem__(5, column([2], 4)))

# Derived columns.
simple("derived of no segment", "segment", lambda d: d.events["derived"][0].update(segment=2))
simple("derived too short", "values", lambda d: d.events["derived"][0].update(values=column([1])))
simple("derived twice", "twice", lambda d: d.events["derived"].append(d.events["derived"][0]))
simple(
    "derived text unknown",
    "derived",
    lambda d: d.events["derived"][1].update(values=column([0, STRINGS + 1])),
)
simple("name of derived unknown", "string", lambda d: d.events["derived"][0].update(name=STRINGS))


@wrong("derived columns")
def derived_of_one_segment(draft):
    draft.events["segments"] = [(0, 1), (0, 1), (1, 2)]
    draft.events["derived"] = [{"segment": 0, "name": 1, "values": column([4])}]


# Flow rows.
simple("flow shape unknown", "shape", lambda d: d.flows.update(shape=column([0, 2])))
simple("kind of a flow row", "kind", lambda d: item(d.flows["shapes"], 0, 1, 1))
simple(
    "flow rows do not rise",
    "rise",
    lambda d: d.flows.update(seq=column([5, 4]), anchor=column([4, 2])),
)
simple("flow rows of one ordinal", "rise", lambda d: d.flows.update(seq=column([4, 4])))
simple("bound to nothing", "ordinal", lambda d: d.flows.update(anchor=column([3, -5])))
simple("bound to a flow row", "ordinal", lambda d: d.flows.update(anchor=column([3, 1])))
simple("bound to a loose row", "ordinal", lambda d: d.flows.update(anchor=column([3, -1])))
simple("flow name unknown", "name", lambda d: d.flows.update(name=column([0, STRINGS])))
simple("lane unknown", "lane", lambda d: d.flows.update(lane=column([0, 2])))
simple(
    "id of a lane unknown", "string", lambda d: d.flows.update(lanes=[((0, STRINGS, 3), (0, 0, 0))])
)
simple(
    "time of a flow row beyond",
    "at",
    lambda d: d.flows.update(at=column([70, MAX_TIME]), max_time=MAX_TIME + 100)
    or d.facts("flows").update(times=(90, MAX_TIME + 100)),
)
simple(
    "neither event nor lane",
    "lane",
    lambda d: d.flows.update(
        anchor=column([3, 0]), at=column([70, 95]), lane=column([0, 0]), max_time=95
    )
    or d.facts("flows").update(times=(90, 95)),
)
simple(
    "end of nothing",
    "bound to none",
    lambda d: d.flows.update(anchor=column([0, 3]), at=column([90, 0]), lane=column([1, 1])),
)
simple(
    "end of another phase",
    "phase",
    lambda d: d.flows.update(anchor=column([4, 3]), at=column([80, 0])),
)
simple(
    "second end",
    "two ends",
    lambda d: d.flows.update(shape=column([0, 0]), anchor=column([3, 4]), at=column([70, 80])),
)

simple("times of edges", "times", lambda d: d.facts("edges").update(times=(20, 199)))

# Loose rows and edges.
simple(
    "loose rows do not rise",
    "rise",
    lambda d: d.loose.update(seq=column([8, 7]), text=column([1, 1]))
    or d.facts("loose").update(rows=2),
)
simple("loose text unknown", "text", lambda d: d.loose.update(text=column([STRINGS])))
simple("kind of an edge unknown", "kind", lambda d: d.edges.update(kind=column([5])))
simple(
    "edge from nowhere",
    "ordinal",
    lambda d: d.edges.update({"from": column([7]), "to": column([-4])}),
)
simple("edge to nowhere", "ordinal", lambda d: d.edges.update(to=column([7])))
simple("edge to a flow row", "ordinal", lambda d: d.edges.update(to=column([3])))
simple(
    "launch from a stream",
    "launch",
    lambda d: d.edges.update({"kind": column([0]), "from": column([2]), "to": column([1])}),
)
simple(
    "launch to a thread",
    "launch",
    lambda d: d.edges.update({"kind": column([0]), "from": column([0]), "to": column([1])}),
)
simple(
    "edge twice",
    "twice",
    lambda d: d.edges.update({"kind": column([4, 4]), "from": column([1, 1]), "to": column([2, 2])})
    or d.facts("edges").update(rows=2),
)
simple(
    "launch stored and derived",
    "twice",
    lambda d: d.edges.update({"kind": column([0]), "from": column([0]), "to": column([2])})
    or d.facts("edges").update(times=(10, 100)),
)
simple("launched by no call", "no call", lambda d: d.events.update(launched=column([1, 1])))
simple(
    "launched without correlation",
    "correlation",
    lambda d: d.events["attributes"].__setitem__(0, column([0, 0, 12], 0)),
)
simple(
    "launched by two calls",
    "several",
    lambda d: item(d.events["shapes"], 2, 1, 3)
    or item(d.events["shapes"], 2, 0, 0)
    or d.flows.update(shape=column([1, 1]))
    or d.events.update(
        attributes=[column([11, 11, 11, 12], 0), column([0, 1], 1)] + d.events["attributes"][2:5]
    ),
)
simple("flow rows behind loose rows", "behind", lambda d: d.swap("flows", "loose"))
simple("edges before events", "behind", lambda d: d.swap("events", "edges"))

# Footer.
simple("footer lacks a rank", "rank", with_footer(lambda f: f["ranks"].pop()))
simple("footer has one more rank", "rank", with_footer(lambda f: f["ranks"].append({})))
simple("footer lacks a head", "list", with_footer(lambda f: entry_of(f, "heads").pop()))
simple("footer lacks strings", "list", with_footer(lambda f: entry_of(f, "strings").pop()))
simple("footer lacks a chunk", "list", with_footer(lambda f: entry_of(f, "chunks").pop()))
simple(
    "footer lists a head twice",
    "out of order",
    with_footer(lambda f: entry_of(f, "heads").append(entry_of(f, "heads")[-1])),
)
simple(
    "footer lists strings twice",
    "out of order",
    with_footer(lambda f: entry_of(f, "strings").append(entry_of(f, "strings")[-1])),
)
simple(
    "footer lists rows out of order",
    "out of order",
    with_footer(lambda f: entry_of(f, "chunks").insert(0, entry_of(f, "chunks").pop())),
)
simple(
    "footer lists twice",
    "out of order",
    with_footer(lambda f: entry_of(f, "chunks").append(entry_of(f, "chunks")[-1])),
)
simple("footer lists elsewhere", "list", with_footer(lambda f: item(entry_of(f, "heads"), 0, 0, 0)))
simple(
    "footer lists beyond", "list", with_footer(lambda f: item(entry_of(f, "heads"), 0, 0, 1 << 40))
)
simple("footer lists unaligned", "list", with_footer(lambda f: item(entry_of(f, "heads"), 0, 0, 8)))
simple(
    "footer has other bytes",
    "another frame",
    with_footer(lambda f: item(entry_of(f, "heads"), 0, 1, 48)),
)
simple(
    "footer has another type", "list", with_footer(lambda f: item(entry_of(f, "chunks"), 0, 6, 5))
)
simple(
    "footer has no type of rows",
    "list",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 6, 3)),
)
simple(
    "footer has other rows",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 3, 3)),
)
simple(
    "footer has another begin",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 1, 9)),
)
simple(
    "footer has another end",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 2, 261)),
)
simple(
    "footer has another track",
    "footer lists",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 5, 0)),
)
simple(
    "footer has more tracks",
    "footer lists",
    with_footer(lambda f: item(entry_of(f, "chunks"), 0, 5, 2**32 - 1)),
)
simple(
    "footer has another begin of flow rows",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 1, 1, 91)),
)
simple(
    "footer has other loose rows",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 2, 3, 2)),
)
simple(
    "footer has a time of loose rows",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 2, 2, 1)),
)
simple(
    "footer has other edges",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "chunks"), 3, 3, 2)),
)
simple("footer has a cycle", "cycle", with_footer(lambda f: f["ranks"][0].update(cycle=1)))
simple(
    "footer has other strings",
    "follow",
    with_footer(lambda f: item(entry_of(f, "strings"), 0, 1, 2)),
)
simple(
    "footer counts other strings",
    "footer counts",
    with_footer(lambda f: item(entry_of(f, "strings"), 0, 2, 19)),
)
simple("footer has another number", "number", with_footer(lambda f: f["ranks"][0].update(number=4)))
simple("footer lacks the number", "number", with_footer(lambda f: f["ranks"][0].pop("number")))
simple(
    "times of flow rows",
    "times",
    lambda d: d.flows.update(min_time=89) or d.facts("flows").update(times=(89, 100)),
)
simple(
    "placed by no clock",
    "clock",
    with_footer(lambda f: f["ranks"][0].update(placement={"clock": 0})),
)
simple(
    "placed at no time",
    "placed",
    with_footer(
        lambda f: f.update(clocks=[(0, 0, 0, 0, 0)])
        or f["ranks"][0].update(placement={"origin": MAX_TIME + 1})
    ),
)
simple(
    "clock beyond", "clock", with_footer(lambda f: f.update(clocks=[(0, MAX_TIME + 1, 0, 0, 0)]))
)
simple(
    "clock that stands still",
    "clock",
    with_footer(lambda f: f.update(clocks=[(0, 0, -(10**9), 0, 0)])),
)
simple("clock of no form", "clock", with_footer(lambda f: f.update(clocks=[(0, 0, 0, 0, 2)])))
simple(
    "clock with a negative error",
    "clock",
    with_footer(lambda f: f.update(clocks=[(0, 0, 0, -1, 1)])),
)

# Results.


def table_of(draft):
    """The table of the result."""
    return draft.result["tables"][0]


simple("result of no rank", "rank", lambda d: d.result.update(rank=1))
simple("result of rank -2", "rank", lambda d: d.result.update(rank=-2))
simple("cells missing", "cells", lambda d: table_of(d)["cells"].pop())
simple("rows missing", "cells", lambda d: table_of(d).update(rows=3))
simple(
    "rows of nothing", "unpacks", lambda d: table_of(d).update(rows=2**32 - 1, columns=[], cells=[])
)
simple("kind of a cell unknown", "cell", lambda d: item(table_of(d)["cells"], 0, 1, 4))
simple("text of a cell unknown", "cell", lambda d: item(table_of(d)["cells"], 1, 0, 1))
simple("negative text of a cell", "cell", lambda d: item(table_of(d)["cells"], 1, 0, -1))
simple("unit unknown", "unit of", lambda d: table_of(d)["columns"][0].update(unit=5))
simple("level unknown", "level", lambda d: d.result["remarks"][0].update(level=3))
simple("confidence unknown", "confidence", lambda d: d.result["remarks"][0].update(confidence=3))
simple("severity unknown", "severity", lambda d: d.result["statistics"][0].update(severity=2))
simple(
    "evidence of no track", "evidence", lambda d: d.result["remarks"][0].update(evidence=[(2, 0)])
)
simple(
    "evidence of no event", "evidence", lambda d: d.result["remarks"][0].update(evidence=[(1, 2)])
)
simple(
    "evidence of the trace",
    "evidence",
    lambda d: d.result.update(rank=-1) or d.result["remarks"][0].pop("rank"),
)
simple("remark about no rank", "rank", lambda d: d.result["remarks"][0].update(rank=1))


def piece_before(**fields):
    """A change that puts a piece before the result, which becomes piece 1; `fields` are those of
    the piece that are not as they should be."""

    def change(draft):
        first = copy.deepcopy({**draft.result, "more": True, **fields})
        draft.result.update(piece=1)
        draft.put("result", [tiny.RESULT, first])

    return change


def continued(**fields):
    """The same, of which the table goes on and has other fields."""

    def change(draft):
        piece_before()(draft)
        table_of(draft).update(continues=True, **fields)

    return change


simple("last piece missing", "last piece", set_in("result", more=True))
simple("first piece missing", "piece 1", set_in("result", piece=1))
simple("piece behind the last", "piece 1", piece_before(more=False))
simple("piece of another pass", "another result", piece_before(name={"bytes": b"q"}))
simple("piece of another spelling", "another result", piece_before(**{"pass": {"bytes": b"q"}}))
simple("piece about another rank", "another result", piece_before(rank=-1, remarks=[]))
simple("piece of another generation", "another result", piece_before(generation=1))
simple("piece that is stale", "another result", piece_before(stale=True))
simple("rows of no table", "continue", lambda d: table_of(d).update(continues=True))
simple("rows of another table", "continue", continued(id={"bytes": b"u"}))
simple("rows of another title", "continue", continued(title={"bytes": b"u"}))
simple("rows of fewer columns", "continue", continued(columns=[], cells=[], rows=0))
simple(
    "rows behind a table",
    "continue",
    lambda d: piece_before()(d)
    or d.result["tables"].append({**table_of(d), "continues": True}),
)
simple(
    "files of more ranks",
    "files",
    lambda d: d.provenance["sources"].append(d.provenance["sources"][0]),
)


def drafts(beside=False):
    """(name, bytes, part of the message) of each wrong file; with a right rank beside."""
    for name, (change, cause) in WRONG.items():
        draft = Draft()
        change(draft)
        yield name, draft.write(beside), cause
