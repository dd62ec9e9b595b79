"""A file and its ranks: sections 2, 6 and 13 of the format."""

import contextlib
import struct

from . import frames
from .errors import Budget, Error
from .frames import END_BYTES, name_of
from .messages import Reader
from .model import MAX_TIME, Clock
from .rank import Rank
from .results import Pieces, read_provenance, read_result

_ALLOWANCE, _RATIO = 1 << 30, 2000


class Trace:
    """An open `.hb` file: see heddle_trace.open.

    ranks: list of Rank. clocks: list of Clock. canonical: the file depends on the trace alone.
    results: list of Result. provenance: a Provenance. path: which file it is.
    """

    def __init__(self, path_or_file, limit=None):
        self._limit = limit
        self.path = getattr(path_or_file, "name", None)
        if not hasattr(path_or_file, "read"):
            self.path = path_or_file
        self.file = None
        with self.errors():
            self.file = frames.File(path_or_file, self._limit_of)
            try:
                self._open()
            except BaseException:
                self.file.close()
                raise
        self._results = self._provenance = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Trace {self.path} of {len(self.ranks)} ranks>"

    def close(self):
        """Close the file; ranks that were read stay."""
        self.file.close()

    def _limit_of(self, size):
        return self._limit if self._limit is not None else _RATIO * size + _ALLOWANCE

    @contextlib.contextmanager
    def errors(self):
        """Makes errors name the file."""
        try:
            yield
        except Error as error:
            error.path = error.path or self.path
            raise

    def _open(self):
        self.budget = Budget(self._limit_of(self.file.size))
        head = self.file.frame(0, self.budget)
        if head.type != frames.HEAD:
            raise Error(f"the first frame is {name_of(head.type)}, no Head", 0)
        message = Reader(head.message, 0, self.budget).root("Head")
        if message.version != 0:
            raise Error(f"the format's version is {message.version}; this reader knows 0", 0)
        if message.must_understand:
            raise Error(f"the file needs unknown features {message.must_understand:#x}", 0)
        end = self.file.size - END_BYTES
        cut = "the last frame is no End: the file was cut, or something follows it"
        if end < head.size or end % frames.ALIGN:
            raise Error(cut, max(end, 0))
        try:
            last = self.file.frame(end, self.budget)
        except Error as error:
            raise Error(f"{cut} ({error.cause})", end) from error
        if last.type != frames.END or len(last.message) != 8:
            raise Error(cut, end)
        (self.footer_offset,) = struct.unpack("<Q", last.message)
        if self.footer_offset % frames.ALIGN or not head.size <= self.footer_offset < end:
            raise Error(f"the footer cannot stand at {self.footer_offset}", end)
        footer = self.file.frame(self.footer_offset, self.budget, end)
        if footer.type != frames.FOOTER:
            raise Error(f"{name_of(footer.type)} stands where the footer should", footer.offset)
        message = Reader(footer.message, footer.offset, self.budget).root("Footer")
        self.canonical = message.canonical
        self.clocks = [self._clock(clock) for clock in message.clocks]
        self.ranks = [Rank(self, index, entry) for index, entry in enumerate(message.ranks)]
        self._first, self._behind, self._end = head.size, footer.offset + footer.size, end

    def _clock(self, stored):
        """A Clock as it is stored; one that `verify` would refuse is refused."""
        if stored.has_error > 1:
            raise Error("a clock has an error of an unknown form", self.footer_offset)
        error = stored.error if stored.has_error else None
        beyond = max(abs(stored.reference), abs(stored.offset)) > MAX_TIME
        if beyond or abs(stored.drift) >= 10**9 or (error or 0) < 0:
            raise Error(
                "a clock has an offset, drift or error that none can have", self.footer_offset
            )
        return Clock(stored.reference, stored.offset, stored.drift, error)

    def _read_behind(self):
        """Results and provenance."""
        pieces, provenance, offset = Pieces(), None, self._behind
        while offset < self._end:
            frame = self.file.frame(offset, self.budget, self._end)
            reader = Reader(frame.message, offset, self.budget)
            if frame.type == frames.RESULT and provenance is None:
                message = reader.root("Result")
                result = read_result(message, len(self.ranks), offset, self.budget)
                pieces.add(message, result, offset)
            elif frame.type == frames.PROVENANCE and provenance is None:
                pieces.end(offset)
                message = reader.root("Provenance")
                provenance = read_provenance(message, len(self.ranks), offset)
            elif frame.type < frames.FIRST_FOREIGN:
                raise Error(f"a frame of {name_of(frame.type)} is out of place", offset)
            offset += frame.size
        if provenance is None:
            raise Error("the file has no Provenance", self._end)
        self._results, self._provenance = pieces.results, provenance

    def _read_once(self):
        if self._results is None:
            with self.errors():
                self._read_behind()

    @property
    def results(self):
        """What passes published, in order."""
        self._read_once()
        return self._results

    @property
    def provenance(self):
        """Who wrote the file."""
        self._read_once()
        return self._provenance

    def table(self, table_id):
        """The rows of all tables of that id, over passes and ranks, as one list of dicts."""
        tables = [t for result in self.results for t in result.tables if t.id == table_id]
        return [row for table in tables for row in table.rows]

    def check(self):
        """Read everything, and refuse what opening and reading ranks do not look at.

        The frames of the file follow each other without gaps, in the order of the format; the
        footer lists each once; all columns can be decoded; evidence exists.
        """
        with self.errors():
            self._check_frames()
            for rank in self.ranks:
                rank.load()
                for chunk in rank.chunks:
                    for slot in chunk.slots:
                        rank.decoder.slot_values(chunk, slot)
            for result in self.results:
                for remark in result.remarks:
                    self._check_remark(remark, result.rank)

    def _check_frames(self):
        listed = [[(k, f.offset) for k, f, _ in rank.frame_entries()] for rank in self.ranks]
        for rank in self.ranks:
            for part in (
                rank.entry.heads,
                [s.frame for s in rank.entry.strings],
                [c.frame for c in rank.entry.chunks],
            ):
                if any(a.offset >= b.offset for a, b in zip(part, part[1:])):
                    raise Error("the footer lists frames out of order", self.footer_offset)
        found, offset = [[] for _ in self.ranks], self._first
        while offset < self.footer_offset:
            frame = self.file.frame(offset, self.budget, self.footer_offset)
            if frames.RANK <= frame.type <= frames.EDGES:
                message = Reader(frame.message, offset, self.budget).root(name_of(frame.type))
                if message.rank >= len(found):
                    raise Error(f"the footer lacks rank {message.rank}", offset)
                if not found[message.rank] and not all(found[: message.rank]):
                    raise Error("ranks are not in the order of their first frames", offset)
                found[message.rank].append((frame.type, offset))
            elif frame.type < frames.FIRST_FOREIGN:
                raise Error(f"a frame of {name_of(frame.type)} is out of place", offset)
            offset += frame.size
        if found != listed:
            raise Error("the footer does not list the frames that there are", self.footer_offset)

    def _check_remark(self, remark, rank):
        if remark.rank is not None and not 0 <= remark.rank < len(self.ranks):
            raise Error(f"the remark {remark.id} is about rank {remark.rank}")
        rank = rank if remark.rank is None else remark.rank
        for ref in remark.evidence:
            tracks = [] if rank is None else self.ranks[rank].tracks
            if ref.track >= len(tracks) or ref.index >= len(tracks[ref.track]):
                raise Error(f"the evidence of {remark.id} does not exist")
