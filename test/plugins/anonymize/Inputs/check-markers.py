"""check-markers.py ROOT: the tables of words that passes look for in names are all in the table of markers."""
import re
import sys

root = sys.argv[1]
words = open(root + "/plugins/anonymize/Markers.cpp").read()
markers = set(re.findall(r'\{"([^"]+)"(?:, true)?\}', words))
kinds = open(root + "/plugins/summary/ActivityKinds.cpp").read()
wanted = {p for p in re.findall(r'\{"([^"]+)", "[^"]+"\}', kinds)}
assert len(wanted) > 80, "the table of kinds is elsewhere now"
names = open(root + "/lib/IR/Names.def").read()
of_work = "CopyKernel|FillKernel|Communicates|MtiaOrder|MtiaCopy|ToDevice|FromDevice|OnDevice|BetweenDevices|Pageable"
patterns = re.findall(r'NameFact::(?:%s), "([^"]+)"' % of_work, names)
assert "*nccl*" in patterns
lower = {m.lower() for m in markers}
wanted |= {p.strip("*") for p in patterns if not p.startswith("memcpy ")}  # whose words are public
collectives = re.findall(r'\{"([^"]+)", "[^"]+"\}', open(root + "/lib/IR/Names.cpp").read())
assert "allreduce" in collectives
wanted |= set(collectives)
fusible = open(root + "/plugins/fusion-candidates/OpClasses.cpp").read()
fusible = re.findall(r'"([^"]+)"', re.search(r"kernelNames\[\] = \{(.*?)\n\};", fusible, re.S)[1])
assert "rotary_embedding" in fusible
wanted |= {f.rstrip("<") for f in fusible}
known = {m.lower() for m in markers}
missing = sorted(w for w in wanted if w.lower() not in known)
assert not missing, f"no markers: {missing}"
print(len(wanted), "words have markers")
