"""By how much the wall times of two ranks' scalars differ in a run directory, for each step, in whole ms.

usage: tensorboard-times.py <lint-tensorboard> <run>

Also prints the whole ms from the first rank's trace file to the second's, by their names.
"""
import importlib.machinery
import importlib.util
import os
import re
import struct
import sys


def main(lint_path, run):
    loader = importlib.machinery.SourceFileLoader("lint", lint_path)
    lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
    loader.exec_module(lint)
    name = next(n for n in os.listdir(run) if "tfevents" in n)
    with open(os.path.join(run, name), "rb") as file:
        data = file.read()
    times, at = {}, 0
    while at < len(data):
        length = struct.unpack_from("<Q", data, at)[0]
        event = lint.fields(data[at + 12:at + 12 + length])
        at += 16 + length
        for summary in event.get(5, []):
            for value in map(lint.fields, lint.fields(summary)[1]):
                tag = value[1][0].decode()
                if re.fullmatch(r"rank \d+ host/step \(ms\)", tag):
                    wall = event[1][0]
                    times.setdefault(event.get(2, [0])[0], {})[tag[:6]] = (
                        struct.unpack("<d", wall)[0] if isinstance(wall, bytes) else wall)
    for step, of in sorted(times.items()):
        print(f"step {step}: {(of['rank 1'] - of['rank 0']) * 1e3:.0f} ms")
    starts = [int(name.split(".")[-5]) for name in sorted(os.listdir(run)) if ".pt.trace." in name]
    print(f"files: {round((starts[1] - starts[0]) / 1e6)} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
