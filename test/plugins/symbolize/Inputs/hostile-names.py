"""Write a trace whose kernels have names that are hard to read."""
import json

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def doubling(parts):
    """Each part is a pair of the part before: 2^parts letters in all."""
    name = "_Z1fSt4pairIiiE"
    for i in range(parts):
        at = 2 * i  # each part adds std::pair and itself to what can be referred to
        back = DIGITS[at] if at < 36 else DIGITS[at // 36] + DIGITS[at % 36]
        name += f"St4pairIS{back}_S{back}_E"
    return name


names = [
    "_Z1f" + "P" * 500 + "i",  # fine
    "_Z1f" + "P" * 100000 + "i",
    "_Z" + "N" * 100000,
    "_Z1fI" + "J" * 50000,
    "_Z1fIXsz" + "c" * 100000,
    "_Z1f" + "i" * (1 << 20),
    doubling(70),
    doubling(14),
    "?f@@YAX" + "P6AX" * 500 + "H@Z",
    "?f@@YAX" + "0" * 1000 + "@Z",
    "void f" + "<" * 200000,
    "void f" + "<a" * 100000 + ">" * 100000 + "(int)",
    "f" + "(" * 100000 + ")" * 100000,
    "<" * 1000 + ")" * 100000,
    "a::" * 100000,
    "f<" + "a," * 100000 + "b>(c)",
    "f<" + "operator<" * 50000,
    "a::{lambda(" * 50000 + "int" + ")#1}" * 50000,
    " " * 100000 + "f(x",
    "::",
    "(",
    "f<>()",
    "operator<",
    "f<a::>",
    " const",
    "{lambda(int)#1}",
    "",
    "'",
]
events = [
    {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": i, "dur": 1,
     "args": {"device": 0, "stream": 7}}
    for i, name in enumerate(names)
]
print(json.dumps({"schemaVersion": 1, "traceEvents": events}))
