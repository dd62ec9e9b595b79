"""Compare the figures of a file of several ranks with those of the files that it was made of.

usage: figures.py HEDDLE MERGED FILE...     the files, or a folder of them, in the order of the ranks

Runs the passes on ranks on each and compares all tables but for their columns rank and cycle. Prints
how many tables and rows were compared, and each table that differs; exit 1 if one does.
"""
import json
import os
import subprocess
import sys

PASSES = "rank(gpu-breakdown,idle-gaps,kernels,ops)"


def tables(heddle, path):
    """By input and table: the rows."""
    command = [heddle, "opt", path, "--passes=" + PASSES, "--emit=report-json"]
    document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    found = {}
    for unit in document["results"]:
        for table in unit["tables"]:
            keys = [column["key"] for column in table["columns"]]
            rows = [dict(zip(keys, row)) for row in table["rows"]]
            for row in rows:
                row.pop("rank", None)
                row.pop("cycle", None)
            found.setdefault(unit["input"], {})[table["id"]] = rows
    return found


def main():
    heddle, merged, *named = sys.argv[1:]
    paths = []
    for name in named:
        folder = sorted(os.listdir(name)) if os.path.isdir(name) else []
        paths += [os.path.join(name, file) for file in folder] or [name]
    together = tables(heddle, merged)
    compared = rows = bad = 0
    if len(together) != len(paths):
        print(f"{len(together)} ranks of {len(paths)} files")
        bad += 1
    for place, path in enumerate(paths):
        alone = tables(heddle, path).get(0, {})
        beside = together.get(place, {})
        for table in sorted(set(alone) | set(beside)):
            compared += 1
            rows += len(alone.get(table, []))
            if alone.get(table) != beside.get(table):
                bad += 1
                print(f"{path}: {table} differs")
    print(f"{compared} tables, {rows} rows, {bad} differ")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
