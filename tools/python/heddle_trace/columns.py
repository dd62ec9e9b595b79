"""Columns of integers: section 5 of the format."""

import array
import itertools
import operator
import sys

from .codecs import unzstd
from .errors import Error

CONSTANT, PLAIN, DELTA, DELTA_OF_DELTA, DICTIONARY = range(5)
_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}
assert all(array.array(code).itemsize == size for size, code in _CODES.items())


def _signed(values):
    """Values as 64 bits with a sign, modulo 2^64."""
    values = values if isinstance(values, list) else list(values)
    try:
        return array.array("q", values)
    except OverflowError:
        return array.array("q", [((v + 2**63) & (2**64 - 1)) - 2**63 for v in values])


def _join(planes, width, count):
    """The numbers whose bytes stand in planes."""
    if width == 0:
        return [0] * count
    size = next(s for s in _CODES if s >= width)
    if size == 1:
        return planes[0]
    mixed = bytearray(size * count)
    for number, plane in enumerate(planes):
        mixed[number if sys.byteorder == "little" else size - 1 - number :: size] = plane
    numbers = array.array(_CODES[size])
    numbers.frombytes(mixed)
    return numbers


def _unzigzag(numbers, unit):
    if unit == 1:
        return [(n >> 1) ^ -(n & 1) for n in numbers]
    return [((n >> 1) ^ -(n & 1)) * unit for n in numbers]


class _Planes:
    """Takes the planes of a column one group after the other."""

    def __init__(self, column, fail):
        self.sizes, self.data, self.fail = column.sizes, column.data, fail
        self.plane = self.position = 0

    def take(self, width, count):
        """The next `count` numbers of `width` planes."""
        if self.plane + width > len(self.sizes):
            self.fail("it lacks the sizes of planes")
        planes = []
        for size in self.sizes[self.plane : self.plane + width]:
            stored = self.data[self.position : self.position + size]
            if len(stored) != size:
                self.fail("its planes are longer than its data")
            self.position += size
            if size == 1:
                stored *= count
            elif size != count:
                try:
                    stored = unzstd(stored, count)
                except ValueError as error:
                    self.fail(f"a plane cannot be unpacked: {error}")
            planes.append(stored)
        self.plane += width
        return _join(planes, width, count)

    def end(self):
        """All planes were taken."""
        if self.plane != len(self.sizes) or self.position != len(self.data):
            self.fail("it has sizes or data of more planes")


def decode(column, count, what, offset, budget):
    """The values of a column as array("q").

    `column` is its table or None; `count` is how many values it must have, or a range of counts.
    `what` names it in errors about the frame at `offset`.
    """

    def fail(cause):
        raise Error(f"the column {what} is broken: {cause}", offset)

    n = column.count if column else 0
    if n != count if isinstance(count, int) else n not in count:
        wanted = count if isinstance(count, int) else f"up to {count[-1]}"
        raise Error(f"the column {what} has {n} values for {wanted}", offset)
    if column is None:
        return array.array("q")
    budget.charge(8 * n, offset)
    if column.unit == 0:
        fail("its unit is 0")
    encoding, first, unit = column.encoding, column.first, column.unit
    if encoding > DICTIONARY:
        fail(f"its encoding {encoding} is unknown")
    least = {DELTA: 1, DELTA_OF_DELTA: 2}.get(encoding, 0)
    if n < least:
        fail(f"its encoding needs {least} values, it has {n}")
    if max(column.width, column.entry_width) > 8:
        fail(f"it has numbers of {max(column.width, column.entry_width)} planes")
    planes = _Planes(column, fail)
    if encoding == CONSTANT:
        values = array.array("q", [first]) * n
    elif encoding == PLAIN:
        numbers = planes.take(column.width, n)
        values = _signed([first + k * unit for k in numbers])
    elif encoding == DELTA:
        steps = _unzigzag(planes.take(column.width, n - 1), unit)
        values = _signed(itertools.accumulate(steps, initial=first))
    elif encoding == DELTA_OF_DELTA:
        changes = _unzigzag(planes.take(column.width, n - 2), unit)
        steps = itertools.accumulate(changes, initial=column.second)
        values = _signed(itertools.accumulate(steps, initial=first))
    else:
        if not 1 <= column.entries <= n:
            fail(f"its dictionary has {column.entries} entries for {n} values")
        steps = planes.take(column.entry_width, column.entries - 1)
        entries = _signed(itertools.accumulate((k * unit for k in steps), initial=first))
        indices = planes.take(column.width, n)
        if max(indices) >= len(entries):
            fail(f"it has an index of {max(indices)} beyond its {len(entries)} entries")
        values = array.array("q", map(entries.__getitem__, indices))
    planes.end()
    return values


def check_range(values, low, high, what, offset):
    """Refuse a column that has a value outside of low..high, both included."""
    if len(values) and (min(values) < low or max(values) > high):
        wrong = min(values) if min(values) < low else max(values)
        raise Error(f"the column {what} has the value {wrong} outside of {low} to {high}", offset)


def sums(a, b):
    """Sum of two columns, value by value, modulo 2^64."""
    return _signed(list(map(operator.add, a, b)))


def differences(a, b):
    """Difference of two columns, value by value, modulo 2^64."""
    return _signed(list(map(operator.sub, a, b)))
