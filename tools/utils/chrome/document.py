"""Chrome traces as sequences of tokens: two scanners, none of which shares anything with Heddle.

A document is a sequence of members: (key, value) of an object, or one member with key None. A value
is a list of tokens, or an Events, which gives the lists of tokens of one event after the other. A
token is "{", "}", "[", "]", or a pair (kind, text):

    k   a key                   s   a string               n   a number, as spelled
    w   true, false, null       a   a bare word that JSON does not know, as spelled (bytes)
    d   a damaged string, what stood between its quotes (bytes)

The text of k and s is a str, which may hold lone surrogates; where bytes are no UTF-8, a tuple of
code points, with 0x110000 + b for such a byte b.
"""
import gzip
import json
import re
import zlib

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


class Unreadable(Exception):
    """The text is not what the scanner reads; document is the index of the document, where known."""

    def __init__(self, text, document=None):
        super().__init__(text)
        self.document = document


def read_bytes(path):
    """The bytes of a file, unpacked; of a packed file that is cut, what is left."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, zlib.error, OSError):
        unpacked = zlib.decompressobj(31)
        try:
            return unpacked.decompress(data)
        except zlib.error as error:
            raise Unreadable(f"not a gzip file: {error}") from error


class Events:
    """The events of one array. Iterating goes through the text: once, and before the next member."""

    def __init__(self, iterator):
        self.iterator = iterator

    def __iter__(self):
        return self.iterator


class Event(list):
    """The tokens of an event. broken: why it cannot be read, or None."""

    broken = None


# --- with Python's scanner ------------------------------------------------------------------------


class StrictDocument:
    """A document that is UTF-8 and strict JSON. Numbers are tuples of characters, objects are tuples
    of pairs, arrays are lists; flatten makes tokens of that, where they are needed."""

    SPACE = re.compile(r"[ \t\r\n]*")

    def __init__(self, data, index):
        self.index = index
        try:
            self.text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unreadable(f"byte {error.start} is no UTF-8", index) from error
        if self.text.startswith("\ufeff"):
            raise Unreadable("a byte order mark", index)
        decoder = json.JSONDecoder(object_pairs_hook=tuple, parse_int=tuple, parse_float=tuple,
                                   parse_constant=self.constant)
        self.decode = decoder.scan_once
        self.damage = {}
        self.at = 0
        self.skip()
        self.shape = {"{": "object", "[": "array"}.get(self.text[self.at:self.at + 1], "value")

    def again(self):
        """The same document, at its begin."""
        return StrictDocument(self.text.encode("utf-8"), self.index)

    def constant(self, word):
        raise Unreadable(f"'{word}' is no JSON", self.index)

    def fail(self, what):
        raise Unreadable(f"not JSON at character {self.at}: {what}", self.index)

    def skip(self):
        self.at = self.SPACE.match(self.text, self.at).end()

    def expect(self, wanted):
        self.skip()
        found = self.text[self.at:self.at + 1]
        if found not in wanted or not found:
            self.fail(f"'{found}' where one of '{wanted}' is wanted")
        self.at += 1
        return found

    def value(self):
        try:
            value, self.at = self.decode(self.text, self.at)
        except StopIteration:
            self.fail("no value")
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"not JSON: {error}", self.index) from error
        return value

    def events(self):
        text, space, decode = self.text, self.SPACE.match, self.decode
        self.at = space(text, self.at + 1).end()
        if text[self.at:self.at + 1] == "]":
            self.at += 1
            return
        while True:
            try:
                value, at = decode(text, self.at)
            except StopIteration:
                self.fail("no value")
            except (ValueError, RecursionError) as error:
                raise Unreadable(f"not JSON: {error}", self.index) from error
            yield value
            at = space(text, at).end()
            found = text[at:at + 1]
            self.at = at + 1
            if found == "]":
                return
            if found != ",":
                self.at = at
                self.fail(f"'{found}' after an event")
            self.at = space(text, at + 1).end()

    def members(self):
        if self.shape == "array":
            yield None, Events(self.events())
        elif self.shape == "value":
            yield None, self.value()
        else:
            self.at += 1
            self.skip()
            if self.text[self.at:self.at + 1] == "}":
                self.at += 1
            else:
                yield from self.object_members()
        self.skip()
        if self.at != len(self.text):
            self.fail("text after the end")

    def object_members(self):
        while True:
            self.skip()
            if self.text[self.at:self.at + 1] != '"':
                self.fail("no key")
            key = self.value()
            self.expect(":")
            self.skip()
            if key == "traceEvents" and self.text[self.at:self.at + 1] == "[":
                events = Events(self.events())
                yield key, events
                for _ in events:
                    pass
            else:
                yield key, self.value()
            if self.expect(",}") == "}":
                return

    @staticmethod
    def tokens(value):
        """The tokens of a value of this scanner."""
        out, todo = Event(), [value]
        while todo:
            value = todo.pop()
            if isinstance(value, str):
                out.append(("s", value))
            elif value is None or value is True or value is False:
                out.append(("w", {None: "null", True: "true", False: "false"}[value]))
            elif isinstance(value, Close):
                out.append(value.text)
            elif isinstance(value, Key):
                out.append(("k", value.text))
            elif isinstance(value, list):
                out.append("[")
                todo.append(Close("]"))
                todo.extend(reversed(value))
            elif value and isinstance(value[0], str):
                out.append(("n", "".join(value)))
            else:
                out.append("{")
                todo.append(Close("}"))
                for key, member in reversed(value):
                    todo.append(member)
                    todo.append(Key(key))
        return out


class Close:
    def __init__(self, text):
        self.text = text


class Key:
    def __init__(self, text):
        self.text = text


# --- with our own scanner -------------------------------------------------------------------------


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


def open_document(data, index, scanner, lenient=False):
    return StrictDocument(data, index) if scanner == "json" else BytesDocument(data, index, lenient)
