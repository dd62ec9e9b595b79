"""Writes small .hb files, hashes and all, that would become gigabytes or take hours: FOLDER."""
import copy
import os
import sys

sys.path[:0] = [
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tools/python", part)
    for part in ("", "tests")
]
import tiny_writer as tiny
from draft import STRINGS, Draft, pack, payload_of

LONG = b"x" * (8 << 20)
OFTEN = 1000
BOMBS = {}


def bomb(change):
    BOMBS[change.__name__] = change
    return change


def packed(kind, data):
    return data if kind == tiny.END else tiny.frame(kind, pack(payload_of(data)), flags=1)


def add_long_string(draft):
    """A string with the next number."""
    draft.put("rank", [tiny.STRINGS, tiny.strings(STRINGS, [LONG.decode()])])


@bomb
def cells(draft):
    table = draft.result["tables"][0]
    table.update(columns=[{"is_text": True}], cells=[(0, 3)] * OFTEN, rows=OFTEN)
    table["texts"] = [{"bytes": LONG}]


@bomb
def texts_of_a_table(draft):
    """All texts are one."""
    table = draft.result["tables"][0]
    table.update(columns=[{"is_text": True}], cells=[(n, 3) for n in range(OFTEN)], rows=OFTEN)
    table["texts"] = [{"bytes": LONG}] * OFTEN


@bomb
def remarks(draft):
    draft.result["remarks"] = [{**draft.result["remarks"][0], "advice": {"bytes": LONG}}] * OFTEN


@bomb
def args(draft):
    draft.result["remarks"][0]["args"] = [{"value": {"bytes": LONG}}] * OFTEN


@bomb
def members(draft):
    add_long_string(draft)
    draft.rank["recording"]["members"] += [(1, STRINGS)] * OFTEN


@bomb
def devices(draft):
    add_long_string(draft)
    draft.rank["recording"]["devices"] = [(n, 1, 1, 1, 1, STRINGS) for n in range(OFTEN)]


@bomb
def layouts(draft):
    layout = copy.deepcopy(draft.rank["layouts"][0])
    layout["entries"] += [(0, 1, 0, 0, 0)] * 50000
    layouts = {"rank": 0, "first_layout": 5, "first_track": 2, "layouts": [layout] * 2000}
    draft.put("events", [tiny.RANK, layouts])


def tracks(footer):
    """The chunk's last track is the greatest number; a step makes the reader look for it."""
    entry = footer["ranks"][0]
    entry["steps"] = [(0, 1, 100, 300, 10, 95)]
    entry["chunks"][0] = (*entry["chunks"][0][:5], 2**32 - 1, *entry["chunks"][0][6:])


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for name, change in BOMBS.items():
    draft = Draft()
    draft.options["edit_frames"] = packed
    change(draft)
    data = draft.write()
    assert len(data) < 1 << 16, (name, len(data))
    with open(os.path.join(folder, name + ".hb"), "wb") as file:
        file.write(data)
draft = Draft()
draft.options["edit_footer"] = tracks
with open(os.path.join(folder, "tracks.hb"), "wb") as file:
    file.write(draft.write())
