#!/usr/bin/env python3
"""Check that what a report shows adds up: on the page, and with the JSON of the same input.

usage: closes.py REPORT.txt REPORT.json
"""
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
document = json.load(open(sys.argv[2], encoding="utf-8"))
tables = {t["id"]: [dict(zip([c["key"] for c in t["columns"]], row)) for row in t["rows"]]
          for r in document["results"] if r["input"] is None for t in r["tables"]}
lines = text.split("\n")
faults = []


def tenths(line):
    return [int(a.replace(",", "")) * 10 + int(b) for a, b in re.findall(r"([\d,]+)\.(\d) %", line)]


def hundredths(number):
    return int(number.replace(",", "").replace(".", ""))


def expect(what, have, want):
    if have != want:
        faults.append(f"{what}: {have} is not {want}")


# In integers.
for window in tables.get("summary-window", []):
    key = (window["input"], window["device"])
    of = lambda table: [r for r in tables.get(table, []) if (r["input"], r["device"]) == key]
    parts = {r["part"]: r["ns"] for r in of("summary-bar")}
    expect(f"bar of {key}", sum(parts.values()), window["window_ns"])
    expect(f"idle of {key}", sum(r["ns"] for r in of("summary-idle")), parts["idle"])
    for f in of("summary-findings"):
        expect(f"window of {f['id']}", f["window_ns"], window["window_ns"])
        if f["cost_ns"] > f["window_ns"]:
            faults.append(f"{f['id']} costs more than the window")

# On the page: one device of one input.
if len(tables.get("summary-window", [])) == 1 and tables["summary-window"][0]["window_ns"]:
    start = next(i for i, l in enumerate(lines) if l.startswith("GPU "))
    legend, i = [], start + 1
    while lines[i].startswith("        "):
        legend.append(re.sub(r"\([\d.,]+ % of it hidden\)", "", lines[i]))
        i += 1
    shares = tenths(" ".join(legend))
    expect("legend", sum(shares), 1000)
    start = next(i for i, l in enumerate(lines) if l.startswith("Idle ") or l.startswith("Activities "))
    idle_time = idle_share = kind_time = kind_share = 0
    split = lines[start].find("Activities")
    head = lines[start]
    for line in lines[start + 1:]:
        if not line.startswith("  "):
            if line.startswith("Activities") or not line:
                if line:
                    head += line
                    split = 0
                continue
            break
        for part, is_kind in ((line[:split], False), (line[split:], True)) if split > 0 else ((line, split == 0),):
            m = re.search(r"([\d,]+(?:\.\d\d)?) (?:ms|us|s) +([\d,]+\.\d) %$", part.rstrip())
            if not m:
                continue
            if is_kind:
                kind_time += hundredths(m[1])
                kind_share += tenths(m[2] + " %")[0]
            else:
                idle_time += hundredths(m[1])
                idle_share += tenths(m[2] + " %")[0]
    m = re.search(r"Idle ([\d,.]+) ", head)
    if m:
        expect("idle times", idle_time, hundredths(m[1]))
        expect("idle shares", idle_share, shares[-1])
    m = re.search(r"Activities ([\d,.]+) ", head)
    if m and hundredths(m[1]):
        expect("kinds' times", kind_time, hundredths(m[1]))
        expect("kinds' shares", kind_share, 1000)
elif "summary-host" in tables and tables["summary-host"]:
    block = [l for l in lines if re.search(r" x +[\d,.]+ (ms|us|s) +[\d.]+ %$", l)]
    expect("host shares", sum(tenths(l)[0] for l in block), 1000)
for fault in faults:
    print(f"{sys.argv[1]}: {fault}")
sys.exit(bool(faults))
