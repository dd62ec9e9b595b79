"""Writes `.hb` files from dicts, right or wrong ones, for tests. It compresses nothing, and checks
nothing: what a message says is the caller's affair; only hashes and places are made to fit."""

import struct

from heddle_trace.codecs import xxh3
from heddle_trace.frames import ALIGN, HEADER, MAGIC
from heddle_trace.schema import SCALARS, STRUCT_TYPES, TABLE_FIELDS

HEAD, RANK, STRINGS, EVENTS, FLOWS, LOOSE, EDGES, FOOTER, RESULT, PROVENANCE, END = range(1, 12)
NAMES = "Head Rank Strings Events Flows Loose Edges Footer Result Provenance".split()


class _Message:
    """A FlatBuffers message; what is referred to stands behind what refers to it."""

    def __init__(self, name, values):
        self.out = bytearray(8)
        struct.pack_into("<I", self.out, 0, self.table(name, values))

    def _align(self, past=0):
        self.out += bytes(-(len(self.out) + past) % 8)

    def table(self, name, values):
        """Write a table; returns its position."""
        fields = TABLE_FIELDS[name]
        unknown = set(values) - {f.name for f in fields} - {"_entry"}
        assert not unknown, unknown
        given = [
            (n, f, values[f.name]) for n, f in enumerate(fields) if values.get(f.name) is not None
        ]
        places, size = [0] * len(fields), 4
        for number, field, _ in given:
            width = (
                struct.calcsize("<" + SCALARS.get(field.of, "I")) if field.kind == "scalar" else 4
            )
            places[number] = -(-size // width) * width
            size = places[number] + width
        vtable = struct.pack(f"<{len(fields) + 2}H", 4 + 2 * len(fields), size, *places)
        self._align(len(vtable))
        begin = len(self.out)
        self.out += vtable
        table = len(self.out)
        self.out += struct.pack("<i", table - begin) + bytes(size - 4)
        for number, field, value in given:
            place = table + places[number]
            if field.kind == "scalar":
                struct.pack_into("<" + SCALARS[field.of], self.out, place, value)
            elif field.kind == "table":
                struct.pack_into("<I", self.out, place, self.table(field.of, value) - place)
            else:
                struct.pack_into("<I", self.out, place, self._vector(field, value) - place)
        return table

    def _vector(self, field, values):
        self._align(4)
        begin = len(self.out)
        self.out += struct.pack("<I", len(values))
        if field.kind == "structs":
            codec = STRUCT_TYPES[field.of].codec
            for value in values:
                self.out += codec.pack(*_flat(value))
        elif field.kind == "tables":
            self.out += bytes(4 * len(values))
            places = {}  # one dict in several places is one table
            for number, value in enumerate(values):
                place = begin + 4 + 4 * number
                if id(value) not in places:
                    places[id(value)] = self.table(field.of, value)
                struct.pack_into("<I", self.out, place, places[id(value)] - place)
        else:
            self.out += struct.pack(f"<{len(values)}{SCALARS[field.of]}", *values)
        return begin


def _flat(value):
    """The scalars of nested tuples in order."""
    for part in value:
        if isinstance(part, tuple):
            yield from _flat(part)
        else:
            yield part


def message(name, values):
    """The bytes of a message."""
    return bytes(_Message(name, values).out)


def frame(kind, payload, flags=0, **wrong):
    """A frame; `wrong` replaces magic, length, digest or padding."""
    length = wrong.get("length", len(payload))
    head = struct.pack("<IHHQ", wrong.get("magic", MAGIC), kind, flags, length)
    digest = wrong.get("digest", xxh3(head + payload))
    padding = bytes(-(HEADER.size + len(payload)) % ALIGN)
    return head + struct.pack("<Q", digest) + payload + wrong.get("padding", padding)


def column(values, slot=0, part=0, **more):
    """A column, Plain with all eight planes as they are; `more` replaces its fields."""
    least = min(values, default=0)
    numbers = b"".join(((v - least) % 2**64).to_bytes(8, "little") for v in values)
    fields = {
        "slot": slot,
        "part": part,
        "encoding": 1,
        "count": len(values),
        "first": least,
        "width": 8,
        "sizes": [len(values)] * 8,
        "data": b"".join(numbers[plane::8] for plane in range(8)),
    }
    if not values:
        fields.update(width=0, sizes=[], data=b"")
    return {**fields, **more}


def strings(first, texts, **more):
    """A Strings message."""
    texts = [t.encode() for t in texts]
    lengths = column([len(t) for t in texts])
    return {"rank": 0, "first": first, "lengths": lengths, "bytes": b"".join(texts), **more}


def write(frames, canonical=True, edit_footer=None, edit_frames=None, end=None, ranks=None):
    """A file from [kind, message as dict or bytes, facts for the footer] in order.

    The footer stands before the first Result or Provenance. `edit_footer(footer)` changes its dict,
    `edit_frames(kind, frame's bytes)` a frame's bytes; `end` is what the End frame says.
    """
    out, entries = bytearray(), {}

    def put(kind, payload):
        whole = frame(kind, payload)
        if edit_frames:
            whole = edit_frames(kind, whole)
        out.extend(whole)
        return len(out) - len(whole), len(whole)

    def put_footer():
        number = max(entries, default=-1) + 1
        footer = {"canonical": canonical, "ranks": [entries[n] for n in range(number)]}
        for n, more in enumerate(ranks or []):
            footer["ranks"][n].update(more)
        if edit_footer:
            edit_footer(footer)
        return put(FOOTER, message("Footer", footer))[0]

    footer = None
    for kind, values, *facts in frames:
        if footer is None and kind in (RESULT, PROVENANCE):
            footer = put_footer()
        payload = values if isinstance(values, bytes) else message(NAMES[kind - 1], values)
        place = put(kind, payload)
        if not RANK <= kind <= EDGES or isinstance(values, bytes):
            continue
        lists = {"heads": [], "strings": [], "chunks": [], "steps": []}
        entry = entries.setdefault(values.get("rank", 0), lists)
        fact = facts[0] if facts else {}
        if kind == RANK:
            entry["heads"].append(place)
        elif kind == STRINGS:
            count = values["lengths"]["count"] if values.get("lengths") else 1
            entry["strings"].append((place, values["first"], fact.get("count", count)))
        else:
            times, tracks = fact.get("times", (0, 0)), fact.get("tracks", (0, 0))
            entry["chunks"].append((place, *times, fact["rows"], *tracks, kind))
    if footer is None:
        footer = put_footer()
    put(END, struct.pack("<Q", footer if end is None else end))
    return bytes(out)


def small():
    """A small trace in which everything occurs, as the frames that `write` takes."""
    texts = ["traceEvents", "ac2g", "correlation", "name", "gemm", "launch", "bytes", "0.5", "note"]
    texts += [
        "[1, 2]",
        "ph",
        "ts",
        "dur",
        "pid",
        "tid",
        "cat",
        "args",
        "ratio",
        '{"ph": "M"}',
        "ok",
    ]
    of = {text: number for number, text in enumerate(texts, 1)}
    of[""] = 0

    def layout(phase, cat, event_keys, args=()):
        types = {
            "ph": 7,
            "cat": 8,
            "name": 9,
            "pid": 10,
            "tid": 11,
            "ts": 12,
            "dur": 13,
            "args": 14,
        }
        entries = []
        for key in event_keys:
            kind = types.get(key, 0)
            entries.append((of[key], 0, kind, 3 if kind in (12, 13) else 0, 0))
        entries += [(of[key], 1, kind, 0, 0) for key, kind in args]
        return {"phase": ord(phase), "cat": of[cat] + 1 if cat else 0, "entries": entries}

    usual = ["ph", "name", "pid", "tid", "ts", "dur", "args"]
    layouts = [
        layout("X", None, usual, [("correlation", 0)]),
        layout("X", None, usual, [("correlation", 0), ("bytes", 2), ("ratio", 1), ("note", 4)]),
        layout("B", None, ["ph", "name", "pid", "tid", "ts", "args"], [("ok", 3), ("note", 6)]),
        layout("E", None, ["ph", "pid", "tid", "ts"]),
        layout("s", "ac2g", ["ph", "cat", "name", "pid", "tid", "ts"]),
    ]
    rank = {
        "rank": 0,
        "number": 3,
        "host": of["name"],
        "recording": {
            "format": of["note"],
            "origin": 17,
            "base": 5,
            "vendor": 1,
            "members": [(of["traceEvents"], 0), (of["name"], of["0.5"])],
            "devices": [(0, 132, -1, -1, -1, of["gemm"])],
            "notes": [(2, of["note"])],
            "source_events": 6,
        },
        "layouts": layouts,
        "tracks": [
            ((1000, 0, 1), (101, 0, 1), -1, -1, of["name"] + 1, 0),
            ((0, 0, 1), (7, 0, 1), 0, 7, 0, 3),
        ],
    }
    events = {
        "rank": 0,
        "segments": [(0, 2), (1, 2)],
        "shapes": [(0, 2), (1, 4), (2, 16)],
        "shape": column([0, 2, 1, 1]),
        "begin": column([10, 20, 100, 200]),
        "duration": column([5, 70, 50, 60]),
        "name": column([of["launch"], of["name"], of["gemm"], of["gemm"]]),
        "seq": column([0, 1, 2, 3]),
        "launched": column([1, 0]),
        "attributes": [
            column([11, 11, 12], 0),
            column([of["ok"], of["bytes"]], 1),
            column([50, -5], 2),
            column([2, 1], 2, 1),
            column([of["[1, 2]"]] * 2, 3),
            column([1], 4),
        ],
        "derived": [
            {"segment": 0, "name": of["ratio"], "values": column([-(2**63), 4])},
            {
                "segment": 1,
                "name": of["note"],
                "is_text": True,
                "values": column([0, of["ok"] + 1]),
            },
        ],
    }
    flows = {
        "rank": 0,
        "min_time": 90,
        "max_time": 100,
        "shapes": [(3, 0), (4, 0)],
        "shape": column([0, 1]),
        "seq": column([4, 5]),
        "anchor": column([3, 3]),
        "at": column([70, 0]),
        "name": column([0, of["ac2g"]]),
        "lanes": [((1000, 0, 1), (0, of["name"], 2))],
        "lane": column([0, 1]),
    }
    result = {
        "pass": {"bytes": b"p<a=1>"},
        "name": {"bytes": b"p"},
        "rank": 0,
        "tables": [
            {
                "id": {"bytes": b"t"},
                "columns": [
                    {"key": {"bytes": b"k"}, "unit": 1},
                    {"key": {"bytes": b"s"}, "is_text": True},
                ],
                "cells": [(5, 1), (0, 3), (0x3FF8000000000000, 2), (0, 0)],
                "rows": 2,
                "texts": [{"bytes": b"cause"}],
            }
        ],
        "remarks": [
            {
                "id": {"bytes": b"r"},
                "level": 1,
                "message": {"bytes": b"m"},
                "rank": 0,
                "evidence": [(1, 1)],
                "args": [{"key": {"bytes": b"a"}, "value": {"bytes": b"b"}}],
                "confidence": 2,
            }
        ],
        "statistics": [{"name": {"bytes": b"n"}, "value": 7, "severity": 1}],
        "abstained": [{"reason": {"bytes": b"why"}}],
    }
    return [
        [HEAD, {"version": 0}],
        [STRINGS, strings(1, texts)],
        [RANK, rank],
        [EVENTS, events, {"rows": 4, "times": (10, 260), "tracks": (0, 1)}],
        [FLOWS, flows, {"rows": 2, "times": (90, 100)}],
        [LOOSE, {"rank": 0, "seq": column([6]), "text": column([of['{"ph": "M"}']])}, {"rows": 1}],
        [
            EDGES,
            {"rank": 0, "kind": column([4]), "from": column([1]), "to": column([2])},
            {"rows": 1, "times": (20, 200)},
        ],
        [RESULT, result],
        [
            PROVENANCE,
            {"tool": {"bytes": b"tiny"}, "sources": [{"path": {"bytes": b"x"}, "bytes": 9}]},
        ],
    ]


RANKS = [{"number": 3}]
