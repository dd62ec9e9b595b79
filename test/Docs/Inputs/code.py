"""Write the code of a page of docs into files, or run its shell commands.

usage: code.py extract <page.md> <folder>
       code.py run <page.md> <folder>

A block that begins with ```<language> <file> is the next part of that file; one that begins with
```sh run is commands, which are run in the folder.
"""
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.M | re.S)


def main():
    what, page, folder = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        blocks = BLOCK.findall(file.read())
    seen, count = set(), 0
    for language, name, text in blocks:
        if (language == "sh") != (what == "run"):
            continue
        count += 1
        if what == "run":
            subprocess.run(["sh", "-exc", text], cwd=folder, check=True)
            continue
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a" if name in seen else "w", encoding="utf-8") as file:
            file.write(("\n" if name in seen else "") + text)
        seen.add(name)
    if count == 0:
        sys.exit(f"'{page}' has nothing to {what}")


main()
