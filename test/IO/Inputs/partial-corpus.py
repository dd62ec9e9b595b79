"""Compares the figures of single steps, read from a part of a .hb, with those of the whole file.

usage: partial-corpus.py HEDDLE FOLDER INDEX.tsv

The first, the middle and the last step of each trace beside the index. The last line is
"N steps, N read in part, N faults".
"""
import csv
import io
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PASSES = "--passes=rank(idle-gaps,kernels)"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check(heddle, stem, path):
    """(step, was read in part, is the same) of some steps of a trace."""
    binary, text = stem + ".hb", stem + ".ht"
    if run(heddle, "opt", path, "-o", binary).returncode:
        return []
    run(heddle, "opt", binary, "-o", text)
    table = run(heddle, "opt", binary, "--passes=rank(gpu-breakdown)", "--emit=csv", "--table=gpu-breakdown")
    steps = [r["step"] for r in csv.DictReader(io.StringIO(table.stdout)) if r["step"].isdigit()]
    found = []
    for step in {steps[0], steps[len(steps) // 2], steps[-1]} if steps else ():
        whole = run(heddle, "opt", text, PASSES, "--steps=" + step)
        part = run(heddle, "opt", binary, PASSES, "--steps=" + step, "--stats")
        # Events of a part have other numbers.
        same = [re.sub(r" on [0-9:, ]+", "", o.stdout) for o in (whole, part)]
        found.append((step, "read " in part.stderr, same[0] == same[1] and not part.returncode))
    os.remove(binary)
    os.remove(text)
    return found


def main(heddle, folder, index):
    os.makedirs(folder, exist_ok=True)
    with open(index, encoding="utf-8") as file:
        names = [row["file"] for row in csv.DictReader(file, delimiter="\t")]
    stems = [os.path.join(folder, str(i)) for i in range(len(names))]
    paths = [os.path.join(os.path.dirname(index), name) for name in names]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(check, [heddle] * len(paths), stems, paths))
    for path, found in zip(paths, results):
        for step, _, same in found:
            if not same:
                print(f"{path}: step {step} differs")
    all_steps = [f for found in results for f in found]
    faults = sum(not same for _, _, same in all_steps)
    print(f"{len(all_steps)} steps, {sum(part for _, part, _ in all_steps)} read in part, {faults} faults")


main(*sys.argv[1:])
