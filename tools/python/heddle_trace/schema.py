"""The tables and structs of the format, in the words of docs/TraceFormat.md.

TABLES and STRUCTS hold the rows of two tables of that page as they stand there; a test compares
them. All else in this module is derived from them.
"""

import collections
import struct

STRUCTS = """
| SourceId | 16 | value i64 0, text u32 8, form u8 12 |
| Track | 56 | pid SourceId 0, tid SourceId 16, device i64 32, stream i64 40, name u32 48, family u8 52 |
| Entry | 8 | key u32 0, scope u8 4, type u8 5, scale u8 6, quoted u8 7 |
| Member | 8 | key u32 0, value u32 4 |
| Device | 48 | id i64 0, sms i64 8, memory i64 16, compute_major i64 24, compute_minor i64 32, name u32 40 |
| Count | 16 | count u64 0, name u32 8 |
| Shape | 4 | layout u16 0, kind u8 2 |
| Segment | 8 | track u32 0, rows u32 4 |
| Lane | 32 | pid SourceId 0, tid SourceId 16 |
| FrameEntry | 16 | offset u64 0, bytes u64 8 |
| StringsEntry | 24 | frame FrameEntry 0, first u32 16, count u32 20 |
| ChunkEntry | 48 | frame FrameEntry 0, min_time i64 16, max_time i64 24, rows u32 32, first_track u32 36, last_track u32 40, type u16 44 |
| Step | 48 | device i64 0, number i64 8, window_begin i64 16, window_end i64 24, host_begin i64 32, host_end i64 40 |
| Clock | 40 | reference i64 0, offset i64 8, drift i64 16, error i64 24, has_error u8 32 |
| Cell | 16 | value i64 0, kind u8 8 |
| EventRef | 8 | track u32 0, index u32 4 |
"""

TABLES = """
| Column | slot u32, part u8, encoding u8, count u32, first i64, second i64, unit u64 = 1, width u8, entries u32, entry_width u8, sizes [u32], data [u8] |
| Head | version u16, must_understand u64, may_ignore u64 |
| Rank | rank u32, number i64?, world_size i64?, cycle i64?, host u32, backend u32, recording T Recording, first_layout u32, layouts [T Layout], first_track u32, tracks [Track] |
| Recording | format u32, producer u32, part u32, origin i64, base i64?, absolute bool, unpadded_fraction bool, integer_microseconds bool, external_ids_broken bool, partial bool, truncated_at u64, source_events u64, vendor u8, is_array bool, members [Member], devices [Device], repairs [Count], notes [Count] |
| Layout | phase u8, cat u32, entries [Entry] |
| Strings | rank u32, first u32, lengths T Column, bytes [u8], offset u64, total u64 |
| Events | rank u32, segments [Segment], shapes [Shape], shape T Column, begin T Column, duration T Column, name T Column, seq T Column, launched T Column, attributes [T Column], derived [T Derived] |
| Derived | segment u32, name u32, is_text bool, values T Column |
| Flows | rank u32, min_time i64, max_time i64, shapes [Shape], shape T Column, seq T Column, anchor T Column, at T Column, name T Column, lanes [Lane], lane T Column, attributes [T Column] |
| Loose | rank u32, seq T Column, text T Column |
| Edges | rank u32, kind T Column, from T Column, to T Column |
| Footer | canonical bool, ranks [T RankEntry], clocks [Clock] |
| RankEntry | number i64?, cycle i64?, heads [FrameEntry], strings [StringsEntry], chunks [ChunkEntry], steps [Step], placement T Placement |
| Placement | clock u32, ids u32, origin i64, assumed bool, stated i64? |
| Text | bytes [u8] |
| TableColumn | key T Text, unit u8, is_text bool |
| ResultTable | id T Text, title T Text, columns [T TableColumn], cells [Cell], rows u32, texts [T Text], continues bool |
| Argument | key T Text, value T Text |
| Remark | id T Text, level u8, message T Text, rank i64?, device i64?, window_ns i64?, cost_ns i64?, lower_ns i64?, upper_ns i64?, evidence [EventRef], advice T Text, args [T Argument], confidence u8 |
| Statistic | name T Text, value i64, severity u8 |
| Abstention | reason T Text, record T Text |
| Result | pass T Text, name T Text, rank i64 = -1, generation u64, stale bool, tables [T ResultTable], remarks [T Remark], statistics [T Statistic], abstained [T Abstention], piece u32, more bool |
| Source | path T Text, bytes u64 |
| Provenance | tool T Text, pipeline T Text, sources [T Source] |
"""

SCALARS = {"u8": "B", "bool": "B", "u16": "H", "u32": "I", "u64": "Q", "i64": "q"}


def _rows(text):
    """The cells of a table of the page."""
    for line in text.strip().splitlines():
        yield [cell.strip() for cell in line.strip("| ").split(" | ")]


class StructType:
    """How a struct stands in bytes: `unpack` makes the values of `iter_unpack` one named tuple."""

    def __init__(self, name, size, fields, known):
        self.fields = [field.split(" ") for field in fields.split(", ")]
        self.formats, position = "", 0
        for _, kind, offset in self.fields:
            self.formats += "x" * (int(offset) - position)
            inner = known.get(kind)
            self.formats += inner.formats if inner else SCALARS[kind]
            position = int(offset) + (inner.size if inner else struct.calcsize("<" + SCALARS[kind]))
        self.size = int(size)
        self.formats += "x" * (self.size - position)
        self.codec = struct.Struct("<" + self.formats)
        assert self.codec.size == self.size
        self.inner = [known.get(kind) for _, kind, _ in self.fields]
        self.count = sum(inner.count if inner else 1 for inner in self.inner)
        self.tuple = collections.namedtuple(name, [field[0] for field in self.fields])

    def unpack(self, flat):
        """A named tuple from all scalars of the struct in order."""
        if not any(self.inner):
            return self.tuple(*flat)
        values, position = [], 0
        for inner in self.inner:
            width = inner.count if inner else 1
            part = flat[position : position + width]
            values.append(inner.unpack(part) if inner else part[0])
            position += width
        return self.tuple(*values)


class Field:
    """A field of a table: `kind` is scalar, table, scalars, structs or tables."""

    def __init__(self, text):
        self.default = 0
        if " = " in text:
            text, default = text.split(" = ")
            self.default = int(default)
        self.name, what = text.split(" ", 1)
        if what.startswith("[T "):
            self.kind, self.of, self.default = "tables", what[3:-1], ()
        elif what.startswith("["):
            self.of, self.default = what[1:-1], ()
            self.kind = "scalars" if self.of in SCALARS else "structs"
            if self.of == "u8":
                self.default = b""
        elif what.startswith("T "):
            self.kind, self.of, self.default = "table", what[2:], None
        else:
            self.kind, self.of = "scalar", what.rstrip("?")
            if what.endswith("?"):
                self.default = None
        if self.of == "bool":
            self.default = False


STRUCT_TYPES = {}
for _name, _size, _fields in _rows(STRUCTS):
    STRUCT_TYPES[_name] = StructType(_name, _size, _fields, STRUCT_TYPES)
TABLE_FIELDS = {name: [Field(f) for f in fields.split(", ")] for name, fields in _rows(TABLES)}
