"""Frames, messages, columns and footers that are wrong."""

import struct

import tiny_writer as tiny
from draft import MAX_TIME, STRINGS, edit_frame, entry_of, item, pack, payload_of, set_in, simple, with_footer, wrong
from tiny_writer import column, frame

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
