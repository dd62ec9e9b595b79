"""find-secrets.py HEDDLE FOLDER: anonymizes FOLDER's planted trace in several ways, writes every format there
is, and looks for the secrets in all of it: as they are, in any case, behind escapes. Prints what leaked."""
import gzip
import json
import os
import re
import subprocess
import sys

HEDDLE, FOLDER = sys.argv[1:3]
KEY = "kluczdoszyfru-77"
INPUT = os.path.join(FOLDER, "hlavnitajemstvi_rank0.json")
SECRETS = [json.loads(line) for line in open(os.path.join(FOLDER, "secrets.txt"), encoding="utf-8")] + [KEY]


def run(*args):
    done = subprocess.run([HEDDLE, *args], capture_output=True)
    return done.returncode, done.stdout, done.stderr


def emitters():
    message = run("opt", INPUT, "--emit=?")[2].decode()
    return re.findall(r"'([^']+)'", message.split("there is", 2)[-1])


def unescape(text):
    """Every JSON and .ht escape undone, twice, for texts inside of texts."""
    def one(m):
        return chr(int(m.group(1), 16))
    for _ in range(3):
        text = re.sub(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})",
                      lambda m: chr(0x10000 + ((int(m.group(1), 16) - 0xD800) << 10) + int(m.group(2), 16) - 0xDC00), text)
        text = re.sub(r"\\u([0-9a-f]{4})", one, text)
        text = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), text)
    return text


def leaks(data):
    text = data.decode("utf-8", "replace").lower()
    forms = [text, unescape(text)]
    found = []
    for secret in SECRETS:
        low = secret.lower()
        for needle in {low, json.dumps(low)[1:-1], json.dumps(low, ensure_ascii=False)[1:-1]}:
            if any(needle in form for form in forms):
                found.append(secret)
                break
    return found


def contents(folder):
    """Names and texts of all files of a folder."""
    out = b""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        out += name.encode() + b"\n" + (gzip.decompress(data) if name.endswith(".gz") else data)
    return out


def check(what, *args):
    target = os.path.join(FOLDER, "folder")
    writes_folder = "--emit=tensorboard" in args
    code, out, err = run(*args, *(["--force", "-o", target] if writes_folder else []))
    if writes_folder and code == 0:
        out += contents(target)
    if code != 0 and b"one_recording" not in err:
        print(f"{what}: exit {code}: {err.decode()[:300]}")
        return 0
    # What reading itself says names the file as the user did; all that follows must not.
    said = b"\n".join(l for l in err.split(b"\n") if b"repaired:" not in l or b"warning" not in l)
    bad = leaks(out) + leaks(said)
    for secret in sorted(set(bad)):
        print(f"{what}: {secret!r} leaks")
    return not bad and bool(out.strip())


def main():
    names = emitters()
    table = os.path.join(FOLDER, "x.ht")
    good = runs = 0
    anonymize = f"anonymize:key={KEY}"
    for emit in names:
        tables = [[]]
        if emit == "csv":
            tables = [["--table=kernels"], ["--table=ops"], ["--table=summary-host"], ["--table=summary-input"]]
        if emit == "report":
            tables.append(["-s", "all"])
        for extra in tables:
            for order in (["-p", anonymize, "-p", "default", "-p", "ops"],
                          ["-p", "default", "-p", f"drop:name={SECRETS[150]}*", "-p", "select:window=..1s",
                           "-p", anonymize, "-p", "default", "-p", "ops", "-p", f"drop:name={SECRETS[151]}*"]):
                runs += 1
                good += check(f"{emit} {extra} {len(order)}", "opt", INPUT, *order, f"--emit={emit}", *extra, "--stats",
                              "--time-passes", "--debug-passes", "--print-after=anonymize")
    # A trace that brings results of its own, names of passes and columns among them.
    run("opt", INPUT, "-p", f"drop:name={SECRETS[150]}*", "-p", "default", "-p", "ops", "-S", "-o", table)
    for emit in ("ht", "results", "report-json"):
        runs += 1
        good += check(f".ht to {emit}", "opt", table, "-p", anonymize, f"--emit={emit}", "--stats")
    # The search finds what is there.
    found = leaks(run("opt", INPUT, "-p", "default", "-p", "ops", "-S")[1])
    print(f"{good} of {runs} runs leak nothing; without the pass {len(found)} of {len(SECRETS)} are found")
    return good != runs


sys.exit(main())
