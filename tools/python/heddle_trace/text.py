"""Prints a trace as `.ht` text, as docs/TraceText.md describes it.

The lines are those that `heddle opt FILE.hb -S` prints, byte for byte.
"""

import re

from . import model
from .model import ENDS, SourceId, to_bytes

_UNPLAIN = re.compile('["\\\\\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_IDENTIFIER = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_]|-(?=[A-Za-z0-9_]))*\Z", re.A)
_STRING = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
_SCALAR = re.compile(
    _STRING + r"|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?!\w)",
    re.A,
)
_KEY = re.compile(_STRING + ": ")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?=\[)', re.S)
_LETTERS = {
    "kernel": "k",
    "memcpy": "c",
    "memset": "f",
    "runtime": "l",
    "driver": "l",
    "cpu_op": "o",
    "annotation": "a",
}
_ALWAYS_SPANS = frozenset("cpu_op runtime driver kernel memcpy memset sync python".split())
_USUAL_CATS = {
    "annotation": "user_annotation",
    "runtime": "cuda_runtime",
    "driver": "cuda_driver",
    "memcpy": "gpu_memcpy",
    "memset": "gpu_memset",
    "sync": "cuda_sync",
    "event": "cuda_event",
    "python": "python_function",
    "memory": "cpu_instant_event",
    "comm": "collective_comm",
    "window": "Trace",
    "marker": None,
    "counter": None,
}


def _escape(match):
    char = match.group()
    if char in '"\\':
        return "\\" + char
    if char in "\n\t":
        return "\\n" if char == "\n" else "\\t"
    return "".join(f"\\x{byte:02X}" for byte in to_bytes(char))


def quoted(text):
    """A text between quotes."""
    return '"' + _UNPLAIN.sub(_escape, text) + '"'


def key(text):
    """A key: quoted unless it is an identifier."""
    return text if _IDENTIFIER.match(text) else quoted(text)


def is_canonical(text):
    """Whether a text is one JSON value in canonical spacing."""
    position, closers = 0, []
    while True:
        char = text[position : position + 1]
        if char and char in "[{":
            closer = "]" if char == "[" else "}"
            position += 1
            if text[position : position + 1] == closer:
                position += 1
            else:
                closers.append(closer)
                if closer == "}":
                    match = _KEY.match(text, position)
                    if not match:
                        return False
                    position = match.end()
                continue
        else:
            match = _SCALAR.match(text, position)
            if not match:
                return False
            position = match.end()
        while closers and text[position : position + 1] == closers[-1]:
            closers.pop()
            position += 1
        if not closers:
            return position == len(text)
        if text[position : position + 2] != ", ":
            return False
        position += 2
        if closers[-1] == "}":
            match = _KEY.match(text, position)
            if not match:
                return False
            position = match.end()


def json_text(text, scalars=False):
    """JSON as it stands in text; `scalars` allows more than lists and objects."""
    printable = not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", text)
    if not printable or not (scalars or text[:1] in ("[", "{")) or not is_canonical(text):
        return "#json" + quoted(text)
    return _BRACKETS.sub(lambda m: "[ " if m.group() == "[" else m.group(), text)


def source_id(value):
    """A pid or tid."""
    if value.form == "absent":
        return "none"
    if value.form == "int":
        return str(value.value)
    return ("#" if value.form == "raw" else "") + quoted(value.value)


def _facts(head, pairs):
    """A line of facts in braces, if there are any."""
    pairs = [f"{key(name)} = {value}" for name, value in pairs]
    return [head + ", ".join(pairs) + " }"] if pairs else []


class _Part:
    """A layout but for its args: how it is spelled, and which of its values stand where."""

    def __init__(self, layout):
        self.layout = layout
        words, run, arguments = [], None, 0
        for entry in layout.entries:
            if entry.scope == "args":
                arguments += 1
                if run is None:
                    run = ["members", 0, None]
                    words.append(run)
                run[1] += 1
                continue
            run = None
            if entry.slot is not None or entry.type == "null":
                words.append([quoted(entry.key), None, None])
                continue
            word = entry.type
            if word in ("ts", "dur"):
                word += " quoted" if entry.quoted else ""
                word += f" {entry.scale}" if entry.scale != 3 else ""
            other_key = None if entry.key == entry.type else entry.key
            words.append([word, 0 if word == "args" else None, other_key])
            if word == "args":
                run = words[-1]
        self.braces = any(count is not None for _, count, _ in words)
        for word in words:
            if word[0] == "args" and word[1] == arguments:
                word[1] = None
                break
        spelled = []
        for word, count, other_key in words:
            word += f" {count}" if count is not None else ""
            spelled.append(word + (f" as {quoted(other_key)}" if other_key is not None else ""))
        code = ord(layout.phase)
        phase = quoted(layout.phase) if code < 0x80 else f'"\\x{code:02X}"'
        self.text = spell(phase, layout.cat, spelled)
        self.number = None


def spell(phase, cat, words):
    """A layout line behind its number."""
    return phase + (f" cat {quoted(cat)}" if cat is not None else "") + f" ({', '.join(words)})"


class _RankPrinter:
    def __init__(self, rank):
        self.rank, self.next_seq = rank, 0
        self.parts = [_Part(layout) for layout in rank.layouts]
        self.part_lines, self.usual_cache, self.text_cache = {}, {}, {}
        self.labels = {}
        self.host = 1000
        for track in rank.tracks:
            if track.is_thread and track.pid.form == "int":
                self.host = track.pid.value
                break

    def quoted(self, text):
        found = self.text_cache.get(text)
        if found is None:
            found = self.text_cache[text] = quoted(text)
        return found

    def lines(self):
        """All lines of the rank."""
        self._name_events()
        self._number_parts()
        yield from self._head()
        for text, number in self.part_lines.items():
            yield f"    layout @{number} {text}"
        launches = {}
        for edge in self.rank.edges:
            if edge.kind == "launch":
                launches.setdefault(edge.source, []).append(self.labels[edge.target])
        for track, values in zip(self.rank.tracks, self.rank.row_values()):
            yield self._track_line(track)
            yield from self._empty_columns(track)
            yield from self._events(track, values, launches)
            yield "    }"
        for edge in self.rank.edges:
            if edge.kind != "launch":
                source, target = self.labels[edge.source], self.labels[edge.target]
                yield f"    edge {edge.kind} {source} -> {target}"
        yield from self._flows()
        for row in self.rank.loose:
            number = "" if row.seq == self.next_seq else f"[#{row.seq}] "
            self.next_seq = row.seq + 1
            yield f"    loose {number}{json_text(row.text)}"
        yield "  }"

    # Preparation.

    def _name_events(self):
        named = {edge.target for edge in self.rank.edges}
        named.update(edge.source for edge in self.rank.edges if edge.kind != "launch")
        named.update(flow.event for flow in self.rank.flows if flow.event)
        counts = {}
        for ref in sorted(named):
            letter = _LETTERS.get(self.rank.tracks[ref.track].kind[ref.index], "e")
            number = counts.get(letter, 0)
            counts[letter] = number + 1
            self.labels[ref] = f"%{letter}{number}"

    def _number_parts(self):
        for track in self.rank.tracks:
            seen = set()
            for i, layout in enumerate(track.layout):
                what = (layout, track.kinds[i], track.begin[i] == track.end[i])
                if what not in seen:
                    seen.add(what)
                    if not self._is_usual(track, i):
                        self._number(self.parts[layout])
        for flow in self.rank.flows:
            self._number(self.parts[flow.layout])

    def _number(self, part):
        part.number = self.part_lines.setdefault(part.text, len(self.part_lines))

    def _is_span(self, track, i):
        kind, phase = track.kind[i], self.parts[track.layout[i]].layout.phase
        if track.begin[i] != track.end[i] or kind in _ALWAYS_SPANS:
            return True
        pairs = kind == "marker" and (phase in ENDS or phase in model.END_PHASES)
        return not (phase in "iIRCnTp" or pairs)

    def _is_usual(self, track, i):
        """Whether a line needs no layout: what TraceText.md says of a line without brackets."""
        part, kind, span = self.parts[track.layout[i]], track.kind[i], self._is_span(track, i)
        forms = track.pid.form != "absent", track.tid.form != "absent"
        what = (track.layout[i], kind, span, track.is_stream, *forms)
        if what not in self.usual_cache:
            phase = "X" if span else "C" if kind == "counter" else "i"
            cat = part.layout.cat if kind == "other" else _USUAL_CATS.get(kind, kind)
            if kind == "annotation" and track.is_stream:
                cat = "gpu_user_annotation"
            words = ["ph"] + ["cat"] * (cat is not None) + ["name"]
            words += ["pid"] * forms[0] + ["tid"] * forms[1] + ["ts"] + ["dur"] * span
            words += ["args"] * part.braces
            self.usual_cache[what] = spell(quoted(phase), cat, words) == part.text
        return self.usual_cache[what]

    # The head of the rank.

    def _head(self):
        rank, recording = self.rank, self.rank.recording
        line = "  rank"
        for word, number in (("", rank.number), (" of", rank.world_size), (" cycle", rank.cycle)):
            line += "" if number is None else f"{word} {number}"
        for word, text in (("host", rank.host), ("backend", rank.backend)):
            line += f" {word} {quoted(text)}" if text else ""
        line += f" pid {self.host}" if self.host != 1000 else ""

        def numbers(device):
            names = ("sms", "memory", "compute_major", "compute_minor")
            return [(name, getattr(device, name)) for name in names if getattr(device, name) != -1]

        devices = [(f"device {d.id} {quoted(d.name)}", numbers(d)) for d in rank.devices]
        if len(devices) == 1 and not devices[0][1]:
            line += " " + devices.pop()[0]
        yield line + " {"
        usual_vendor = "cuda" if any(track.is_stream for track in rank.tracks) else "none"
        facts = []
        for name, usual in (("format", "heddle-text"), ("producer", ""), ("part", "")):
            if getattr(recording, name) != usual:
                facts.append((name, quoted(getattr(recording, name))))
        facts += [("vendor", recording.vendor)] * (recording.vendor != usual_vendor)
        facts += [("origin", recording.origin)] * (recording.origin != 0)
        facts += [("base", recording.base)] * (recording.base is not None)
        for name in (
            "absolute",
            "unpadded_fraction",
            "integer_microseconds",
            "external_ids_broken",
            "partial",
        ):
            facts += [(name, "true")] * getattr(recording, name)
        for name in ("truncated_at", "source_events"):
            facts += [(name, getattr(recording, name))] * (getattr(recording, name) != 0)
        yield from _facts("    recording { ", facts)
        if rank.placement:
            place = rank.placement
            facts = [("clock", place.clock)] + [("ids", place.ids)] * (place.ids != 0)
            facts += [("origin", place.origin)] * (place.origin != 0)
            facts += [("assumed", "true")] * place.assumed
            facts += [("stated", place.stated)] * (place.stated is not None)
            yield from _facts("    placed { ", facts)
        for name in ("repairs", "notes"):
            counts = getattr(recording, name)
            yield from _facts(
                f"    {name} {{ ", sorted(counts.items(), key=lambda c: to_bytes(c[0]))
            )
        for head, pairs in devices:
            yield from _facts(f"    {head} {{ ", pairs) or [f"    {head}"]
        document = rank.document
        if document.is_array or document.members:
            yield "    document array {" if document.is_array else "    document {"
            for name, text in document.members:
                yield f"      {key(name)}" + ("" if text is None else f" = {json_text(text, True)}")
            yield "    }"

    # Tracks and events.

    def _track_line(self, track):
        head, _, word = track.family.partition("-")
        head = {"counter": "counters"}.get(head, head)
        line = f"    {head}"
        if track.is_thread:
            line += f" {source_id(track.tid)}"
            usual = SourceId("int", self.host), track.tid
        elif track.is_stream:
            line += f" {track.stream} device {track.device}"
            usual = SourceId("int", track.device), SourceId("int", track.stream)
        elif head == "overhead":
            usual = SourceId("int", -1), SourceId("int", 0)
        elif head == "window":
            usual = SourceId("string", "Spans"), SourceId("string", "PyTorch Profiler")
        else:
            usual = SourceId("int", self.host), SourceId("absent", None)
        line += f" {word}" if word else ""
        line += f" {quoted(track.label)}" if track.label is not None else ""
        line += f" pid {source_id(track.pid)}" if track.pid != usual[0] else ""
        line += f" tid {source_id(track.tid)}" if track.tid != usual[1] else ""
        if not track.is_stream:
            line += f" device {track.device}" if track.device != -1 else ""
            line += f" stream {track.stream}" if track.stream != -1 else ""
        return line + " {"

    @staticmethod
    def _columns(track):
        """Derived columns by name."""
        return sorted(track.derived.items(), key=lambda column: to_bytes(column[0]))

    def _empty_columns(self, track):
        empty = []
        for name, values in self._columns(track):
            if all(value is None for value in values):
                empty.append((name, "string" if name in track.text_columns else "int"))
        return _facts("      derived { ", empty)

    def _value(self, entry, value):
        if entry.type == "int":
            return str(value)
        if entry.type == "string":
            return self.quoted(value)
        if entry.type == "decimal":
            return format(value, "f") + ("." if value.as_tuple().exponent == 0 else "")
        if entry.type == "bool":
            return "true" if value else "false"
        if entry.type == "list":
            return json_text(value)
        return "#" + self.quoted(value) if entry.type == "raw" else "null"

    def _bracket_and_args(self, usual, layout, seq, values):
        part = self.parts[layout]
        bracket, members = [], []
        for entry, value in self.rank.pair_values(part.layout, values):
            text = f"{key(entry.key)} = {self._value(entry, value)}"
            (members if entry.scope == "args" else bracket).append(text)
        bracket = [] if usual else [f"@{part.number}", *bracket]
        if seq != self.next_seq:
            bracket.insert(0, f"#{seq}")
        self.next_seq = seq + 1
        line = f" [{', '.join(bracket)}]" if bracket else ""
        if part.braces:
            line += f" {{ {', '.join(members)} }}" if members else " {}"
        return line

    def _events(self, track, values, launches):
        columns = self._columns(track)
        for i, layout in enumerate(track.layout):
            ref, kind = model.EventRef(track.index, i), track.kind[i]
            label = self.labels.get(ref)
            cat = self.parts[layout].layout.cat
            line = f"      {label} = " if label else "      "
            line += self.quoted(cat) if kind == "other" and cat is not None else kind
            line += f" {self.quoted(track.name[i])} at {track.begin[i]}"
            if self._is_span(track, i):
                line += f" for {track.end[i] - track.begin[i]}"
            usual = self._is_usual(track, i)
            line += self._bracket_and_args(usual, layout, track.seq[i], values[i])
            derived = []
            for name, column in columns:
                if column[i] is not None:
                    text = quoted(column[i]) if name in track.text_columns else column[i]
                    derived.append(f"{key(name)} = {text}")
            line += f" !{{ {', '.join(derived)} }}" if derived else ""
            targets = launches.get(ref)
            yield line + (f" -> {', '.join(targets)}" if targets else "")

    def _flows(self):
        for flow in self.rank.flows:
            usual = SourceId("absent", None), SourceId("absent", None)
            if flow.event:
                track = self.rank.tracks[flow.event.track]
                usual = track.pid, track.tid
            line = f"    {'end' if flow.is_end else 'flow'} {quoted(flow.name)} at {flow.at}"
            line += f" pid {source_id(flow.pid)}" if flow.pid != usual[0] else ""
            line += f" tid {source_id(flow.tid)}" if flow.tid != usual[1] else ""
            line += self._bracket_and_args(False, flow.layout, flow.seq, flow.values)
            yield line + (f" on {self.labels[flow.event]}" if flow.event else "")


def trace_lines(trace):
    """The lines of a trace."""
    yield "trace {"
    for number, clock in enumerate(trace.clocks):
        facts = [
            (n, getattr(clock, n)) for n in ("reference", "offset", "drift") if getattr(clock, n)
        ]
        facts += [("error", clock.error)] * (clock.error is not None)
        yield from _facts(f"  clock {number} {{ ", facts) or [f"  clock {number} {{}}"]
    for rank in trace.ranks:
        yield from _RankPrinter(rank).lines()
    yield "}"
