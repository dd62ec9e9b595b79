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

from bytes_document import BytesDocument
from events import Event, Events, Unreadable


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


def open_document(data, index, scanner, lenient=False):
    return StrictDocument(data, index) if scanner == "json" else BytesDocument(data, index, lenient)
