"""The figures of the event file in a run directory."""
import importlib.machinery
import importlib.util
import os
import struct


def real(value):
    """A double of an event: its bytes, or the number as lint-tensorboard reads it."""
    return struct.unpack("<d", value)[0] if isinstance(value, bytes) else value


def figures(lint_path, run):
    """(wall time, step, fields of the value) of each value; its field 1 is the tag, 2 a float."""
    loader = importlib.machinery.SourceFileLoader("lint", lint_path)
    lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
    loader.exec_module(lint)
    name = next(n for n in os.listdir(run) if "tfevents" in n)
    with open(os.path.join(run, name), "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        length = struct.unpack_from("<Q", data, at)[0]
        event = lint.fields(data[at + 12:at + 12 + length])
        at += 16 + length
        for summary in event.get(5, []):
            for value in map(lint.fields, lint.fields(summary)[1]):
                yield real(event[1][0]), event.get(2, [0])[0], value
