"""Tables as heddle writes them."""
import csv
import io
import subprocess

PASSES = {
    "gpu-breakdown": "gpu-breakdown",
    "idle-gaps": "idle-gaps",
    "idle-gaps-causes": "idle-gaps",
    "kernels": "kernels",
    "kernels-copies": "kernels",
    "ops": "ops",
    "collectives": "collectives",
    "fusion-candidates": "fusion-candidates",
    # The same with other limits, for which traces have many more rows.
    "fusion-candidates-all": "fusion-candidates:min-repeats=2,min-share=0,max-length=6",
}
TEXT = {"step", "cause", "name", "kind", "ops", "shapes", "model"}
TEXT |= {"op", "group", "members", "dtype", "peers"}
NULLABLE = {"min_blocks", "max_blocks", "few_blocks_ns", "occupancy", "bytes", "mb_per_s"}
NULLABLE |= {"group_size", "size_class", "algbw_mb_per_s", "busbw_mb_per_s", "best_busbw_mb_per_s"}
TIMEOUT = 600
NO_ANSWER = 5  # the exit code for "the recording does not tell"
csv.field_size_limit(1 << 30)


class Failed(Exception):
    """heddle did not end with 0."""


class BadTable(Exception):
    """What heddle wrote is not the table that was asked for."""


def run(heddle, *arguments):
    """stdout of heddle as bytes; empty where it says that the recording gives no answer."""
    try:
        done = subprocess.run(
            [heddle, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"no end within {TIMEOUT} s") from None
    if done.returncode == NO_ANSWER:
        return b""
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Failed(f"heddle ended with {done.returncode}: {said[-1] if said else ''}")
    return done.stdout


def read_table(heddle, path, table, columns):
    """Rows as dicts of these columns; all are integers but TEXT."""
    output = run(heddle, "opt", path, "-p", PASSES[table], "--emit=csv", f"--table={table.removesuffix('-all')}")
    if not output:
        return []
    lines = csv.reader(io.StringIO(output.decode("utf-8", "replace"), newline=""))
    header = next(lines)
    missing = [column for column in columns if column not in header]
    if missing:
        raise BadTable(f"no column {', '.join(missing)}")
    places = [(column, header.index(column)) for column in columns]
    rows = []
    for number, line in enumerate(lines, 2):
        if len(line) != len(header):
            raise BadTable(f"line {number} has {len(line)} cells, the header {len(header)}")
        row = {}
        for column, place in places:
            row[column] = line[place]
            if column not in TEXT and not (column in NULLABLE and line[place] == ""):
                try:
                    row[column] = int(line[place])
                except ValueError:
                    raise BadTable(f"line {number}: {column} '{line[place]}' is no integer") from None
        rows.append(row)
    return rows
