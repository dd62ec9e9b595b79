"""Compare the figures of a run directory's event file with the tables that they render.

usage: tensorboard-figures.py <lint-tensorboard> <run> <gpu-breakdown.csv> <idle-gaps-causes.csv> <host-steps.csv>

Prints the tags of the first step and how many figures there are; exits 1 if one is missing or differs.
"""
import csv
import struct
import sys

import event_file

COLUMNS = {"GPU period": "window_ns", "busy": "busy_ns", "idle": "idle_ns", "compute": "compute_ns",
           "exposed communication": "exposed_comm_ns", "exposed copies": "exposed_copy_ns"}


def main(lint_path, run, breakdown, causes, host):
    figures = {(value[1][0].decode(), step): struct.unpack("<f", value[2][0])[0]
               for _, step, value in event_file.figures(lint_path, run) if 2 in value}
    wanted = {}
    rows = list(csv.DictReader(open(breakdown)))
    ranks = len({row["rank"] for row in rows})
    stepped = any(row["step"] != "all" for row in rows)

    def key(row, name):
        device = f"GPU {row['device']}" if ranks == 1 else f"rank {row['rank']} GPU {row['device']}"
        return f"{device}/{name} (ms)", int(row["step"]) if stepped else 0

    def skips(row):
        return stepped and row["step"] == "all"

    for row in rows:
        for i, (name, column) in enumerate(COLUMNS.items(), 1):
            if not skips(row):
                wanted[key(row, f"{i} {name}")] = int(row[column])
    for row in csv.DictReader(open(causes)):
        if not skips(row):
            wanted[key(row, f"idle: {row['cause']}")] = int(row["ns"])
    for row in csv.DictReader(open(host)):
        title = "host" if ranks <= 1 else f"rank {row['rank']} host"
        wanted[f"{title}/step (ms)", int(row["step"])] = int(row["host_ns"])
    bad = 0
    for place, ns in sorted(wanted.items()):
        single = struct.unpack("<f", struct.pack("<f", ns / 1e6))[0]
        if place not in figures or abs(figures[place] - single) > 2e-7 * single:
            print(f"WRONG: {place}: {figures.get(place)}, the table has {ns} ns")
            bad += 1
    for place in sorted(set(figures) - set(wanted)):
        if figures[place] != 0:
            print(f"WRONG: {place}: {figures[place]}, no table has it")
            bad += 1
    first = min(step for _, step in figures)
    for tag in sorted(tag for tag, step in figures if step == first):
        print(f"step {first}: {tag}")
    print(f"{len(wanted)} figures, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
