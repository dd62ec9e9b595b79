"""Documents of any bytes, damaged ones too, with a scanner of our own; document.py says what it gives."""
import re

from events import Event, Events, Unreadable

BOM = b"\xef\xbb\xbf"
SPACE = re.compile(rb"[ \t\r\n]*")
STRING = re.compile(rb'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
WORD = re.compile(rb'[^\s"{}\[\],:]+')
ANY_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
AFTER_KEY = re.compile(rb"[ \t\r\n]*:")
AFTER_VALUE = re.compile(rb'[ \t\r\n]*(?:[,}\]]|\Z|"[^"\\]*"[ \t\r\n]*:)')
END_OF_KEY = re.compile(rb'"(?=[ \t\r\n]*:)')
END_OF_VALUE = re.compile(rb'"(?=[ \t\r\n]*(?:[,}\]]|\Z))')
NEXT_EVENT = re.compile(rb'\}[ \t\r\n,]*(?=\{)|\}[ \t\r\n]*(?=\])')
ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
PLAIN = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
LONGEST_DAMAGE = 1 << 16


class Broken(Exception):
    """A value that cannot be read, at a byte."""


class BytesDocument:
    """Any document, strict or, with lenient, damaged; damage counts what was found, by kind."""

    def __init__(self, data, index, lenient):
        self.data, self.index, self.lenient, self.damage = data, index, lenient, {}
        self.at = 0
        if data.startswith(BOM):
            self.note(0, "a byte order mark")
            self.at = len(BOM)
        self.skip()
        self.shape = {b"{": "object", b"[": "array"}.get(self.next(), "value")

    def again(self):
        """The same document, at its begin."""
        return BytesDocument(self.data, self.index, self.lenient)

    def next(self):
        return self.data[self.at:self.at + 1]

    def skip(self):
        self.at = SPACE.match(self.data, self.at).end()

    def note(self, at, what):
        if not self.lenient:
            raise Unreadable(f"not JSON at byte {at}: {what}", self.index)
        self.damage[what] = self.damage.get(what, 0) + 1

    def string(self, kind, out):
        """Read the string at at, as a key or a value."""
        match = STRING.match(self.data, self.at)
        if match and (not self.lenient or
                      (AFTER_KEY if kind == "k" else AFTER_VALUE).match(self.data, match.end())):
            out.append((kind, text_of(match.group()[1:-1])))
            self.at = match.end()
            return
        start = self.at
        after, end = (AFTER_KEY, END_OF_KEY) if kind == "k" else (AFTER_VALUE, END_OF_VALUE)
        match = ANY_STRING.match(self.data, start, start + LONGEST_DAMAGE)
        if not match or not after.match(self.data, match.end()):
            match = end.search(self.data, start + 1, start + LONGEST_DAMAGE)
        if not match:
            raise Broken(start, "a string without an end")
        self.note(start, "a damaged string")
        raw = self.data[start + 1:match.end() - 1]
        out.append(("d", raw) if kind == "s" else (kind, ("damaged", raw)))
        self.at = match.end()

    def word(self, out):
        match = WORD.match(self.data, self.at)
        if not match:
            raise Broken(self.at, "no value")
        raw = match.group()
        if NUMBER.match(raw):
            out.append(("n", raw.decode()))
        elif raw in (b"true", b"false", b"null"):
            out.append(("w", raw.decode()))
        else:
            self.note(self.at, "a word that is no JSON")
            out.append(("a", raw))
        self.at = match.end()

    def value(self):
        """The tokens of the value at at; commas too many or too few are noted, all else is Broken."""
        out, stack = Event(), []
        wanted = "value"  # value, key, comma (or the end)
        while True:
            self.skip()
            byte = self.next()
            if not byte:
                raise Broken(self.at, "the text ends")
            if byte in b"}]":
                if not stack or stack[-1] != byte:
                    raise Broken(self.at, f"'{byte.decode()}' closes nothing")
                if wanted == "value" and byte == b"}":
                    raise Broken(self.at, "a key without a value")
                if wanted != "comma" and out[-1] not in ("{", "["):
                    self.note(self.at, "a comma too many")
                self.at += 1
                stack.pop()
                out.append(byte.decode())
            elif byte == b",":
                if wanted != "comma" and (not stack or wanted == "value" and stack[-1] == b"}"):
                    raise Broken(self.at, "a comma without a value")
                if wanted != "comma":
                    self.note(self.at, "a comma too many")
                self.at += 1
                wanted = "key" if stack[-1] == b"}" else "value"
                continue
            else:
                if wanted == "comma":
                    self.note(self.at, "a comma too few")
                    wanted = "key" if stack[-1] == b"}" else "value"
                if wanted == "key":
                    if byte != b'"':
                        raise Broken(self.at, "no key")
                    self.string("k", out)
                    self.skip()
                    if self.next() != b":":
                        raise Broken(self.at, "no ':'")
                    self.at += 1
                    wanted = "value"
                    continue
                if byte == b"{" or byte == b"[":
                    out.append(byte.decode())
                    stack.append(b"}" if byte == b"{" else b"]")
                    self.at += 1
                    wanted = "key" if byte == b"{" else "value"
                    continue
                if byte == b'"':
                    self.string("s", out)
                elif byte == b":":
                    raise Broken(self.at, "a ':' too many")
                else:
                    self.word(out)
            if not stack:
                return out
            wanted = "comma"

    def event(self):
        start = self.at
        before = dict(self.damage)
        try:
            return self.value()
        except Broken as error:
            at, why = error.args
        if not self.lenient:
            raise Unreadable(f"not JSON at byte {at}: {why}", self.index)
        self.damage = before
        self.note(at, "an event that cannot be read")
        match = NEXT_EVENT.search(self.data, max(at - 1, start))
        self.at = match.end() if match else len(self.data)
        broken = Event([("d", self.data[start:self.at])])
        broken.broken = why
        return broken

    def events(self):
        self.at += 1
        comma = True
        some = False
        while True:
            self.skip()
            byte = self.next()
            if not byte:
                self.note(self.at, "no end of the events")
                return
            if byte == b"]":
                if comma and some:
                    self.note(self.at, "a comma too many")
                self.at += 1
                return
            if byte == b",":
                if comma:
                    self.note(self.at, "a comma too many")
                comma = True
                self.at += 1
                continue
            if not comma:
                self.note(self.at, "a comma too few")
            event = self.event()
            comma = bool(event.broken) and self.data[max(0, self.at - 64):self.at].rstrip(b" \t\r\n")[-1:] == b","
            some = True
            yield event

    def members(self):
        if self.shape == "array":
            yield None, Events(self.events())
        elif self.shape == "value":
            yield None, self.whole_value()
        else:
            yield from self.object_members()
        self.skip()
        if self.at < len(self.data):
            self.note(self.at, "text after the end")

    def whole_value(self):
        try:
            return self.value()
        except Broken as error:
            self.note(error.args[0], "a value that cannot be read")
            broken = Event([("d", self.data[self.at:])])
            broken.broken = error.args[1]
            self.at = len(self.data)
            return broken

    def object_members(self):
        self.at += 1
        comma, some = True, False
        while True:
            self.skip()
            byte = self.next()
            if not byte:
                self.note(self.at, "no end of the document")
                return
            if byte == b"}":
                if comma and some:
                    self.note(self.at, "a comma too many")
                self.at += 1
                return
            if byte == b",":
                if comma:
                    self.note(self.at, "a comma too many")
                comma = True
                self.at += 1
                continue
            if not comma:
                self.note(self.at, "a comma too few")
            comma, some = False, True
            key = []
            try:
                if byte != b'"':
                    raise Broken(self.at, "no key")
                self.string("k", key)
                self.skip()
                if self.next() != b":":
                    raise Broken(self.at, "no ':'")
            except Broken as error:
                self.note(error.args[0], "text that is no member")
                self.at = len(self.data)
                return
            self.at += 1
            self.skip()
            name = key[0][1]
            if name == "traceEvents" and self.next() == b"[":
                events = Events(self.events())
                yield name, events
                for _ in events:
                    pass
            else:
                yield name, self.whole_value()

    @staticmethod
    def tokens(value):
        return value


def text_of(raw):
    """The code points of what stands between the quotes of a string that is well-formed."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return points_of(raw)
    return unescaped(text) if "\\" in text else text


def unescaped(text):
    def replace(match):
        return chr(int(match[1], 16)) if match[1] else PLAIN[match[2]]
    return PAIR.sub(lambda m: chr(0x10000 + (ord(m[1]) - 0xD800) * 0x400 + ord(m[2]) - 0xDC00),
                    ESCAPE.sub(replace, text))


def points_of(raw):
    """Like text_of, of a string in which some bytes are no UTF-8: a tuple of code points."""
    points, rest = [], raw
    while rest:
        try:
            points += map(ord, unescaped(rest.decode("utf-8")))
            break
        except UnicodeDecodeError as error:
            points += map(ord, unescaped(rest[:error.start].decode("utf-8")))
            points += (0x110000 + b for b in rest[error.start:error.end])
            rest = rest[error.end:]
    return tuple(points)
