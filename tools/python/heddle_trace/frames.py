"""Frames: sections 2 and 3 of the format."""

import gzip
import io
import struct
import tempfile
import zlib

from .codecs import unzstd, xxh3, zstd_content_size
from .errors import Error

HEADER = struct.Struct("<IHHQQ")
MAGIC = 0x0A424889
GZIP = b"\x1f\x8b"
MAX_PAYLOAD = 64 << 20
ALIGN = 16
END_BYTES = 32

HEAD, RANK, STRINGS, EVENTS, FLOWS, LOOSE, EDGES, FOOTER, RESULT, PROVENANCE, END = range(1, 12)
FIRST_FOREIGN = 0x8000
NAMES = "Head Rank Strings Events Flows Loose Edges Footer Result Provenance End".split()


def name_of(kind):
    """How the format calls a type of frames."""
    return NAMES[kind - 1] if 1 <= kind <= END else f"type {kind}"


class Frame:
    """One frame: where it is, its type, its size with header and padding, its message."""

    __slots__ = ("offset", "type", "size", "message")

    def __init__(self, offset, kind, size, message):
        self.offset, self.type, self.size, self.message = offset, kind, size, message


class File:
    """The bytes of a trace, behind gzip if there is any."""

    def __init__(self, path_or_file, limit):
        """`limit(size)` tells how many bytes a file of a size may unpack to."""
        self._owned = []
        if hasattr(path_or_file, "read"):
            self._file, self.path = path_or_file, getattr(path_or_file, "name", None)
        else:
            self._file, self.path = open(path_or_file, "rb"), path_or_file
            self._owned.append(self._file)
        try:
            self.size = self._file.seek(0, io.SEEK_END)
            if self.read(0, 2) == GZIP:
                self._unwrap(limit(self.size))
        except BaseException:
            self.close()
            raise

    def close(self):
        """Close what was opened here."""
        for file in self._owned:
            file.close()

    def read(self, offset, size):
        """Bytes from an offset, fewer at the end."""
        self._file.seek(offset)
        return self._file.read(size)

    def _unwrap(self, limit):
        """Unpack gzip into a file without a name."""
        self._file.seek(0)
        whole = tempfile.TemporaryFile()
        self._owned.append(whole)
        size = 0
        try:
            with gzip.GzipFile(fileobj=self._file) as packed:
                while block := packed.read(1 << 20):
                    if size == 0 and block[:4] != struct.pack("<I", MAGIC)[: len(block)]:
                        raise Error("no Heddle binary trace: the magic is not there", 0)
                    size += len(block)
                    if size > limit:
                        raise Error(f"the file unpacks to more than {limit} bytes", limit)
                    whole.write(block)
        except (OSError, EOFError, zlib.error) as error:
            raise Error(f"gzip cannot be unpacked: {error}", size) from error
        self._file, self.size = whole, size

    def header(self, offset, end):
        """(type, flags, payload's length, hash, whole size) of the frame at an offset, checked."""
        head = self.read(offset, HEADER.size)
        if len(head) < HEADER.size or offset + HEADER.size > end:
            if head[:4] != struct.pack("<I", MAGIC)[: len(head[:4])]:
                raise Error("no frame: the magic is not there", offset)
            raise Error("the file ends within the header of a frame", offset)
        magic, kind, flags, length, digest = HEADER.unpack(head)
        if magic != MAGIC:
            raise Error("no frame: the magic is not there", offset)
        if length > MAX_PAYLOAD:
            raise Error(
                f"the payload of a frame has {length} bytes, more than {MAX_PAYLOAD}", offset
            )
        if flags & ~1:
            raise Error(f"the frame has unknown flags {flags:#x}", offset)
        size = -(-(HEADER.size + length) // ALIGN) * ALIGN
        if offset + size > end:
            raise Error("the file ends within a frame", offset)
        return kind, flags, length, digest, size

    def frame(self, offset, budget, end=None):
        """The frame at an offset, checked but for what its message says."""
        kind, flags, length, digest, size = self.header(offset, self.size if end is None else end)
        whole = self.read(offset, size)
        if len(whole) != size:
            raise Error("the file ends within a frame", offset)
        payload = whole[HEADER.size : HEADER.size + length]
        if xxh3(whole[:16] + payload) != digest:
            raise Error("the hash of a frame does not fit its bytes", offset)
        if any(whole[HEADER.size + length :]):
            raise Error("the padding of a frame is not zero", offset)
        if kind == 0 or END < kind < FIRST_FOREIGN:
            raise Error(f"a frame has the unknown type {kind}", offset)
        if kind >= FIRST_FOREIGN:
            return Frame(offset, kind, size, b"")
        if flags & 1:
            try:
                unpacked = zstd_content_size(payload)
                if unpacked is None:
                    raise ValueError("the zstd frame does not say its size")
                if unpacked > MAX_PAYLOAD:
                    raise ValueError(f"the message has {unpacked} bytes, more than {MAX_PAYLOAD}")
                budget.charge(unpacked, offset)
                payload = unzstd(payload, unpacked)
            except ValueError as error:
                raise Error(f"the payload cannot be unpacked: {error}", offset) from error
        return Frame(offset, kind, size, payload)
