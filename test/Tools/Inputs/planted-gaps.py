"""Generate jobs with planted gaps and compare every gap that heddle finds with the manifest.

usage: planted-gaps.py <first seed> <count> <folder> [heddle option...]
"""
import os
import random
import subprocess
import sys

CHECK = os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "utils", "check-gaps")
CAUSES = {"sync": (2000, 3000000), "after-sync": (1000, 3000000), "input": (1000, 9000000),
          "gc": (1000, 9000000), "alloc": (1000, 900000), "compile": (1000, 9000000),
          "host": (1000, 3000000), "unobserved": (1000, 900000), "launch-call": (1000, 900000),
          "dependency": (1000, 3000000), "launch-latency": (1000, 100000), "kernel-to-kernel": (1, 999),
          "unrecorded": (1000, 900000), "idle-sync": (100001, 3000000), "idle-queue": (100001, 3000000)}


def options(seed):
    """Every cause, with times and counts by the seed, on jobs of every form."""
    choose = random.Random(seed)
    rocm, stack = choose.random() < 0.25, choose.random() < 0.4
    result = [f"--seed={seed}", f"--ranks={choose.choice([1, 1, 2, 4])}",
              f"--streams={choose.randint(1, 5)}", f"--steps={choose.randint(1, 4)}",
              f"--layers={choose.randint(1, 3)}", f"--kernel-scale={choose.choice([10, 40, 100, 400])}",
              f"--era={choose.choice(['2.4', '2.15'])}"]
    result += ["--vendor=rocm"] * rocm + ["--with-stack"] * stack
    for cause, (low, high) in CAUSES.items():
        if not (stack and cause == "unobserved" or rocm and cause == "dependency"):
            # Lengths at both limits, and of all sizes between.
            ns = choose.choice([low, high, int(low * (high / low) ** choose.random())])
            result.append(f"--gap={cause}:{choose.randint(1, 3)}:{ns}ns")
    if choose.random() < 0.5:
        result.append("--gap=lead-in:1:2ms")
    return result


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    manifest, gaps, causes = (os.path.join(folder, n) for n in ("manifest.csv", "gaps.csv", "causes.csv"))
    for seed in range(first, first + count):
        chosen = options(seed)
        trace = os.path.join(folder, f"{seed}.ht")
        kind = "--format=ht"
        if seed % 2:
            kind = "--format=kineto"
            trace = os.path.join(folder, str(seed) + ("" if "--ranks=1" not in chosen else ".json"))
        command = ["heddle-gen", kind, "-o", trace, f"--manifest={manifest}"] + chosen
        subprocess.run(command, check=True)
        for table, path in (("idle-gaps", gaps), ("idle-gaps-causes", causes)):
            subprocess.run(["heddle", "opt", trace, "-p", "idle-gaps", "--emit=csv", f"--table={table}",
                            "-o", path] + sys.argv[4:], check=True)
        if subprocess.run([sys.executable, CHECK, f"--causes={causes}", manifest, gaps]).returncode:
            sys.exit("made with: " + " ".join(command))


main()
