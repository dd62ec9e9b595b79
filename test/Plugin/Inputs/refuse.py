"""Check that heddle refuses a module.

usage: refuse.py <module> <message>
       refuse.py --cut <module> <whole module> <message>
       refuse.py --set=<offset>:<byte> <module> <whole module> <message>

`--cut` tries the first bytes of the whole module, of many lengths; `--set` changes one byte of it.
The message is part of what stands after the module's path; in it, `.*`
is that of regular expressions, and with `--cut` (a|b|c) too.
"""
import re
import subprocess
import sys


def refuse(module, message):
    run = subprocess.run(
        ["heddle", "passes", "--load-plugin=" + module], capture_output=True, text=True, check=False
    )
    pattern = re.escape("'" + module + "' ") + ".*" + message
    if run.returncode != 1 or run.stdout or not re.search(pattern, run.stderr):
        sys.exit(f"exit code {run.returncode}, stdout {run.stdout!r}, stderr {run.stderr!r}")


def main():
    change = sys.argv.pop(1) if sys.argv[1].startswith("--") else ""
    module, message = sys.argv[1], sys.argv[-1]
    if "(truncated|" not in message:
        message = re.sub(r"([(){}\[\]+])", r"\\\1", message)
    if change:
        with open(sys.argv[2], "rb") as file:
            whole = bytearray(file.read())
    if change == "--cut":
        end = len(whole)
        lengths = {*range(0, 80, 7), *range(80, end, end // 40 + 1), end - 64, end - 1}
        for length in sorted(lengths):
            with open(module, "wb") as file:
                file.write(whole[:length])
            refuse(module, message)
        return
    if change:
        offset, byte = change.removeprefix("--set=").split(":")
        whole[int(offset)] = int(byte)
        with open(module, "wb") as file:
            file.write(whole)
    refuse(module, message)


main()
