"""A small right file, to be changed and then written; and the list of changes that make it wrong."""

import copy
import ctypes
import struct

import tiny_writer as tiny

# The frames of tiny.small by name, and how many strings it has, the empty one among them.
NAMES = "head strings rank events flows loose edges result provenance".split()
STRINGS = 21
MAX_TIME = 2**62 - 1


class Draft:
    """The parts of a small trace, to be changed and then written."""

    def __init__(self):
        self.frames = copy.deepcopy(tiny.small())
        self.options = {"ranks": copy.deepcopy(tiny.RANKS)}
        self.rewrite = lambda data: data
        for name, part in zip(NAMES, self.frames):
            setattr(self, name, part[1])

    def facts(self, name):
        """What the footer says of a frame."""
        return self.frames[NAMES.index(name)][2]

    def put(self, before, *new):
        """Add frames before one."""
        place = NAMES.index(before)
        self.frames[place:place] = [list(part) for part in new]

    def replace(self, name, payload):
        """Put bytes in the place of a message."""
        self.frames[NAMES.index(name)][1] = payload

    def swap(self, a, b):
        """Exchange two frames."""
        a, b = NAMES.index(a), NAMES.index(b)
        self.frames[a], self.frames[b] = self.frames[b], self.frames[a]

    def write(self, beside=False):
        """The bytes of the file; with a right rank beside the first, of number 4, if wanted."""
        frames, options = self.frames, dict(self.options)
        if beside:
            right = copy.deepcopy(tiny.small()[1:7])
            for part in right:
                part[1]["rank"] = 1
            right[1][1]["number"] = 4
            kinds = [part[0] for part in frames]
            behind = [n for n, k in enumerate(kinds) if k in (tiny.RESULT, tiny.PROVENANCE)]
            frames = frames[: behind[0]] + right + frames[behind[0] :]
            options["ranks"] = [*self.options.get("ranks", [{}]), {"number": 4}]
        return self.rewrite(tiny.write(frames, **options))


WRONG = {}


def wrong(cause):
    """Registers a change that makes a file wrong, and a part of the message that it leads to."""

    def register(change):
        WRONG[change.__name__] = change, cause
        return change

    return register


def simple(name, cause, change):
    """The same for a change that is one expression."""
    WRONG[name] = change, cause


def edit_frame(kind, change):
    """A change of the bytes of all frames of a type."""

    def edit(draft):
        draft.options["edit_frames"] = lambda k, data: change(data) if k == kind else data

    return edit


def payload_of(data):
    """The payload of a frame."""
    return data[24 : 24 + struct.unpack_from("<Q", data, 8)[0]]


def set_in(name, **values):
    """A change of fields of a message."""
    return lambda draft: getattr(draft, name).update(values)


def with_footer(change):
    """A change of the footer."""
    return lambda draft: draft.options.update(edit_footer=change)


def entry_of(footer, name):
    """A list of the first rank of a footer."""
    return footer["ranks"][0][name]


def item(rows, index, field, value):
    """Replace a field of a tuple in a list."""
    row = list(rows[index])
    row[field] = value
    rows[index] = tuple(row)


def pack(data):
    """One zstd frame."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(len(data) + 1000)
    sizes = ctypes.c_size_t(len(out)), ctypes.c_size_t(len(data))
    size = zstd.ZSTD_compress(out, sizes[0], data, sizes[1], 3)
    return out.raw[:size]
