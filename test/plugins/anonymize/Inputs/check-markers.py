"""check-markers.py ROOT: the tables of words that passes look for in names are all in the table of markers."""
import re
import sys

root = sys.argv[1]
words = open(root + "/plugins/anonymize/Markers.cpp").read()
markers = set(re.findall(r'\{"([^"]+)"(?:, true)?\}', words))
def strings(file, begin, end):
    text = open(f"{root}/{file}").read()
    return re.findall(r'"([^"\n]+)"', text[text.index(begin):text.index(end, text.index(begin))])
kinds = open(root + "/plugins/summary/ActivityKinds.cpp").read()
wanted = {p for p in re.findall(r'\{"([^"]+)", "[^"]+"\}', kinds)}
assert len(wanted) > 100, "the table of kinds is elsewhere now"
communication = set(strings("lib/Analysis/Communication.cpp", "words[]", "};"))
assert "nccl" in communication
wanted |= communication
missing = sorted(w for w in wanted if w not in markers)
assert not missing, f"no markers: {missing}"
print(len(wanted), "words have markers")
