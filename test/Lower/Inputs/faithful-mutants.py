"""Plant each kind of loss into a small document: tools/utils/check-chrome-faithful must reject each.

usage: faithful-mutants.py <check-chrome-faithful> <folder to write into>

Prints one line a mutant; exits 1 if one is taken for the original, or a document that differs from
it in nothing but white space and the spelling of escapes is not.
"""
import contextlib
import gzip
import importlib.machinery
import importlib.util
import io
import os
import sys

ORIGINAL = r'''{
 "schemaVersion": 1,
 "list": [1, [], {}, [2, [3]], null],
 "note": "first", "note": "second",
 "traceEvents": [
  {"ph": "X", "name": "a\u00e9\ud83d\ude00", "ts": 1.50, "dur": 2, "pid": 1, "tid": 7, "args": {}},
  {"ph": "X", "name": "q\"\\\/\n", "ts": 1.0, "dur": 2.50, "pid": 1, "tid": 7, "args": {"x": 1, "y": 2, "x": 3}},
  {"ph": "X", "name": "lone \ud83d end", "ts": 3, "dur": 0, "pid": 1, "tid": 7, "args": {"addr": 18446744073709551615}},
  {"ph": "X", "name": "n", "ts": 4, "dur": 0, "pid": 1, "tid": 7, "args": {"z": null, "t": true, "e": 1e-05, "m": -0, "l": ["", 0, false]}},
  {"ph": "X", "name": "n", "ts": 4, "dur": 0, "pid": 1, "tid": 7, "args": {"z": null, "t": true, "e": 1e-05, "m": -0, "l": ["", 0, false]}},
  {"ph": "X", "name": "no args", "ts": 5, "dur": 0, "pid": 1, "tid": 7},
  {},
  {"ph": "E", "ts": 6, "pid": 1, "tid": "7"}
 ],
 "displayTimeUnit": "ms",
 "traceName": ""
}
'''
TWIN = ORIGINAL.split("\n")[8] + "\n"
EVENT = ORIGINAL.split("\n")
MUTANTS = [
    ("events in another order", lambda t: t.replace(EVENT[5] + "\n" + EVENT[6], EVENT[6] + "\n" + EVENT[5])),
    ("event dropped", lambda t: t.replace(EVENT[5] + "\n", "")),
    ("last event dropped", lambda t: t.replace(",\n" + EVENT[12], "")),
    ("one of two equal events dropped", lambda t: t.replace(TWIN, "", 1)),
    ("event written twice", lambda t: t.replace(EVENT[5], EVENT[5] + EVENT[5])),
    ("empty event dropped", lambda t: t.replace("  {},\n", "")),
    ("event added at the end", lambda t: t.replace('"tid": "7"}', '"tid": "7"}, {}')),
    ("key of an event added", lambda t: t.replace('"dur": 2,', '"dur": 2, "s": "t",')),
    ("key of an event dropped", lambda t: t.replace('"ts": 5, "dur": 0,', '"ts": 5,')),
    ("keys of an event swapped", lambda t: t.replace('"ts": 1.50, "dur": 2', '"dur": 2, "ts": 1.50')),
    ("keys of args swapped", lambda t: t.replace('"z": null, "t": true', '"t": true, "z": null', 1)),
    ("values swapped", lambda t: t.replace('"x": 1, "y": 2', '"x": 2, "y": 1')),
    ("duplicate key lost", lambda t: t.replace(', "x": 3', "")),
    ("first of two duplicates lost", lambda t: t.replace('"x": 1, ', "")),
    ("duplicates swapped", lambda t: t.replace('"x": 1, "y": 2, "x": 3', '"x": 3, "y": 2, "x": 1')),
    ("args:{} lost", lambda t: t.replace(', "args": {}', "")),
    ("args:{} added", lambda t: t.replace('"no args", "ts": 5, "dur": 0, "pid": 1, "tid": 7', '"no args", "ts": 5, "dur": 0, "pid": 1, "tid": 7, "args": {}')),
    ("args:{} -> null", lambda t: t.replace('"args": {}', '"args": null')),
    ("args:{} -> []", lambda t: t.replace('"args": {}', '"args": []')),
    ("1 -> 1.0", lambda t: t.replace('"x": 1,', '"x": 1.0,')),
    ("1.0 -> 1", lambda t: t.replace('"ts": 1.0', '"ts": 1')),
    ("2 -> 2.0001", lambda t: t.replace('"dur": 2,', '"dur": 2.0001,')),
    ("trailing zeros cut", lambda t: t.replace("2.50", "2.5")),
    ("trailing zeros added", lambda t: t.replace("1.50", "1.500")),
    ("exponent written out", lambda t: t.replace("1e-05", "0.00001", 1)),
    ("exponent spelled otherwise", lambda t: t.replace("1e-05", "1e-5", 1)),
    ("-0 -> 0", lambda t: t.replace("-0,", "0,", 1)),
    ("64-bit unsigned rounded", lambda t: t.replace("18446744073709551615", "18446744073709551616")),
    ("64-bit unsigned -> signed", lambda t: t.replace("18446744073709551615", "-1")),
    ("64-bit unsigned -> double", lambda t: t.replace("18446744073709551615", "1.8446744073709552e19")),
    ("number -> string", lambda t: t.replace('"tid": 7, "args": {}', '"tid": "7", "args": {}')),
    ("string -> number", lambda t: t.replace('"tid": "7"', '"tid": 7')),
    ("null -> absent", lambda t: t.replace('"z": null, ', "", 1)),
    ("null -> false", lambda t: t.replace('"z": null', '"z": false', 1)),
    ("null -> string", lambda t: t.replace('"z": null', '"z": "null"', 1)),
    ("true -> 1", lambda t: t.replace('"t": true', '"t": 1', 1)),
    ("false -> 0", lambda t: t.replace("0, false", "0, 0", 1)),
    ("empty string -> null", lambda t: t.replace('["", 0', "[null, 0", 1)),
    ("element of a list lost", lambda t: t.replace('["", 0, false]', '["", false]', 1)),
    ("empty list lost", lambda t: t.replace("[1, [], {}", "[1, {}")),
    ("[] -> {}", lambda t: t.replace("[1, [], {}", "[1, {}, {}")),
    ("list flattened", lambda t: t.replace("[2, [3]]", "[2, 3]")),
    ("nested deeper", lambda t: t.replace("[2, [3]]", "[2, [[3]]]")),
    ("character dropped", lambda t: t.replace(r"a\u00e9", "a")),
    ("string escaped wrongly", lambda t: t.replace(r"q\"\\\/\n", r"q\"\\\\/\n")),
    ("string escaped twice", lambda t: t.replace(r"\\\/\n", r"\\\/\\n")),
    ("newline -> space", lambda t: t.replace(r"\/\n", r"\/ ")),
    ("letter in another case", lambda t: t.replace('"no args"', '"No args"')),
    ("space cut from a string", lambda t: t.replace('"no args"', '"noargs"')),
    ("surrogate pair broken", lambda t: t.replace(r"\ud83d\ude00", r"\ud83d?\ude00")),
    ("surrogate pair -> one half", lambda t: t.replace(r"\ud83d\ude00", r"\ud83d")),
    ("surrogate pair -> U+FFFD", lambda t: t.replace(r"\ud83d\ude00", "\ufffd")),
    ("lone surrogate -> U+FFFD", lambda t: t.replace(r"lone \ud83d", r"lone \ufffd")),
    ("lone surrogate lost", lambda t: t.replace(r"lone \ud83d", "lone ")),
    ("lone surrogate joined to a pair", lambda t: t.replace(r"lone \ud83d", r"lone \ud83d\ude00")),
    ("top-level key lost", lambda t: t.replace(' "schemaVersion": 1,\n', "")),
    ("top-level key added", lambda t: t.replace('"schemaVersion": 1', '"schemaVersion": 1, "by": "x"')),
    ("top-level key renamed", lambda t: t.replace("traceName", "tracename")),
    ("top-level value changed", lambda t: t.replace('"traceName": ""', '"traceName": "x"')),
    ("top-level keys swapped", lambda t: t.replace('"displayTimeUnit": "ms",\n "traceName": ""', '"traceName": "",\n "displayTimeUnit": "ms"')),
    ("top-level duplicate lost", lambda t: t.replace('"note": "first", ', "")),
    ("top-level key moved behind the events", lambda t: t.replace(' "schemaVersion": 1,\n', "").replace('"traceName": ""', '"traceName": "",\n "schemaVersion": 1')),
    ("object -> array", lambda t: "[\n" + "\n".join(EVENT[5:13]) + "\n]\n"),
    ("events -> object", lambda t: t.replace('"traceEvents": [', '"traceEvents": {"a": [').replace("\n ],", "\n ]},")),
    ("events lost", lambda t: t[:t.index('"traceEvents": [') + 16] + t[t.index("\n ],") + 2:]),
    ("nothing left", lambda t: "{}"),
    ("cut in the middle", lambda t: t[:len(t) // 2]),
    ("text after the end", lambda t: t + "{}"),
    ("comma after the last event", lambda t: t.replace('"tid": "7"}', '"tid": "7"},')),
    ("empty file", lambda t: ""),
]
SAME = [
    ("without white space", lambda t: "".join(line.strip() for line in t.split("\n"))),
    ("with other white space", lambda t: t.replace(": ", "\t:\r\n ")),
    ("ASCII spelled as escapes", lambda t: t.replace('"name": "n"', r'"n\u0061me": "\u006E"')),
    ("escapes spelled as UTF-8", lambda t: t.replace(r"\u00e9\ud83d\ude00", "\u00e9\U0001f600")),
    ("slash without escape", lambda t: t.replace(r"\/", "/")),
]
# Bytes that are no UTF-8, which Python's scanner does not read.
RAW = b'[{"name": "a\xff\xfe\xed\xa0\xbd\xc3", "x": "\\udcff"}]'
RAW_MUTANTS = [
    ("invalid byte lost", lambda b: b.replace(b"\xff", b"")),
    ("invalid byte -> U+FFFD", lambda b: b.replace(b"\xff", "\ufffd".encode())),
    ("invalid byte -> Latin-1", lambda b: b.replace(b"\xff", "\xff".encode())),
    ("invalid bytes swapped", lambda b: b.replace(b"\xff\xfe", b"\xfe\xff")),
    ("encoded surrogate -> escape", lambda b: b.replace(b"\xed\xa0\xbd", b"\\ud83d")),
    ("surrogate escape -> bytes", lambda b: b.replace(b"\\udcff", b"\xed\xb3\xbf")),
    ("surrogate escape -> byte", lambda b: b.replace(b"\\udcff", b"\xff")),
    ("cut sequence completed", lambda b: b.replace(b'\xc3"', b'\xc3\xa9"')),
]
# Damaged documents, for --repaired: an export that is good, and bad ones.
GOOD = '{"ph": "X", "name": "a", "args": {"v": 1, "w": 2}}'
LAST = '{"ph": "E", "name": "z"}'


def document(*events, tail='], "end": 1}'):
    return '{"top": 2, "traceEvents": [' + ", ".join(events) + tail


DAMAGED = [
    ("NaN", document('{"name": "n", "args": {"a": NaN, "b": 1}}', LAST), [
        ("kept", document('{"name": "n", "args": {"a": NaN, "b": 1}}', LAST), True),
        ("-> null", document('{"name": "n", "args": {"a": null, "b": 1}}', LAST), True),
        ("-> string", document('{"name": "n", "args": {"a": "NaN", "b": 1}}', LAST), True),
        ("-> 0", document('{"name": "n", "args": {"a": 0, "b": 1}}', LAST), False),
        ("-> Infinity", document('{"name": "n", "args": {"a": Infinity, "b": 1}}', LAST), False),
        ("lost", document('{"name": "n", "args": {"b": 1}}', LAST), False),
        ("kept, neighbour lost", document('{"name": "n", "args": {"a": NaN}}', LAST), False),
        ("kept, neighbour changed", document('{"name": "n", "args": {"a": NaN, "b": 1.0}}', LAST), False),
        ("event lost", document(LAST), False),
    ]),
    ("number 0.-05", document('{"ts": 0.-05, "name": "n"}', LAST), [
        ("kept", document('{"ts": 0.-05, "name": "n"}', LAST), True),
        ("-> -0.05", document('{"ts": -0.05, "name": "n"}', LAST), False),
    ]),
    ("comma after the last event", document(GOOD, LAST + ","), [
        ("cut", document(GOOD, LAST), True),
        ("cut with the event", document(GOOD), False),
        ("kept", document(GOOD, LAST + ","), False),
    ]),
    ("commas without end", '[,, ' + GOOD + ",,, " + LAST + ",", [
        ("cut", "[" + GOOD + ", " + LAST + "]", True),
        ("-> null", "[null, " + GOOD + ", " + LAST + "]", False),
    ]),
    ("comma in args", document('{"name": "n", "args": {"a": 1,}}', LAST), [
        ("cut", document('{"name": "n", "args": {"a": 1}}', LAST), True),
        ("cut with the value", document('{"name": "n", "args": {}}', LAST), False),
    ]),
    ("comma missing", document('{"name": "n" "args": {"a": 1}} ' + GOOD, LAST), [
        ("written", document('{"name": "n", "args": {"a": 1}}', GOOD, LAST), True),
        ("one event lost", document('{"name": "n", "args": {"a": 1}}', LAST), False),
    ]),
    ("cut between events", '[' + GOOD + ", " + LAST, [
        ("closed", "[" + GOOD + ", " + LAST + "]", True),
        ("last event lost", "[" + GOOD + "]", False),
    ]),
    ("cut in an event", document(GOOD, LAST, '{"ph": "X", "na', tail=""), [
        ("event lost", '{"top": 2, "traceEvents": [' + GOOD + ", " + LAST + "]}", True),
        ("event kept as far as it goes", '{"top": 2, "traceEvents": [' + GOOD + ", " + LAST + ', {"ph": "X"}]}', True),
        ("whole event lost too", '{"top": 2, "traceEvents": [' + GOOD + "]}", False),
        ("head lost", '{"traceEvents": [' + GOOD + ", " + LAST + "]}", False),
    ]),
    ("cut in the tail", document(GOOD, LAST, tail='], "end": {"a": [1, '), [
        ("lost", '{"top": 2, "traceEvents": [' + GOOD + ", " + LAST + "]}", True),
        ("events lost", '{"top": 2, "traceEvents": []}', False),
    ]),
    ("quotes inside a name", document('{"ph": "X", "name": "## batch "one" ##", "pid": 1}', LAST), [
        ("escaped", document(r'{"ph": "X", "name": "## batch \"one\" ##", "pid": 1}', LAST), True),
        ("taken out", document('{"ph": "X", "name": "## batch one ##", "pid": 1}', LAST), True),
        ("cut", document('{"ph": "X", "name": "## batch ", "pid": 1}', LAST), False),
        ("escaped, the rest lost", document(r'{"ph": "X", "name": "## batch \"one\" ##"}', LAST), False),
    ]),
    ("backslashes of a path", document(r'{"name": "C:\Users\new\d", "pid": 1}', LAST), [
        ("escaped", document(r'{"name": "C:\\Users\\new\\d", "pid": 1}', LAST), True),
        ("-> slashes", document('{"name": "C:/Users/new/d", "pid": 1}', LAST), False),
        ("the next value changed", document(r'{"name": "C:\\Users\\new\\d", "pid": 2}', LAST), False),
    ]),
    ("control characters", document('{"name": "a\tb\nc", "pid": 1}', LAST), [
        ("escaped", document(r'{"name": "a\tb\nc", "pid": 1}', LAST), True),
        ("letters lost", document(r'{"name": "a\tb\n", "pid": 1}', LAST), False),
    ]),
    ("quote missing before a key", document(GOOD, '{"ph": "X", tid": 0, "pid": 1}', LAST), [
        ("event lost", document(GOOD, LAST), True),
        ("event repaired", document(GOOD, '{"ph": "X", "tid": 0, "pid": 1}', LAST), True),
        ("event and neighbour lost", document(LAST), False),
        ("event and the next lost", document(GOOD), False),
    ]),
    ("text after the end", document(GOOD, LAST) + "\0 {}", [
        ("cut", document(GOOD, LAST), True),
        ("cut with the tail", document(GOOD, LAST, tail="]}"), False),
    ]),
    ("byte order mark", "\ufeff" + document(GOOD, LAST), [
        ("cut", document(GOOD, LAST), True),
        ("cut with the head", "{" + document(GOOD, LAST)[10:], False),
    ]),
]


def main(checker, folder):
    os.makedirs(folder, exist_ok=True)
    loader = importlib.machinery.SourceFileLoader("checker", checker)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", loader))
    loader.exec_module(module)
    failures = 0

    def run(name, original, exported, accepted, *options):
        paths = [os.path.join(folder, "original.json"), os.path.join(folder, "exported.json")]
        for path, data in zip(paths, (original, exported)):
            with open(path, "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = module.main([*options, *paths])
        first = (out.getvalue() or errors.getvalue()).split("\n")[0]
        good = code == (0 if accepted else 1) and not errors.getvalue()
        if not good or "--scanner=bytes" not in options:
            said = ("same" if accepted else "rejected") if good else f"WRONG (exit code {code})"
            print(f"{said}: {name}: {first}")
        return 0 if good else 1

    for name, mutate in MUTANTS:
        mutant = mutate(ORIGINAL)
        if mutant == ORIGINAL:
            print(f"WRONG: the mutant '{name}' changes nothing")
            failures += 1
        for options in ((), ("--scanner=bytes",), ("--repaired", "--scanner=bytes")):
            failures += run(name, ORIGINAL, mutant, False, *options)
    for name, mutate in SAME:
        mutant = mutate(ORIGINAL)
        if mutant == ORIGINAL:
            print(f"WRONG: '{name}' changes nothing")
            failures += 1
        for options in ((), ("--scanner=bytes",), ("--repaired", "--scanner=bytes")):
            failures += run(name, ORIGINAL, mutant, True, *options)
    failures += run("packed", ORIGINAL, gzip.compress(ORIGINAL.encode()), True)
    failures += run("event added at the end, allowed", ORIGINAL, MUTANTS[6][1](ORIGINAL), True, "--added")
    failures += run("event dropped, additions allowed", ORIGINAL, MUTANTS[1][1](ORIGINAL), False, "--added")
    failures += run("bytes that are no UTF-8", RAW, RAW.replace(b": ", b":"), True)
    for name, mutate in RAW_MUTANTS:
        if mutate(RAW) == RAW:
            print(f"WRONG: the mutant '{name}' changes nothing")
            failures += 1
        failures += run(name, RAW, mutate(RAW), False)
    damaged = 0
    for name, original, exports in DAMAGED:
        for what, exported, accepted in exports:
            damaged += 1
            failures += run(f"{name}: {what}", original, exported, accepted, "--repaired")
    print(f"{len(MUTANTS) + len(RAW_MUTANTS)} mutants, {damaged} exports of damaged documents, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
