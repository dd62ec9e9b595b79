"""Fails if "read N of M bytes" on standard input is more than the percentage given."""
import re
import sys

read, whole = map(int, re.search(r"read (\d+) of (\d+) bytes", sys.stdin.read()).groups())
if not 0 < 100 * read <= int(sys.argv[1]) * whole:
    sys.exit(f"{read} of {whole} bytes were read")
