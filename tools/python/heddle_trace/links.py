"""What leads from event to event: edges, and the events that flow rows belong to."""

import operator

from . import model
from .columns import check_range
from .errors import Error
from .model import MAX_TIME, Edge, EventRef, FlowRow


class Links:
    """Resolves the ordinals that a Decoder collected, once all events are in order."""

    def __init__(self, decoder, tracks):
        self.decoder, self.tracks = decoder, tracks
        self._refs = None
        self._check_ordinals()

    def _check_ordinals(self):
        seen, count = set(), 0
        rows = [track.seq for track in self.tracks]
        rows += [[row[0] for row in flows] for _, flows, _ in self.decoder.flows]
        rows.append([row.seq for row in self.decoder.loose])
        for seqs in rows:
            seen.update(seqs)
            count += len(seqs)
        if len(seen) != count:
            raise Error(f"two rows of rank {self.decoder.rank.index} have one ordinal")

    def ref(self, seq, what, offset):
        """The event with that ordinal."""
        if self._refs is None:
            self._refs = {
                seq: (track.index, i) for track in self.tracks for i, seq in enumerate(track.seq)
            }
        found = self._refs.get(seq)
        if found is None:
            raise Error(f"{what} leads to ordinal {seq}, which no event on a track has", offset)
        return EventRef(*found)

    def _phase(self, ref):
        return self.decoder.layouts[self.tracks[ref.track].layout[ref.index]].phase

    def flow_rows(self):
        """All FlowRows in order."""
        out, ended = [], set()
        for (offset, low, high), rows, chunk in self.decoder.flows:
            times = []
            values = self.decoder.row_values(chunk)
            for (seq, anchor, at, name, lane), layout, row in zip(rows, chunk.layouts, values):
                event = self.ref(seq - anchor, "a flow row", offset) if anchor else None
                pid, tid = lane or (None, None)
                if event:
                    track = self.tracks[event.track]
                    at += track.begin[event.index]
                    pid, tid = lane or (track.pid, track.tid)
                phase = self.decoder.layouts[layout].phase
                is_end = phase in model.END_PHASES
                if is_end:
                    self._check_end(event, phase, ended, offset)
                times.append(at)
                text = self.decoder.texts[name]
                out.append(FlowRow(seq, at, text, event, pid, tid, layout, row, is_end))
            check_range(times, -MAX_TIME, MAX_TIME, "at", offset)
            if times and (low, high) != (min(times), max(times)):
                raise Error("the frame states other times than its flow rows have", offset)
        return out

    def _check_end(self, event, phase, ended, offset):
        if event is None:
            raise Error("the end of a span is bound to none", offset)
        if model.ENDS.get(self._phase(event)) != phase:
            raise Error("the end of a span does not fit the phase of its event", offset)
        if event in ended:
            raise Error("a span has two ends", offset)
        ended.add(event)

    def all_edges(self):
        """All edges, those that correlations give among them, by (kind, source, target)."""
        edges = self._launches()
        for (offset, low, high), rows in self.decoder.edges:
            times = []
            for kind, source, target in rows:
                source, target = (self.ref(seq, "an edge", offset) for seq in (source, target))
                thread, stream = self.tracks[source.track], self.tracks[target.track]
                if kind == 0 and not (thread.is_thread and stream.is_stream):
                    raise Error("a launch edge does not lead from a thread to a stream", offset)
                times += thread.begin[source.index], stream.begin[target.index]
                edges.append((kind, source, target))
            if (low, high) != (min(times), max(times)):
                raise Error("the footer states other times than its edges have", offset)
        edges.sort()
        if any(map(operator.eq, edges, edges[1:])):
            raise Error(f"an edge of rank {self.decoder.rank.index} stands twice")
        return [Edge(model.EDGE_KINDS[kind], source, target) for kind, source, target in edges]

    def _correlations(self):
        """(track, index, correlation) of all events that have one."""
        slots_of, decoder = [], self.decoder
        for layout in decoder.layouts:
            slots_of.append(
                [
                    e.slot
                    for e in layout.entries
                    if (e.scope, e.key, e.type) == (model.ARGS_SCOPE, "correlation", "int")
                ]
            )
        found = {}
        for chunk in decoder.chunks:
            needed = {slot for layout in set(chunk.layouts) for slot in slots_of[layout]}
            columns = {slot: iter(decoder.slot_values(chunk, slot)) for slot in needed}
            values = ([next(columns[slot]) for slot in slots_of[l]] for l in chunk.layouts)
            found[chunk] = [row[0] if row else None for row in values]
        for track in self.tracks:
            stored = [v for chunk, begin, end in track.pieces for v in found[chunk][begin:end]]
            for i in range(len(track)):
                value = stored[track.order[i] if track.order else i]
                if value is not None and 0 < value < 2**63 - 2:
                    yield track, i, value

    def _launches(self):
        wanted = set(self.decoder.launched)
        if not wanted:
            return []
        calls, launched = {}, []
        for track, i, value in self._correlations():
            if track.is_thread and model.KINDS[track.kinds[i]] in ("runtime", "driver"):
                calls[value] = None if value in calls else EventRef(track.index, i)
            elif track.is_stream and track.seq[i] in wanted:
                launched.append((value, EventRef(track.index, i)))
        if len(launched) != len(wanted):
            raise Error("an event is launched by a call, but has no correlation")
        edges = []
        for value, target in launched:
            source = calls.get(value)
            if source is None:
                many = "several calls have" if value in calls else "no call has"
                raise Error(f"an event is launched by correlation {value}, which {many}")
            edges.append((0, source, target))
        return edges
