"""Files that are unlike what Heddle's writer writes, and right all the same."""

import gzip
import struct

import tiny_writer as tiny
from tiny_writer import column, frame
from draft import STRINGS, Draft, item, pack, payload_of

RIGHT = {}


def right(change):
    """Registers a change after which a file is still right."""
    RIGHT[change.__name__] = change
    return change


@right
def as_it_is(_):
    pass


@right
def in_gzip(draft):
    draft.rewrite = gzip.compress


@right
def compressed_payloads(draft):
    def edit(kind, data):
        return data if kind == tiny.END else frame(kind, pack(payload_of(data)), flags=1)

    draft.options["edit_frames"] = edit


@right
def frames_of_unknown_types(draft):
    for name in ("strings", "events", "edges", "result", "provenance"):
        draft.put(name, [0x8000, b"any"]) if name != "result" else None
    draft.frames.append([0xFFFF, b""])


@right
def unknown_fields(draft):
    """Three fields more at the end of a table: its vtable is longer than anybody knows."""
    draft.replace("head", struct.pack("<I7HxxiiHxx", 20, 14, 12, 8, 0, 0, 4, 4, 16, 7, 0))


@right
def vtable_of_no_size(draft):
    draft.replace("head", struct.pack("<IHHi", 8, 2, 4, 4))


@right
def no_ranks(draft):
    del draft.frames[1:8]
    draft.provenance.pop("sources")
    draft.options.clear()


@right
def result_in_pieces(draft):
    """Its table goes on, and then comes another of the same columns that does not."""
    whole = [tiny.RESULT, {**draft.result, "statistics": [], "more": True}]
    rows = {**draft.result["tables"][0], "continues": True}
    middle = {**draft.result, "tables": [rows, {**rows, "continues": False}], "piece": 1}
    draft.result.update(tables=[rows], remarks=[], piece=2)
    draft.put("result", whole, [0x8000, b"any"], [tiny.RESULT, {**middle, "more": True}])


@right
def table_without_columns(draft):
    draft.result["tables"][0].update(columns=[], cells=[])


@right
def not_canonical(draft):
    draft.options["canonical"] = False
    draft.rank["tracks"].reverse()
    for number in (0, 1):
        item(draft.events["segments"], number, 0, 1 - number)
    draft.facts("events").update(times=(20, 260))
    draft.events["begin"] = column([20, 20, 200, 100])
    draft.events["duration"] = column([5, 70, 60, 50])
    draft.flows.update(anchor=column([3, 2]), at=column([70, 0]))
    draft.facts("edges").update(times=(20, 100))


@right
def two_ranks_mixed(draft):
    other = Draft()
    for part in other.frames[1:7]:
        part[1]["rank"] = 1
    other.rank.pop("number")
    other.rank["cycle"] = -1
    pairs = zip(draft.frames[1:7], other.frames[1:7])
    draft.frames[1:7] = [part for pair in pairs for part in pair]
    draft.options["ranks"] = [*tiny.RANKS, {"cycle": -1}]


@right
def merged(draft):
    clocks = [(0, 0, 0, 0, 0), (5, -7, 9, 0, 1)]
    place = {"clock": 1, "ids": 2, "origin": -4, "assumed": True, "stated": 0}
    draft.options["edit_footer"] = lambda f: (
        f.update(clocks=clocks),
        f["ranks"][0].update(placement=place),
    )


@right
def pieces_of_a_string(draft):
    """Short ones; the rank's name is made of them."""
    pieces = []
    for offset, part in ((0, b"ab"), (2, b"\xff"), (3, b"cd")):
        values = {"rank": 0, "first": STRINGS, "bytes": part, "offset": offset, "total": 5}
        pieces.append([tiny.STRINGS, values])
    draft.put("rank", *pieces)
    draft.rank["host"] = STRINGS


@right
def a_string_twice(draft):
    """Two numbers of one text."""
    draft.put("rank", [tiny.STRINGS, tiny.strings(STRINGS, ["gemm", ""])])
    draft.events["name"] = column([6, 4, STRINGS, 5])
    draft.rank["host"] = STRINGS + 1


@right
def a_key_twice(draft):
    """Two numbers of one key, which has one slot."""
    draft.put("rank", [tiny.STRINGS, tiny.strings(STRINGS, ["correlation"])])
    item(draft.rank["layouts"][1]["entries"], 7, 0, STRINGS)


@right
def evidence_in_the_rank_of_the_result(draft):
    draft.result["remarks"][0].pop("rank")


@right
def constant(draft):
    names = {"encoding": 0, "count": 4, "first": 5, "width": 0, "sizes": [], "data": b""}
    draft.events["name"] = names


@right
def widths_of_three_bytes(draft):
    planes = b"\0\x0a\x5a\xbe" + bytes(8)
    draft.events["begin"].update(width=3, sizes=[4, 1, 4], data=planes[:4] + b"\0" + planes[8:])


@right
def delta_in_units(draft):
    """10, 20, 100, 200 by steps of 10, 80, 100."""
    fields = {"encoding": 2, "count": 4, "first": 10, "unit": 10, "width": 1}
    draft.events["begin"] = {**fields, "sizes": [3], "data": bytes([2, 16, 20])}


@right
def delta_of_delta(draft):
    """10, 20, 100, 200 by changes of the step of 70 and 20."""
    fields = {"encoding": 3, "count": 4, "first": 10, "second": 10, "width": 1}
    draft.events["begin"] = {**fields, "sizes": [2], "data": bytes([140, 40])}


@right
def dictionary(draft):
    """20, 10, 10, 20 of 10, 20; durations."""
    fields = {"encoding": 4, "count": 4, "first": 10, "entries": 2, "entry_width": 1, "width": 1}
    draft.events["duration"] = {**fields, "sizes": [1, 4], "data": bytes([10, 1, 0, 0, 1])}
    draft.facts("events").update(times=(10, 220))
    draft.flows.update(max_time=100)


@right
def wraps_around(draft):
    """Sums beyond 64 bits come back."""
    fields = {"encoding": 2, "count": 4, "first": 10, "unit": 2**64 - 10, "width": 1}
    draft.events["begin"] = {**fields, "sizes": [3], "data": bytes([1, 15, 19])}


@right
def packed_planes(draft):
    for name in ("begin", "duration", "name", "seq"):
        stored = draft.events[name]
        planes = [bytes(stored["data"][4 * n : 4 * n + 4]) for n in range(8)]
        packed = [pack(plane) for plane in planes]
        stored.update(sizes=[len(part) for part in packed], data=b"".join(packed))


@right
def values_at_the_ends(draft):
    values = [2**63 - 1, -(2**63), 0]
    draft.events["attributes"][0] = column(values, 0)
    draft.events["attributes"][2] = column([2**63 - 1, -(2**63)], 2)
    draft.events["attributes"][3] = column([18, 0], 2, 1)
    draft.events["launched"] = column([0, 0])


@right
def no_launches(draft):
    draft.events["launched"] = {"encoding": 0, "count": 2}


@right
def launch_that_is_stored(draft):
    draft.events["launched"] = column([0, 0])
    draft.edges.update({"kind": column([0]), "from": column([0]), "to": column([3])})
    draft.facts("edges").update(times=(10, 200))


@right
def unbound_flow_row(draft):
    draft.flows.update(anchor=column([3, 0]), at=column([70, -5]), lane=column([1, 1]))
    draft.flows.update(min_time=-5, max_time=90)
    draft.facts("flows").update(times=(-5, 90))


@right
def bound_to_a_later_event(draft):
    draft.events["seq"] = column([0, 1, 9, 10])
    draft.flows["anchor"] = column([3, -4])
    draft.edges["to"] = column([9])


@right
def greatest_ordinal(draft):
    draft.loose["seq"] = column([2**32 - 17])


@right
def frames_split(draft):
    """A frame for each row of events, and segments of a track in several."""
    events = draft.events
    rows = []
    parts = [([11], [], [], [], [], []), ([], [], [], [], [], [1])]
    parts += [([11], [20], [50], [2], [10], []), ([12], [7], [-5], [1], [10], [])]
    slots = ((0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (4, 0))
    table = zip((10, 20, 100, 200), (5, 70, 50, 60), (6, 4, 5, 5), parts)
    for n, (begin, duration, name, values) in enumerate(table):
        shapes = {0: (0, 2), 1: (2, 16)}.get(n, (1, 4))
        values = [column(v, *slot) for v, slot in zip(values, slots) if v]
        fields = {
            "rank": 0,
            "segments": [(n // 2, 1)],
            "shapes": [shapes],
            "shape": column([0]),
            "begin": column([begin]),
            "duration": column([duration]),
            "name": column([name]),
            "seq": column([n]),
            "attributes": values,
        }
        if n > 1:
            fields["launched"] = column([3 - n])
        facts = {"rows": 1, "times": (begin, begin + duration), "tracks": (n // 2, n // 2)}
        rows.append([tiny.EVENTS, fields, facts])
    assert events["seq"]["count"] == len(rows)
    draft.frames[3:4] = rows


def drafts():
    """(name, bytes) of each right file."""
    for name, change in RIGHT.items():
        draft = Draft()
        change(draft)
        yield name, draft.write()
