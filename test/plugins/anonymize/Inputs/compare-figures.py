"""compare-figures.py [--reread] HEDDLE FILE...: every figure of every check is the same before and after anonymize.

Tables are compared number by number; texts may differ, but a text stands for the same text wherever rows tell,
and each column has as many different ones. Remarks and statistics are compared by id and number.
--reread: after are those of the trace that was written as Chrome JSON and read again."""
import collections
import json
import os
import subprocess
import sys
import tempfile

REREAD = sys.argv[1] == "--reread"
HEDDLE, *FILES = sys.argv[1 + REREAD:]


def report(path, *passes):
    args = [HEDDLE, "opt", path, "--emit=report-json", "--verify-each"]
    for p in passes:
        args += ["-p", p]
    done = subprocess.run(args, capture_output=True)
    if done.returncode not in (0,):
        return None, done.stderr.decode("utf-8", "replace")
    return json.loads(done.stdout), ""


def split(row, texts):
    return (tuple(c for i, c in enumerate(row) if i not in texts), tuple(c for i, c in enumerate(row) if i in texts))


def compare_table(a, b, wrong):
    if a["id"] == "health-contents":  # how long the texts are
        return
    texts = {i for i, c in enumerate(a["columns"]) if c.get("text") or any(isinstance(r[i], str) for r in a["rows"])}
    rows_a, rows_b = [split(r, texts) for r in a["rows"]], [split(r, texts) for r in b["rows"]]
    count_a, count_b = collections.Counter(n for n, _ in rows_a), collections.Counter(n for n, _ in rows_b)
    if count_a != count_b:
        diff = list((count_a - count_b).items())[:2], list((count_b - count_a).items())[:2]
        wrong.append(f"table {a['id']}: numbers differ: {diff}")
        return
    for i in range(len(texts)):
        if len({t[i] for _, t in rows_a}) != len({t[i] for _, t in rows_b}):
            wrong.append(f"table {a['id']}: text column {i} has another number of texts")
    by_number = {n: t for n, t in rows_b if count_b[n] == 1}
    there, back = {}, {}
    for n, t in rows_a:
        for x, y in zip(t, by_number.get(n, ())):
            if a["id"] in ("kernels", "ops", "kernels-copies") and (there.setdefault(x, y) != y or back.setdefault(y, x) != x):
                wrong.append(f"table {a['id']}: {x!r} is {y!r} and {there[x]!r}")


def compare(before, after, wrong):
    pick = lambda doc: [r for r in doc["results"] if r["pass"].split("<")[0] != "anonymize"]
    a, b = pick(before), pick(after)
    if [r["pass"] for r in a] != [r["pass"] for r in b]:
        wrong.append("other passes")
        return
    for x, y in zip(a, b):
        for name in ("tables", "remarks", "statistics", "abstained"):
            if len(x.get(name, [])) != len(y.get(name, [])):
                wrong.append(f"{x['pass']}: {name} differ")
                return
        for s, t in zip(x.get("tables", []), y.get("tables", [])):
            compare_table(s, t, wrong)
        numbers = lambda r: {k: v for k, v in r.items() if isinstance(v, (int, float)) or k == "id"}
        for s, t in zip(x.get("remarks", []), y.get("remarks", [])):
            if numbers(s) != numbers(t):
                wrong.append(f"{x['pass']}: remark {numbers(s)} is {numbers(t)}")
        if x.get("statistics") != y.get("statistics"):
            wrong.append(f"{x['pass']}: statistics differ")
    for x, y in zip(before["inputs"], after["inputs"]):
        numbers = lambda r: {k: v for k, v in r.items() if isinstance(v, (int, float)) and not (REREAD and k == "bytes")}
        if numbers(x) != numbers(y):
            wrong.append("inputs differ")


def main():
    checks = ["default", "ops"]
    same = refused = bad = 0
    for path in FILES:
        before, error = report(path, *checks)
        if before is None:
            refused += 1
            continue
        if REREAD:
            with tempfile.TemporaryDirectory() as folder:
                # The file's name may tell the rank: it is the same word as before.
                again = os.path.join(folder, os.path.basename(path).removesuffix(".gz"))
                subprocess.run([HEDDLE, "opt", path, "-p", "anonymize:key=k", "--emit=chrome:faithful", "-o", again],
                               capture_output=True)
                after, error = report(again, *checks)
        else:
            after, error = report(path, "anonymize:key=k", *checks)
        wrong = [] if after is not None else [error]
        if after is not None:
            compare(before, after, wrong)
        for w in wrong[:5]:
            print(f"{path}: {w}")
        same, bad = same + (not wrong), bad + bool(wrong)
    print(f"{same} files with the same figures, {bad} others, {refused} that are no traces")
    return bad != 0


sys.exit(main())
