"""check-calls.py ROOT: a trace that calls what the table of names has examples of, for all vendors with a prefix."""
import re
import sys

tests = open(sys.argv[1] + "/test/Unit/IR/NamesTest.cpp").read()
CALLS = "Probe|Launches|Copies|Fills|Several|LaunchesGraph|CapturesGraph|MakesGraph|LaunchesItems|Waits|Allocates|LoadsCode"
names = re.findall(r'NameFact::(?:%s), "((?:cu|hip|nvrtc|ur|pi|ze|aclrt|aclnn|aclop|aclmdl)\w+)"' % CALLS, tests)
assert len(names) > 100
print('trace {\n  rank 0 {\n    thread 1 "main" {')
for at, name in enumerate(dict.fromkeys(names)):
    print(f'      runtime "{name}" at {at} for 1')
print("    }\n  }\n}")
