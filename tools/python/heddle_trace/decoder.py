"""Decodes the frames of one rank and checks what they say: sections 7 to 12 of the format."""

import array
import collections
import decimal
import itertools
import operator

from . import frames, links, model
from .columns import check_range, decode, sums
from .errors import Error
from .messages import Reader
from .model import MAX_TIME, Entry, Layout, SourceId
from .track import Texts, Track

MAX_ROWS, MAX_STRINGS, MAX_LAYOUTS = 65536, 4096, 65535
MAX_SEQ = 2**32 - 17
# Types of frames but Strings stand in this order.
_ORDER = (frames.RANK, frames.EVENTS, frames.FLOWS, frames.LOOSE, frames.EDGES)


class Chunk:
    """A frame of rows: the layout of each, and the columns of its slots, which are not decoded."""

    def __init__(self, offset, layouts, slots, known):
        self.offset, self.layouts, self.slots, self.known = offset, layouts, slots, known


class Decoder:
    """Reads a rank frame by frame; `run` gives what a Rank has."""

    def __init__(self, rank):
        self.rank, self.file, self.budget = rank, rank.trace.file, rank.trace.budget
        self.offset = None
        self.strings, self.piece, self.piece_size, self.total = [b""], None, 0, 0
        self.texts = Texts(self.strings)
        self.layouts, self.slot_numbers, self.slot_types = [], {}, []
        self.tracks, self.chunks, self.launched = [], [], []
        self.flows, self.loose, self.edges = [], [], []
        self.last_flow = self.last_loose = -1
        self.head = self.recording = None

    def fail(self, cause):
        """Refuse the frame that is being read."""
        raise Error(cause, self.offset)

    def run(self):
        """All that the rank has, by name."""
        handlers = {
            frames.RANK: self._rank,
            frames.STRINGS: self._strings,
            frames.EVENTS: self._events,
            frames.FLOWS: self._flows,
            frames.LOOSE: self._loose,
            frames.EDGES: self._edges,
        }
        phase, end = 0, 0
        for kind, place, entry in self.rank.frame_entries():
            self.offset = place.offset
            if kind not in handlers:
                self.fail(f"the footer lists a frame of {frames.name_of(kind)} as one of rows")
            if place.offset % frames.ALIGN or place.offset < end:
                self.fail("the footer lists a frame that begins within another")
            frame = self.file.frame(place.offset, self.budget, self.rank.trace.footer_offset)
            end = place.offset + frame.size
            if frame.type != kind or frame.size != place.bytes:
                self.fail("the footer lists another frame than stands here")
            message = Reader(frame.message, place.offset, self.budget)
            message = message.root(frames.name_of(kind))
            if message.rank != self.rank.index:
                self.fail(f"a frame of rank {message.rank} is listed under {self.rank.index}")
            if kind == frames.STRINGS:
                if phase == len(_ORDER) - 1:
                    self.fail("strings stand behind edges")
            elif _ORDER.index(kind) < phase:
                self.fail(f"a frame of {frames.name_of(kind)} stands behind later ones")
            else:
                phase = _ORDER.index(kind)
            handlers[kind](message, entry)
        return self._finish()

    # Numbers of things.

    def string(self, number, what):
        """The bytes of a string that stands before this frame."""
        if number >= len(self.strings):
            self.fail(f"{what} is string {number} of {len(self.strings)}")
        return self.strings[number]

    def text(self, number, what):
        """The same as text."""
        self.string(number, what)
        return self.texts[number]

    def optional(self, number, what):
        """The text of a number that is one more, or None for 0."""
        return self.text(number - 1, what) if number else None

    def word(self, words, number, what):
        """One of a list of words."""
        if number >= len(words):
            self.fail(f"{what} is {number}, unknown")
        return words[number]

    def source_id(self, stored):
        """A SourceId as it is stored."""
        form = self.word(SourceId.FORMS, stored.form, "the form of an id")
        if form in ("string", "raw"):
            return SourceId(form, self.text(stored.text, "an id"))
        return SourceId(form, stored.value if form == "int" else None)

    def column(self, column, count, what):
        """The values of a column."""
        return decode(column, count, what, self.offset, self.budget)

    def ids(self, column, count, what):
        """The values of a column of numbers of strings."""
        values = self.column(column, count, what)
        check_range(values, 0, len(self.strings) - 1, what, self.offset)
        return values

    def ordinals(self, column, count):
        """The column seq."""
        values = self.column(column, count, "seq")
        check_range(values, 0, MAX_SEQ, "seq", self.offset)
        return values

    # Frames.

    def _strings(self, message, entry):
        if entry.first != message.first or message.first != len(self.strings):
            self.fail(f"strings from {message.first} on follow {len(self.strings)}")
        data = message.bytes
        self.budget.charge(len(data), self.offset)
        if message.total:
            so_far = self.piece_size if self.piece is not None else 0
            if message.offset != so_far:
                self.fail(f"a piece from {message.offset} on follows {so_far} bytes of its string")
            if message.lengths is not None or entry.count != 1:
                self.fail("a piece of a string has lengths")
            if self.piece is None:
                self.piece, self.total = [], message.total
            if message.total != self.total or so_far + len(data) > self.total or not len(data):
                self.fail("a piece of a string does not fit the string's size")
            self.piece.append(bytes(data))
            self.piece_size = so_far + len(data)
            if self.piece_size == self.total:
                self.strings.append(b"".join(self.piece))
                self.piece, self.piece_size = None, 0
            return
        if self.piece is not None:
            self.fail("strings stand between the pieces of one")
        lengths = self.column(message.lengths, range(MAX_STRINGS + 1), "lengths")
        if len(lengths) != entry.count:
            self.fail(f"the footer counts {entry.count} strings, there are {len(lengths)}")
        check_range(lengths, 0, len(data), "lengths", self.offset)
        if sum(lengths) != len(data):
            self.fail(f"the lengths of strings add up to {sum(lengths)} of {len(data)} bytes")
        self.budget.charge(64 * len(lengths), self.offset)
        begin = 0
        for length in lengths:
            self.strings.append(bytes(data[begin : begin + length]))
            begin += length

    def _rank(self, message, _):
        if (message.recording is None) != (self.head is not None):
            self.fail("the first Rank frame of a rank has its recording, and no other")
        if self.head is None:
            self.head = message
            self._recording(message)
        if message.first_layout != len(self.layouts) or message.first_track != len(self.tracks):
            self.fail("layouts or tracks do not follow those before")
        if len(self.layouts) + len(message.layouts) > MAX_LAYOUTS:
            self.fail(f"there are more than {MAX_LAYOUTS} layouts")
        for layout in message.layouts:
            self.layouts.append(self._layout(layout))
        for track in message.tracks:
            family = self.word(model.FAMILIES, track.family, "the family of a track")
            pid, tid = self.source_id(track.pid), self.source_id(track.tid)
            label = self.optional(track.name, "the name of a track")
            self.tracks.append(
                Track(self.rank, family, pid, tid, track.device, track.stream, label)
            )

    def _layout(self, layout):
        entries, seen = [], collections.Counter()
        for entry in layout.entries:
            kind = self.word(model.TYPES, entry.type, "the type of a key")
            scope = self.word((model.EVENT_SCOPE, model.ARGS_SCOPE), entry.scope, "a key's scope")
            if entry.type > model.NULL and entry.scope:
                self.fail(f"a layout has the type {kind} in args")
            if entry.scale > 3 or entry.quoted > 1:
                self.fail("a layout has a time of an unknown form")
            key = self.text(entry.key, "a key")
            slot = None
            if entry.type < model.NULL:
                which = (scope, key, kind)
                slot = self.slot_numbers.setdefault(which + (seen[which],), len(self.slot_types))
                seen[which] += 1
                if slot == len(self.slot_types):
                    self.slot_types.append(kind)
            entries.append(Entry(scope, key, kind, entry.scale, bool(entry.quoted), slot))
        cat = self.optional(layout.cat, "a cat")
        return Layout(chr(layout.phase), cat, entries)

    def _recording(self, message):
        entry, stored = self.rank.entry, message.recording
        if (message.number, message.cycle) != (entry.number, entry.cycle):
            self.fail("the footer gives the rank another number or cycle")
        check_range([stored.origin], -MAX_TIME, MAX_TIME, "origin", self.offset)
        fields = {
            name: getattr(stored, name)
            for name in "origin base absolute unpadded_fraction integer_microseconds "
            "external_ids_broken partial truncated_at source_events".split()
        }
        for name in ("format", "producer", "part"):
            fields[name] = self.text(getattr(stored, name), name)
        fields["vendor"] = self.word(model.VENDORS, stored.vendor, "the vendor")
        for name in ("repairs", "notes"):
            fields[name] = {self.text(c.name, name): c.count for c in getattr(stored, name)}
            if len(fields[name]) != len(getattr(stored, name)):
                self.fail(f"a name stands twice among the {name}")
        self.recording = model.Recording(**fields)
        members = []
        for member in stored.members:
            value = self.text(member.value, "a member") or None
            members.append((self.text(member.key, "a key of the document"), value))
        self.document = model.Document(stored.is_array, members)
        self.devices = []
        for device in stored.devices:
            name = self.text(device.name, "the name of a device")
            self.devices.append(
                model.Device(
                    device.id,
                    name,
                    device.sms,
                    device.memory,
                    device.compute_major,
                    device.compute_minor,
                )
            )
        self.host = self.text(message.host, "the host")
        self.backend = self.text(message.backend, "the backend")

    def _chunk(self, message, rows, kinds_used):
        """The layouts and kinds of the rows of a frame."""
        layout_of, kind_of = [], []
        for shape in message.shapes:
            if shape.layout >= len(self.layouts):
                self.fail(f"a shape has layout {shape.layout} of {len(self.layouts)}")
            self.word(model.KINDS if kinds_used else model.KINDS[:1], shape.kind, "a kind")
            layout_of.append(shape.layout)
            kind_of.append(shape.kind)
        shapes = self.column(message.shape, rows, "shape")
        check_range(shapes, 0, len(layout_of) - 1, "shape", self.offset)
        layouts = array.array("H", map(layout_of.__getitem__, shapes))
        wanted = collections.Counter()
        for layout, count in collections.Counter(layouts).items():
            for entry in self.layouts[layout].entries:
                if entry.slot is not None:
                    wanted[entry.slot] += count
        slots, columns = {}, iter(message.attributes)
        for slot in sorted(wanted):
            parts = []
            for part in (0, 1) if self.slot_types[slot] == "decimal" else (0,):
                column = next(columns, None)
                if column is None or (column.slot, column.part) != (slot, part):
                    self.fail(f"the attributes of slot {slot}, part {part} are not in their place")
                if column.count != wanted[slot]:
                    self.fail(f"slot {slot} has {column.count} values for {wanted[slot]} rows")
                parts.append(column)
            slots[slot] = parts
        if next(columns, None) is not None:
            self.fail("there are attributes that no row has")
        return Chunk(self.offset, layouts, slots, len(self.strings)), map(
            kind_of.__getitem__, shapes
        )

    def slot_values(self, chunk, slot):
        """The values of a slot in a frame, for the rows whose layout has it."""
        if slot not in chunk.slots:
            return []
        kind, parts, what = self.slot_types[slot], chunk.slots[slot], f"of slot {slot}"
        columns = [decode(c, c.count, what, chunk.offset, self.budget) for c in parts]
        if kind == "int":
            return columns[0]
        if kind == "decimal":
            check_range(columns[1], 0, 18, what + ", digits", chunk.offset)
            exact = decimal.Context(prec=40)
            return [decimal.Decimal(m).scaleb(-d, exact) for m, d in zip(*columns)]
        if kind == "bool":
            check_range(columns[0], 0, 1, what, chunk.offset)
            return list(map(bool, columns[0]))
        check_range(columns[0], 0, chunk.known - 1, what, chunk.offset)
        texts = map(self.texts.__getitem__, columns[0])
        return list({"list": map(model.Json, texts), "raw": map(model.Raw, texts)}.get(kind, texts))

    def row_values(self, chunk):
        """A tuple for each row of a frame: the values of its slots in order."""
        plan = [[e.slot for e in layout.entries if e.slot is not None] for layout in self.layouts]
        columns = {slot: iter(self.slot_values(chunk, slot)) for slot in chunk.slots}
        return [tuple([next(columns[slot]) for slot in plan[l]]) for l in chunk.layouts]

    def _events(self, message, entry):
        rows = sum(segment.rows for segment in message.segments)
        self._check_rows(rows)
        on_streams = 0
        for segment in message.segments:
            if segment.track >= len(self.tracks):
                self.fail(f"a segment is of track {segment.track} of {len(self.tracks)}")
            if segment.rows == 0:
                self.fail("a segment has no rows")
            if self.tracks[segment.track].is_stream:
                on_streams += segment.rows
        chunk, kinds = self._chunk(message, rows, True)
        begin = self.column(message.begin, rows, "begin")
        check_range(begin, -MAX_TIME, MAX_TIME, "begin", self.offset)
        duration = self.column(message.duration, rows, "duration")
        check_range(duration, 0, 2 * MAX_TIME, "duration", self.offset)
        end = sums(begin, duration)
        check_range(end, -MAX_TIME, MAX_TIME, "begin plus duration", self.offset)
        names = self.ids(message.name, rows, "name")
        seq = self.ordinals(message.seq, rows)
        launched = self.column(message.launched, on_streams, "launched")
        check_range(launched, 0, 1, "launched", self.offset)
        self._check_entry(entry, rows, min(begin, default=0), max(end, default=0), message.segments)
        derived = self._derived(message)
        kinds, start, first_launched = bytes(kinds), 0, 0
        for number, segment in enumerate(message.segments):
            track, stop = self.tracks[segment.track], start + segment.rows
            if track.begin is None:
                track.begin, track.end = array.array("q"), array.array("q")
                track.seq, track.layout = array.array("q"), array.array("H")
                track.name_ids, track.kinds = array.array("q"), bytearray()
                track.derived = {key: [] for key in derived[number]}
            elif derived[number].keys() != track.derived.keys():
                self.fail(f"segments of track {segment.track} have other derived columns")
            track.begin += begin[start:stop]
            track.end += end[start:stop]
            track.seq += seq[start:stop]
            track.name_ids += names[start:stop]
            track.layout += chunk.layouts[start:stop]
            track.kinds += kinds[start:stop]
            track.pieces.append((chunk, start, stop))
            for key, values in derived[number].items():
                track.derived[key] += values
            if track.is_stream:
                part = launched[first_launched : first_launched + segment.rows]
                self.launched += itertools.compress(seq[start:stop], part)
                first_launched += segment.rows
            start = stop
        self.chunks.append(chunk)

    def _derived(self, message):
        """For each segment its derived columns: values by (name, is text)."""
        found = [{} for _ in message.segments]
        for derived in message.derived:
            if derived.segment >= len(found):
                self.fail(f"a derived column is of segment {derived.segment} of {len(found)}")
            name = self.text(derived.name, "the name of a derived column")
            columns = found[derived.segment]
            if (name, True) in columns or (name, False) in columns:
                self.fail(f"the derived column {name!r} stands twice")
            values = self.column(
                derived.values, message.segments[derived.segment].rows, f"derived {name!r}"
            )
            if derived.is_text:
                check_range(values, 0, len(self.strings), f"derived {name!r}", self.offset)
                values = [self.texts[v - 1] if v else None for v in values]
            else:
                values = [None if v == model.NO_NUMBER else v for v in values]
            columns[name, derived.is_text] = values
        return found

    def _check_entry(self, entry, rows, low, high, segments=()):
        tracks = [segment.track for segment in segments] or [0]
        tracks = min(tracks), max(tracks)
        if (entry.rows, entry.min_time, entry.max_time) != (rows, low, high):
            self.fail("the footer counts other rows or times than the frame has")
        if (entry.first_track, entry.last_track) != tracks:
            self.fail("the footer lists other tracks than the frame has")

    def _check_rows(self, rows):
        if rows > MAX_ROWS:
            self.fail(f"the frame has {rows} rows, more than {MAX_ROWS}")
        if rows == 0:
            self.fail("the frame has no rows")

    def _rows_of(self, column):
        """How many rows a frame without segments has."""
        rows = column.count if column else 0
        self._check_rows(rows)
        return rows

    def _rising(self, seq, last):
        """The last ordinal, if they rise from the one before."""
        if not all(map(operator.lt, itertools.chain([last], seq), seq)):
            self.fail("the ordinals of rows do not rise")
        return seq[-1] if len(seq) else last

    def _flows(self, message, entry):
        rows = self._rows_of(message.seq)
        chunk, _ = self._chunk(message, rows, False)
        seq = self.ordinals(message.seq, rows)
        self.last_flow = self._rising(seq, self.last_flow)
        anchor, at = (self.column(getattr(message, n), rows, n) for n in ("anchor", "at"))
        name = self.ids(message.name, rows, "name")
        lane = self.column(message.lane, rows, "lane")
        check_range(lane, 0, len(message.lanes), "lane", self.offset)
        lanes = [None] + [(self.source_id(l.pid), self.source_id(l.tid)) for l in message.lanes]
        bounds = (self.offset, message.min_time, message.max_time)
        self._check_entry(entry, rows, message.min_time, message.max_time)
        if any(not l and not a for l, a in zip(lane, anchor)):
            self.fail("a flow row has neither an event nor a lane")
        lanes = [lanes[number] for number in lane]
        self.flows.append((bounds, list(zip(seq, anchor, at, name, lanes)), chunk))

    def _loose(self, message, entry):
        rows = self._rows_of(message.seq)
        seq = self.ordinals(message.seq, rows)
        self.last_loose = self._rising(seq, self.last_loose)
        text = self.ids(message.text, rows, "text")
        self._check_entry(entry, rows, 0, 0)
        self.loose += [model.LooseRow(s, self.texts[t]) for s, t in zip(seq, text)]

    def _edges(self, message, entry):
        rows = self._rows_of(message.kind)
        kind = self.column(message.kind, rows, "kind")
        check_range(kind, 0, len(model.EDGE_KINDS) - 1, "kind", self.offset)
        source = self.column(getattr(message, "from"), rows, "from")
        target = sums(source, self.column(message.to, rows, "to"))
        self._check_entry(entry, rows, entry.min_time, entry.max_time)
        bounds = (self.offset, entry.min_time, entry.max_time)
        self.edges.append((bounds, list(zip(kind, source, target))))

    # All frames were read.

    def _finish(self):
        self.offset = None
        if self.head is None:
            self.fail(f"rank {self.rank.index} has no Rank frame")
        if self.piece is not None:
            self.fail("a string lacks its last piece")
        tracks = self._sorted_tracks()
        joints = links.Links(self, tracks)
        return {
            "world_size": self.head.world_size,
            "host": self.host,
            "backend": self.backend,
            "recording": self.recording,
            "document": self.document,
            "devices": self.devices,
            "layouts": self.layouts,
            "strings": self.texts,
            "tracks": tracks,
            "chunks": self.chunks,
            "decoder": self,
            "flows": joints.flow_rows(),
            "edges": joints.all_edges(),
            "loose": self.loose,
        }

    def _sorted_tracks(self):
        """The tracks and their events in canonical order; in a canonical file they are already."""
        canonical = self.rank.trace.canonical
        for number, track in enumerate(self.tracks):
            if track.begin is None:
                self.fail(f"track {number} has no events")
            track.text_columns = {name for name, is_text in track.derived if is_text}
            track.derived = {name: values for (name, _), values in track.derived.items()}
            keys = list(zip(track.begin, map(operator.neg, track.end), track.seq))
            if all(map(operator.lt, keys, itertools.islice(keys, 1, None))):
                continue
            if canonical:
                self.fail(f"the events of track {number} of a canonical file are out of order")
            track.sort(sorted(range(len(keys)), key=keys.__getitem__))
        keys = {(track.pid, track.tid, track.family) for track in self.tracks}
        if len(keys) != len(self.tracks):
            self.fail("two tracks have one pid, tid and family")
        tracks = sorted(self.tracks, key=Track.order_key)
        if canonical and tracks != self.tracks:
            self.fail("the tracks of a canonical file are out of order")
        for index, track in enumerate(tracks):
            track.index = index
        return tracks
