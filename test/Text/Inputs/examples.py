"""Print the ```ht blocks of a Markdown file, with `// -----` between them."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    blocks = re.findall(r"^```ht\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit(f"{sys.argv[1]}: no ```ht block")
print("// -----\n".join(blocks), end="")
