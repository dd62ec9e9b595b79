"""The tracks and texts of a rank."""

import array

from . import model


class Track:
    """One lane of a rank. Its columns have an element for each event, in canonical order:
    by begin, then longer first, then ordinal.

    begin, end: array of int, ns from the recording's origin; [begin, end). duration: likewise.
    name: list of texts. kind: list of words of heddle_trace.KINDS. seq: array, ordinals in the
    source. layout: array, numbers in `rank.layouts`. derived: dict of lists, with None for absent;
    text_columns: names of those that hold texts.

    Of the track itself: family (a word of heddle_trace.FAMILIES), pid and tid (SourceId), device
    and stream (-1 if unknown), label (its name, or None), index (its number in `rank.tracks`).
    """

    def __init__(self, rank, family, pid, tid, device, stream, label):
        self.rank, self.family, self.pid, self.tid = rank, family, pid, tid
        self.device, self.stream, self.label, self.index = device, stream, label, None
        self.begin = self.end = self.seq = self.layout = self.name_ids = self.kinds = None
        self.derived, self.text_columns = {}, set()
        self._names = self._kinds = None
        self.pieces, self.order = [], None  # of stored rows; see Decoder

    def __len__(self):
        return len(self.begin)

    def __repr__(self):
        tid = self.stream if self.is_stream else self.tid
        return f"<Track {self.family} {tid!r} of {len(self)} events>"

    def sort(self, order):
        """Put the events, as they are stored, into an order."""

        def sorted_column(column):
            return type(column)(map(column.__getitem__, order))

        self.begin, self.end, self.seq, self.layout, self.name_ids = (
            array.array(c.typecode, map(c.__getitem__, order))
            for c in (self.begin, self.end, self.seq, self.layout, self.name_ids)
        )
        self.kinds = sorted_column(self.kinds)
        self.derived = {name: sorted_column(values) for name, values in self.derived.items()}
        self.order = order

    def order_key(self):
        """A key by which the tracks of a rank sort canonically."""
        family = model.FAMILIES.index(self.family)
        group = 0 if self.is_thread else 1 if self.is_stream else 2
        ids = self.pid.order(), self.tid.order()
        return (group, family if group == 2 else 0, self.device, self.stream, *ids, family)

    @property
    def is_stream(self):
        """It holds rows of a device's stream."""
        return self.family.startswith("stream")

    @property
    def is_thread(self):
        """It holds rows of a host thread."""
        return self.family.startswith("thread")

    @property
    def name(self):
        """The names of the events."""
        if self._names is None:
            texts = self.rank.strings
            self._names = [texts[number] for number in self.name_ids]
        return self._names

    @property
    def kind(self):
        """The kinds of the events."""
        if self._kinds is None:
            self._kinds = [model.KINDS[number] for number in self.kinds]
        return self._kinds

    @property
    def duration(self):
        """end - begin of the events."""
        return [end - begin for begin, end in zip(self.begin, self.end)]

    def attributes(self, key, scope="args"):
        """The value of a key for each event, None where it is absent or null.

        Integers are int, decimals decimal.Decimal with all digits that the source had, texts str,
        lists and objects Json (`.value` parses it), other tokens Raw.
        """
        return self.rank.attributes(key, scope)[self.index]

    def values(self, index):
        """(Entry, value) of all keys of one event that have a value or are null, in order."""
        layout = self.rank.layouts[self.layout[index]]
        return list(self.rank.pair_values(layout, self.rank.row_values()[self.index][index]))

    def args(self, index):
        """The args of one event as a dict; of a key that stands twice the last value."""
        return {e.key: value for e, value in self.values(index) if e.scope == "args"}


class Texts:
    """The strings of a rank, by number."""

    def __init__(self, strings):
        self.bytes, self._texts = strings, {}

    def __len__(self):
        return len(self.bytes)

    def __getitem__(self, number):
        text = self._texts.get(number)
        if text is None:
            text = self._texts[number] = model.to_text(self.bytes[number])
        return text
