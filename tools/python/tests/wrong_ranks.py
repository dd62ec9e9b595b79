"""Ranks that are wrong: heads, strings, events, flow rows, loose rows and edges."""

import tiny_writer as tiny
from draft import MAX_TIME, STRINGS, item, set_in, simple, wrong
from tiny_writer import column

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
