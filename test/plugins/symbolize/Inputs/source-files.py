"""Make folders with files that may be read and files that may not, and a trace that names them all."""
import os
import sys

TEXT = "import torch\n\n\n\ndef f(x):\n    return torch.exp(x)\n"
root = sys.argv[1]


def write(path, text=TEXT):
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(text)


write("src/deep/pkg/same.py")
write("src/pkg/same.py", "\n" + TEXT)
write("src/pkg/target.py")
write("out/secret.py")
os.symlink("target.py", f"{root}/src/pkg/inside.py")
os.symlink("../../out/secret.py", f"{root}/src/pkg/link.py")
os.symlink("../out", f"{root}/src/linkedout")
os.symlink("src", f"{root}/linked")
write("src/pkg/other.py", TEXT + "\n\ndef h(x):\n    return x\n")
write("src/pkg/renamed.py")
write("more/gone.py")
os.mkfifo(f"{root}/src/pkg/pipe.py")
os.mkdir(f"{root}/src/pkg/directory.py")
write("src/pkg/large.py", TEXT + "#" * (2 << 20))
write("src/pkg/binary.py", TEXT + "\0(\n")

FILES = [
    ("exact", "/home/me/deep/pkg/same.py", "f"),
    ("windows", "C:\\\\work\\\\deep\\\\pkg\\\\same.py", "f"),
    ("inside", "pkg/inside.py", "f"),
    ("link", "pkg/link.py", "f"),
    ("folder", "linkedout/secret.py", "f"),
    ("up", "pkg/../pkg/same.py", "f"),
    ("absolute", f"{root}/out/secret.py", "f"),
    ("other", "pkg/other.py", "f"),
    ("renamed", "pkg/renamed.py", "g"),
    ("gone", "gone.py", "f"),
    ("pipe", "pkg/pipe.py", "f"),
    ("directory", "pkg/directory.py", "f"),
    ("large", "pkg/large.py", "f"),
    ("binary", "pkg/binary.py", "f"),
]
with open(f"{root}/trace.ht", "w", encoding="utf-8") as out:
    ops, frames = "", ""
    for i, (name, path, function) in enumerate(FILES):
        at = 100 * i
        ops += f'cpu_op "aten::{name}" at {at + 20} for 10\n'
        frames += f'python "{path}(5): {function}" at {at} for 80\n'
        frames += f'python "<built-in method exp of type object at 0x7f00>" at {at + 10} for 60\n'
    frames += 'python "pkg/other.py(8): h" at 5000 for 80\n'
    out.write(
        "trace {\nrank 0 {\n"
        f'thread 1 "main" {{\n{ops}}}\nthread 1 "main" python {{\n{frames}}}\n}}\n}}\n'
    )
