"""deep.py HEDDLE FOLDER: values that nest nearly as deep as readers allow, with as many texts inside, wherever a
trace can hold a value. Every pass and every format must get through, each in a few seconds: nothing may recurse on
depth, nor look at every level for every text."""
import os
import subprocess
import sys

HEDDLE, FOLDER = sys.argv[1:3]
LIMIT = 20  # seconds; those that are linear take well below one
INPUT = os.path.join(FOLDER, "deep.json")
DEPTH, TEXTS = 99990, 100000
deep = "[" * DEPTH + ",".join(['"secret"'] * TEXTS) + "]" * DEPTH
escaped = deep.replace('"', '\\"')
with open(INPUT, "w", encoding="utf-8") as out:
    out.write('{"traceEvents": [\n')
    out.write('{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python", "x": %s}},\n' % deep)
    out.write('{"ph": "Z", "name": "odd", "pid": 1, "tid": 1, "ts": 2, "args": {"x": %s}},\n' % deep)
    out.write('{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5, '
              '"args": {"Input Dims": %s}},\n' % deep)
    out.write('{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 2, "dur": 5, '
              '"args": {"stream": 7, "device": 0, "x": "%s"}}\n' % escaped)
    out.write('], "x": %s}\n' % deep)


def get_through(what, *args):
    try:
        done = subprocess.run([HEDDLE, "opt", INPUT, *args], capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        print(f"{what}: more than {LIMIT} s")
        return b""
    if done.returncode:
        print(f"{what}: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[:200]}")
    return done.stdout


for name in ("results", "ht", "chrome", "chrome:faithful", "chrome:viewer", "report", "report-json"):
    get_through(name, "--emit=" + name)
for spec in ("default", "ops:by=shape", "health", "drop:name=odd", "select:window=0..1s", "select:name=gemm",
             "anonymize:key=k"):
    text = get_through(spec, "-p", spec, "-S")
    if spec.startswith("anonymize") and b"secret" in text:
        print("anonymize leaks")
print("all tried")
