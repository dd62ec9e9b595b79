"""Reads the tables of one message: FlatBuffers, as section 4 of the format tells."""

import struct
import types

from .errors import Error
from .schema import SCALARS, STRUCT_TYPES, TABLE_FIELDS

_U16, _U32, _I32 = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<i")
_SCALAR = {name: struct.Struct("<" + code) for name, code in SCALARS.items()}
# What a table, or a struct in a list, takes in memory, about.
_TABLE_COST, _STRUCT_COST = 1024, 256


class Reader:
    """Reads one message; `offset` is where its frame stands, for errors."""

    def __init__(self, message, offset, budget):
        self.bytes, self.offset, self.budget = message, offset, budget

    def fail(self, cause):
        """Refuse the message."""
        raise Error("the message is broken: " + cause, self.offset)

    def _at(self, codec, position):
        if position % codec.size:
            self.fail("a reference leads to where none can")
        if position < 0 or position + codec.size > len(self.bytes):
            self.fail("a reference leads out of it")
        return codec.unpack_from(self.bytes, position)[0]

    def root(self, name):
        """The root table as a namespace with all of its fields."""
        return self.table(name, self._at(_U32, 0))

    def table(self, name, position):
        """The table of that type at a position."""
        self.budget.charge(_TABLE_COST, self.offset)
        vtable = position - self._at(_I32, position)
        vtable_size, size = self._at(_U16, vtable), self._at(_U16, vtable + 2)
        if vtable_size % 2 or vtable + vtable_size > len(self.bytes):
            self.fail("a vtable has no size that it can have")
        if size < 4 or position + size > len(self.bytes):
            self.fail("a table reaches out of it")
        values = types.SimpleNamespace()
        for number, field in enumerate(TABLE_FIELDS[name]):
            slot = 4 + 2 * number
            place = self._at(_U16, vtable + slot) if slot < vtable_size else 0
            setattr(values, field.name, self._field(field, position, size, place))
        return values

    def _field(self, field, table, table_size, place):
        if place == 0:
            return field.default
        codec = _SCALAR[field.of] if field.kind == "scalar" else _U32
        if place < 4 or place + codec.size > table_size:
            self.fail(f"the field {field.name} stands outside of its table")
        position = table + place
        value = self._at(codec, position)
        if field.kind == "scalar":
            return bool(value) if field.of == "bool" else value
        position += value
        return (
            self.table(field.of, position)
            if field.kind == "table"
            else self._vector(field, position)
        )

    def _vector(self, field, position):
        count = self._at(_U32, position)
        begin = position + 4
        if field.kind == "structs":
            size = STRUCT_TYPES[field.of].size
        else:
            size = 4 if field.kind == "tables" else _SCALAR[field.of].size
        end = begin + count * size
        if end > len(self.bytes):
            self.fail(f"the list {field.name} reaches out of it")
        self.budget.charge(end - begin, self.offset)
        # A copy: views that exceptions keep alive in cycles have crashed Python's collector.
        part = self.bytes[begin:end]
        if field.kind == "structs":
            kind = STRUCT_TYPES[field.of]
            self.budget.charge(count * _STRUCT_COST, self.offset)
            return [kind.unpack(flat) for flat in kind.codec.iter_unpack(part)]
        if field.kind == "tables":
            self.budget.charge(count * 8, self.offset)
            return [
                self.table(field.of, begin + 4 * number + relative)
                for number, (relative,) in enumerate(_U32.iter_unpack(part))
            ]
        if field.of == "u8":
            return part
        self.budget.charge(count * 40, self.offset)
        return [value for value, in _SCALAR[field.of].iter_unpack(part)]
