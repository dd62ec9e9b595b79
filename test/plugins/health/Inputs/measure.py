#!/usr/bin/env python3
"""The bytes of a trace's events by kind, as Python's json writes them: KIND,,EVENTS,BYTES.

usage: measure.py TRACE.json
"""
import json
import sys

KINDS = {"python_function": "python"}
totals = {}
for event in json.load(open(sys.argv[1]))["traceEvents"]:
    kind = "flow" if event["ph"] in "stf" else "loose" if event["ph"] == "M" else KINDS.get(event["cat"], event["cat"])
    total = totals.setdefault(kind, [0, 0])
    total[0] += 1
    total[1] += len(json.dumps(event, separators=(",", ":")))
for kind, (events, size) in sorted(totals.items(), key=lambda t: -t[1][1]):
    print(f"{kind},,{events},{size}")
