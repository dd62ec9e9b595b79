"""Fails if two .hb files differ before the end of their footers."""
import sys


def canonical(path):
    with open(path, "rb") as file:
        data = file.read()
    footer = int.from_bytes(data[-8:], "little")
    return data[: footer + 24 + int.from_bytes(data[footer + 8 : footer + 16], "little")]


if canonical(sys.argv[1]) != canonical(sys.argv[2]):
    sys.exit(f"{sys.argv[1]} and {sys.argv[2]} differ")
