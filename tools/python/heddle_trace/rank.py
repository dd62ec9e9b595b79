"""One rank of a trace, read when it is asked for: sections 7 to 12 of the format."""

from . import frames, model
from .decoder import Decoder
from .errors import Error


class Rank:
    """One worker of the job: its tracks and all that belongs to them.

    number, cycle: as the footer states them, or None. index: its ordinal in the trace. steps: list
    of Step. placement: a Placement, or None before ranks were merged. All else is read from the
    file when it is first asked for: world_size, host, backend, recording, document, devices, layouts, strings, tracks, edges, flows, loose.
    """

    _LOADED = frozenset(
        "world_size host backend recording document devices layouts strings tracks edges flows "
        "loose chunks decoder".split()
    )

    def __init__(self, trace, index, entry):
        self.trace, self.index, self.entry = trace, index, entry
        self.number, self.cycle = entry.number, entry.cycle
        self.steps = [model.Step(*step) for step in entry.steps]
        self.placement = self._placement(entry.placement)
        self._rows = None
        self._filled = {}

    def __repr__(self):
        return f"<Rank {self.index if self.number is None else self.number}>"

    def _placement(self, stored):
        """A Placement as it is stored, or None."""
        if stored is None:
            return None
        if stored.clock >= len(self.trace.clocks) or abs(stored.origin) > model.MAX_TIME:
            raise Error("a rank is placed by no clock or at no time", self.trace.footer_offset)
        place = stored.clock, stored.ids, stored.origin, stored.assumed, stored.stated
        return model.Placement(*place)

    def __getattr__(self, name):
        if name not in Rank._LOADED:
            raise AttributeError(name)
        self.load()
        return self.__dict__[name]

    def load(self):
        """Read the rank now; raises Error if anything in it is wrong."""
        if "tracks" not in self.__dict__:
            with self.trace.errors():
                self.__dict__.update(Decoder(self).run())

    def frame_entries(self):
        """(type, FrameEntry, entry) of all frames of the rank in the order of the file."""
        entry = self.entry
        found = [(frames.RANK, frame, None) for frame in entry.heads]
        found += [(frames.STRINGS, strings.frame, strings) for strings in entry.strings]
        found += [(chunk.type, chunk.frame, chunk) for chunk in entry.chunks]
        return sorted(found, key=lambda item: item[1].offset)

    def attributes(self, key, scope="args"):
        """For each track a list with the value of a key for each event: see Track.attributes."""
        slots = []
        for layout in self.layouts:
            found = [e.slot for e in layout.entries if e.scope == scope and e.key == key]
            slots.append([slot for slot in found if slot is not None][:1])
        out = [[None] * len(track) for track in self.tracks]
        for slot in sorted({s for found in slots for s in found}):
            for values, track, filled in zip(out, self.tracks, self.slot_values(slot)):
                if filled is None:
                    continue
                for i, layout in enumerate(track.layout):
                    if slots[layout] == [slot]:
                        values[i] = filled[i]
        return out

    def slot_values(self, slot):
        """For each track a list with the value that a slot has for each event, or None."""
        if slot in self._filled:
            return self._filled[slot]
        having = {n for n, l in enumerate(self.layouts) if any(e.slot == slot for e in l.entries)}
        stored = {}
        with self.trace.errors():
            for chunk in self.chunks:
                values = iter(self.decoder.slot_values(chunk, slot))
                stored[chunk] = [next(values) if l in having else None for l in chunk.layouts]
        self._filled[slot] = [
            self._gather(track, stored) if any(l in having for l in track.layout) else None
            for track in self.tracks
        ]
        return self._filled[slot]

    @staticmethod
    def _gather(track, stored):
        """What is stored for the rows of a track, in its order."""
        rows = []
        for chunk, begin, end in track.pieces:
            rows += stored[chunk][begin:end]
        return rows if track.order is None else [rows[i] for i in track.order]

    def row_values(self):
        """For each track a list with a tuple for each event: the values of its slots in order."""
        if self._rows is None:
            with self.trace.errors():
                stored = {chunk: self.decoder.row_values(chunk) for chunk in self.chunks}
            self._rows = [self._gather(track, stored) for track in self.tracks]
        return self._rows

    @staticmethod
    def pair_values(layout, values):
        """(Entry, value) of the entries of a layout that have a value or are null."""
        values = iter(values)
        for entry in layout.entries:
            if entry.slot is not None:
                yield entry, next(values)
            elif entry.type == "null":
                yield entry, None

    def event(self, ref):
        """(kind, name, begin, end) of the event that an EventRef means."""
        track = self.tracks[ref.track]
        i = ref.index
        return track.kind[i], track.name[i], track.begin[i], track.end[i]
