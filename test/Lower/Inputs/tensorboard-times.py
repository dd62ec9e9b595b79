"""By how much the wall times of two ranks' scalars differ in a run directory, for each step, in whole ms.

usage: tensorboard-times.py <lint-tensorboard> <run>

Also prints the whole ms from the first rank's trace file to the second's, by their names.
"""
import os
import re
import sys

from event_file import figures


def main(lint_path, run):
    times = {}
    for wall, step, value in figures(lint_path, run):
        tag = value[1][0].decode()
        if re.fullmatch(r"rank \d+ host/step \(ms\)", tag):
            times.setdefault(step, {})[tag[:6]] = wall
    for step, of in sorted(times.items()):
        print(f"step {step}: {(of['rank 1'] - of['rank 0']) * 1e3:.0f} ms")
    starts = [int(name.split(".")[-5]) for name in sorted(os.listdir(run)) if ".pt.trace." in name]
    print(f"files: {round((starts[1] - starts[0]) / 1e6)} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
