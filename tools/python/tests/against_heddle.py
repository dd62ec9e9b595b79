#!/usr/bin/env python3
"""Give small files to two readers, the module and heddle, and compare what they say.

usage: against_heddle.py HEDDLE FOLDER [SEED COUNT | --bytes]

Right files must give the same text; wrong ones, whose hashes fit, must be refused by both, by
heddle with a message and the exit code 1; also where it reads one rank alone, if that needs what is
wrong. Then COUNT mutants (100) are made by SEED (1) from the right files: a byte or two of a
message are changed, the hash is made to fit. Both must refuse it, or give the same text; but one
may refuse a message whose structure the other does not look at, or that takes too much of its
memory. With --bytes, each byte of a small file is changed without a new hash: heddle must refuse it
or print the same. FOLDER takes the files between.

The last line is "N files, N faults"; the exit code 1 if there are faults.
"""

import io
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import heddle_trace
import right_files
import wrong_files
from heddle_trace.codecs import xxh3
from heddle_trace.frames import END_BYTES, HEADER
from heddle_trace.result_text import result_lines
from heddle_trace.text import trace_lines


class Readers:
    """Both readers, and what they disagree about."""

    def __init__(self, heddle, folder):
        os.makedirs(folder, exist_ok=True)
        self.heddle, self.path = heddle, os.path.join(folder, "mutant.hb")
        self.count, self.faults = 0, []

    def module(self, data):
        """The text of a file, or an Error."""
        try:
            with heddle_trace.open(io.BytesIO(data)) as trace:
                trace.check()
                lines = [*trace_lines(trace), *result_lines(trace.results)]
                return "".join(line + "\n" for line in lines).encode()
        except heddle_trace.Error as error:
            return error

    def program(self, data, *options):
        """(exit code, text, messages) of heddle."""
        with open(self.path, "wb") as file:
            file.write(data)
        command = [self.heddle, "opt", self.path, "-S", *options]
        done = subprocess.run(command, capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def fault(self, name, what):
        """Keep a disagreement."""
        self.faults.append(f"{name}: {what}")

    def compare(self, name, data, wanted):
        """`wanted`: "right", "wrong", or "any" for what may be either."""
        self.count += 1
        mine = self.module(data)
        code, text, messages = self.program(data)
        refused = isinstance(mine, heddle_trace.Error)
        if code not in (0, 1) or (code == 1 and b"error: " not in messages):
            self.fault(name, f"heddle ended with {code}: {messages[:200]}")
        if refused and wanted == "right":
            self.fault(name, f"the module says {mine}")
        if not refused and wanted == "wrong":
            self.fault(name, "the module takes it")
        if code and wanted == "right":
            self.fault(name, f"heddle says {messages[:200]}")
        if not code and wanted == "wrong":
            self.fault(name, f"heddle takes it; the module says {mine}")
        own = b"no such table" in messages or b"decompression bomb" in messages
        own = own or refused and re.search("the message is broken|unpacks to more than", str(mine))
        if wanted == "any" and refused != bool(code) and not own:
            self.fault(name, f"heddle ended with {code} {messages[:200]}; the module says {mine}")
        if not refused and not code and text != mine:
            self.fault(name, "they read different traces")


def places_of(data):
    """(offset, length of the payload) of all frames but End."""
    places, offset = [], 0
    while offset < len(data) - END_BYTES:
        length = struct.unpack_from("<Q", data, offset + 8)[0]
        if length:
            places.append((offset, length))
        offset += -(-(HEADER.size + length) // 16) * 16
    return places


def mutant(data, places, dice):
    """A copy in which bytes of one message are others, with a hash that fits."""
    data = bytearray(data)
    offset, length = dice.choice(places)
    begin = offset + HEADER.size
    for _ in range(dice.choice((1, 1, 1, 2))):
        at = begin + dice.randrange(length)
        byte = data[at]
        data[at] = dice.choice(
            (byte ^ 1 << dice.randrange(8), 0, 255, byte + 1 & 255, byte - 1 & 255)
        )
    digest = xxh3(bytes(data[offset : offset + 16] + data[begin : begin + length]))
    struct.pack_into("<Q", data, offset + 16, digest)
    return bytes(data)


def main(arguments):
    """Runs what the arguments say; returns the exit code."""
    if len(arguments) not in (2, 3, 4) or len(arguments) == 3 and arguments[2] != "--bytes":
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    readers = Readers(*arguments[:2])
    right = dict(right_files.drafts())
    if arguments[2:] == ["--bytes"]:
        data = right["compressed_payloads"]
        whole = readers.module(data)
        for place in range(len(data)):
            changed = bytearray(data)
            changed[place] ^= 1 << place % 8
            code, text, messages = readers.program(bytes(changed))
            readers.count += 1
            if code not in (0, 1) or code == 0 and text != whole:
                readers.fault(f"byte {place}", f"heddle ended with {code}: {messages[:200]}")
    else:
        seed, count = map(int, arguments[2:] or (1, 100))
        for name, data in right.items():
            readers.compare(name, data, "right")
        for name, data, _ in wrong_files.drafts():
            readers.compare(name, data, "wrong")
        for name, data, _ in wrong_files.drafts(beside=True):
            readers.count += 1
            code, _, messages = readers.program(data, "--rank=3")
            if (code != 1) != (name in wrong_files.NOT_OF_THE_RANK):
                readers.fault(name + ", one rank", f"heddle ended with {code}: {messages[:200]}")
        dice = random.Random(seed)
        seeds = [
            right[name] for name in sorted(right) if name not in ("in_gzip", "compressed_payloads")
        ]
        for number in range(count):
            data = dice.choice(seeds)
            readers.compare(
                f"mutant {number} of seed {seed}", mutant(data, places_of(data), dice), "any"
            )
    print(*readers.faults, f"{readers.count} files, {len(readers.faults)} faults", sep="\n")
    return 1 if readers.faults or not readers.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
