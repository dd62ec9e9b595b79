"""Print and parse generated traces: the text of what was parsed is the text that was parsed.

usage: round-trip.py <first seed> <count> <folder>
"""
import os
import random
import subprocess
import sys


def options(seed):
    """Everything that changes what a trace holds, chosen by the seed."""
    choose = random.Random(seed)
    era = choose.choice(["1.13", "2.4", "2.15"])
    vendor = choose.choice(["cuda", "cuda", "rocm"])
    result = [f"--seed={seed}", f"--era={era}", f"--vendor={vendor}",
              f"--streams={choose.randint(1, 5)}", f"--layers={choose.randint(1, 2)}",
              f"--steps={choose.randint(1, 2)}"]
    result += [flag for flag in ("--with-stack", "--with-shapes", "--with-memory") if choose.random() < 0.5]
    causes = ["sync:1:30us", "after-sync:1:1ms", "gc:1:2ms", "alloc:1:20us", "compile:1:9ms", "host:2:70us",
              "unrecorded:1:50us", "idle-sync:1:300us", "launch-latency:2:20us"]
    if vendor == "cuda":
        causes.append("dependency:2:40us")
    return result + ["--gap=" + cause for cause in causes if choose.random() < 0.3]


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, name) for name in ("trace.json", "once.ht", "twice.ht")]
    for seed in range(first, first + count):
        chosen = options(seed)
        subprocess.run(["heddle-gen", "--format=kineto", "-o", paths[0]] + chosen, check=True)
        texts = []
        for source, target in zip(paths, paths[1:]):
            subprocess.run(["heddle", "opt", source, "--verify-each", "-S", "-o", target], check=True)
            with open(target, "rb") as file:
                texts.append(file.read())
        if texts[0] != texts[1]:
            sys.exit(f"{paths[1]} and {paths[2]} differ; made with: heddle-gen --format=kineto "
                     + " ".join(chosen))


main()
