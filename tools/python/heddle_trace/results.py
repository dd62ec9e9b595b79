"""What passes published, and where a trace came from: section 14 of the format."""

import struct
from collections import namedtuple

from . import model
from .errors import Error

#: A finding or a note. rank: its ordinal, or None. args: pairs.
#: evidence: EventRefs into that rank, or else the rank of the Result.
Remark = namedtuple(
    "Remark",
    "id level message rank device window_ns cost_ns lower_ns upper_ns evidence advice args "
    "confidence",
)
#: A count that a pass kept; `is_loss` says that something was not read or done.
Statistic = namedtuple("Statistic", "name value is_loss")
#: Why a pass did not answer, and what to record so that it can.
Abstention = namedtuple("Abstention", "reason record")
#: A column of a table: its unit is "", "ns", "bytes", "count" or "percent".
TableColumn = namedtuple("TableColumn", "key unit is_text")
#: The file that a rank was read from.
Source = namedtuple("Source", "path bytes")
#: Who wrote a file: the writer's version, the passes that ran, and the file of each rank.
Provenance = namedtuple("Provenance", "tool pipeline sources")

_REAL, _BITS = struct.Struct("<d"), struct.Struct("<q")


class Table:
    """A table: `id`, `title`, `columns` (TableColumn) and `cells`, a list of values for each row.

    Cells are None, int, float or str.
    """

    def __init__(self, id, title, columns, cells):
        self.id, self.title, self.columns, self.cells = id, title, columns, cells

    def head(self):
        """All but the rows."""
        return self.id, self.title, self.columns

    @property
    def rows(self):
        """The rows as dicts."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row)) for row in self.cells]

    def __repr__(self):
        return f"<Table {self.id} of {len(self.cells)} rows>"


class Pieces:
    """Puts the pieces of each result together."""

    def __init__(self):
        self.results, self.piece, self.more = [], 0, False

    def add(self, message, result, offset):
        """Take the next frame: its message, and the Result that it alone is."""
        wanted = self.piece + 1 if self.more else 0
        if message.piece != wanted:
            raise Error(f"piece {message.piece} of a result stands where {wanted} should", offset)
        whole = self.results[-1] if wanted else None
        same = "name", "spelled", "rank", "generation", "stale"
        if whole and any(getattr(whole, n) != getattr(result, n) for n in same):
            raise Error("a piece is of another result than the one before", offset)
        for number, stored in enumerate(message.tables):
            if not stored.continues:
                continue
            table, before = result.tables[number], whole and whole.tables and whole.tables[-1]
            if number or not before or table.head() != before.head():
                raise Error("a table does not continue the one before", offset)
            before.cells += table.cells
        self.piece, self.more = message.piece, message.more
        if not whole:
            self.results.append(result)
            return
        cut = bool(message.tables and message.tables[0].continues)
        whole.tables += result.tables[cut:]
        whole.remarks += result.remarks
        whole.statistics += result.statistics
        whole.abstained += result.abstained

    def end(self, offset):
        """No result comes any more."""
        if self.more:
            raise Error("a result lacks its last piece", offset)


class Result:
    """What one pass published about one rank, or about the trace.

    name: the pass. spelled: the same with its parameters. rank: ordinal in the trace, None if it is
    about the trace. generation: structural changes of the rank before the pass ran. stale: a later
    pass changed the rank. tables, remarks, statistics, abstained: lists in the order published.
    """

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"<Result of {self.spelled}, rank {self.rank}>"


def _text(table):
    return model.to_text(table.bytes) if table else ""


def read_result(message, ranks, offset, budget):
    """A Result from its message."""

    def word(words, number, what):
        if number >= len(words):
            raise Error(f"{what} is {number}, unknown", offset)
        return words[number]

    def remark(stored):
        return Remark(
            _text(stored.id),
            word(model.LEVELS, stored.level, "the level of a remark"),
            _text(stored.message),
            stored.rank,
            stored.device,
            stored.window_ns,
            stored.cost_ns,
            stored.lower_ns,
            stored.upper_ns,
            [model.EventRef(*ref) for ref in stored.evidence],
            _text(stored.advice),
            [(_text(a.key), _text(a.value)) for a in stored.args],
            word(model.CONFIDENCES, stored.confidence, "the confidence of a remark"),
        )

    def cell(stored, texts):
        kind = word(("nothing", "int", "real", "text"), stored.kind, "the kind of a cell")
        if kind == "text":
            if not 0 <= stored.value < len(texts):
                raise Error(f"a cell has text {stored.value} of {len(texts)}", offset)
            return texts[stored.value]
        if kind == "real":
            return _REAL.unpack(_BITS.pack(stored.value))[0]
        return stored.value if kind == "int" else None

    def table(stored):
        columns = [
            TableColumn(_text(c.key), word(model.UNITS, c.unit, "the unit of a column"), c.is_text)
            for c in stored.columns
        ]
        width = len(columns)
        if len(stored.cells) != stored.rows * width:
            raise Error(f"a table has {len(stored.cells)} cells for {stored.rows} rows", offset)
        budget.charge(stored.rows * 256, offset)
        texts = [_text(t) for t in stored.texts]
        cells = [cell(c, texts) for c in stored.cells]
        rows = [cells[row * width : (row + 1) * width] for row in range(stored.rows)]
        return Table(_text(stored.id), _text(stored.title), columns, rows)

    if not -1 <= message.rank < ranks:
        raise Error(f"a result is about rank {message.rank} of {ranks}", offset)
    severities = (False, True)
    return Result(
        name=_text(message.name),
        spelled=_text(getattr(message, "pass")),
        rank=None if message.rank == -1 else message.rank,
        generation=message.generation,
        stale=message.stale,
        tables=[table(t) for t in message.tables],
        remarks=[remark(r) for r in message.remarks],
        statistics=[
            Statistic(_text(s.name), s.value, word(severities, s.severity, "a severity"))
            for s in message.statistics
        ],
        abstained=[Abstention(_text(a.reason), _text(a.record)) for a in message.abstained],
    )


def read_provenance(message, ranks, offset):
    """A Provenance from its message."""
    if len(message.sources) > ranks:
        raise Error(f"there are {len(message.sources)} files of {ranks} ranks", offset)
    sources = [Source(_text(s.path), s.bytes) for s in message.sources]
    return Provenance(_text(message.tool), _text(message.pipeline), sources)
