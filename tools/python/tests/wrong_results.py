"""Results and provenances that are wrong."""

import copy

import tiny_writer as tiny
from draft import item, set_in, simple

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
