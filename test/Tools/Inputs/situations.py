"""Make a job with each situation that heddle-gen knows and compare what heddle finds.

usage: situations.py <folder>

Gaps with check-gaps, counts with check-facts, all integers of the twin with check-gpu.
"""
import os
import subprocess
import sys

UTILS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "utils")
SITUATIONS = [
    "--graphs", "--graphs --with-stack --vendor=rocm", "--graphs --ranks=2 --streams=3 --era=2.4",
    "--pageable", "--pageable --vendor=rocm --with-stack", "--pageable --streams=2 --kernel-scale=300",
    "--sync=stream:3 --sync=device:2 --sync=event:4", "--sync=device:5 --vendor=rocm --kernel-scale=300",
    "--sync=stream:3 --sync=device:2 --sync=event:4 --sync=wait:3 --streams=3 --with-sync",
    "--short-kernels=3", "--short-kernels=2 --vendor=rocm",
    "--mid-queue=1", "--mid-queue=40", "--mid-queue=9 --vendor=rocm",
    "--marks=other-thread", "--marks=crossing", "--marks=crossing --with-stack", "--marks=between",
    "--marks=engine", "--marks=none", "--marks=none --with-stack --mid-queue=5",
    "--workers --with-stack", "--workers --gap=input:2:3ms",
    "--graphs --marks=crossing --with-stack --mid-queue=7 --pageable --sync=stream:3 --with-sync "
    "--short-kernels=2 --streams=4 --workers --gap=host:2:90us --gap=gc:1:1ms",
]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    manifest, facts, gaps, causes = (os.path.join(folder, n + ".csv")
                                     for n in ("manifest", "facts", "gaps", "causes"))
    traces = []
    for number, situation in enumerate(SITUATIONS):
        trace = os.path.join(folder, f"{number}" + ("" if "--ranks" in situation else ".json"))
        command = ["heddle-gen", f"--seed={number + 1}", "--format=kineto", "-o", trace,
                   f"--manifest={manifest}", f"--facts={facts}"] + situation.split()
        subprocess.run(command, check=True)
        for table, path in (("idle-gaps", gaps), ("idle-gaps-causes", causes)):
            subprocess.run(["heddle", "opt", trace, "-p", "idle-gaps", "--emit=csv",
                            f"--table={table}", "-o", path], check=True)
        for check in (["check-gaps", f"--causes={causes}", manifest, gaps],
                      ["check-facts", facts, "heddle", trace]):
            script = [sys.executable, os.path.join(UTILS, check[0])] + check[1:]
            if subprocess.run(script).returncode:
                sys.exit("made with: " + " ".join(command))
        if os.path.isfile(trace):
            traces.append(trace)
    script = os.path.join(UTILS, "gpu-twin", "check-gpu")
    sys.exit(subprocess.run([sys.executable, script, "--quiet", "heddle"] + traces).returncode)


main()
