"""Prints traces as text: python3 -m heddle_trace FILE.hb"""

import sys

from . import open as open_trace
from .errors import Error
from .result_text import result_lines
from .text import trace_lines


def main(arguments):
    """Print one file; returns the exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python3 -m heddle_trace FILE.hb", file=sys.stderr)
        return 2
    try:
        with open_trace(arguments[0]) as trace:
            trace.check()
            for lines in (trace_lines(trace), result_lines(trace.results)):
                for line in lines:
                    sys.stdout.buffer.write(line.encode() + b"\n")
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
