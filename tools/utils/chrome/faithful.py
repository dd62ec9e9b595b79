"""Whether a document holds all of another one: the comparison of check-chrome-faithful."""
import collections
import difflib
import json

from bytes_document import ESCAPE, PLAIN
from events import Events

SHOWN = 10
LOOKAHEAD = 200  # as many events in a row may be missing before the rest counts as changed


class Misaligned(Exception):
    """The keys of the two documents differ."""


def shown(token):
    if not isinstance(token, tuple):
        return {"{": "an object", "[": "an array"}.get(token, f"the end ('{token}')")
    kind, text = token
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    elif isinstance(text, tuple):
        text = spelled(text)
    if kind in "sk":
        text = json.dumps(text)
    if len(text) > 80:
        text = text[:77] + "..."
    return "key " + text if kind == "k" else text


def spelled(text):
    """A string in which some bytes are no UTF-8, or a damaged key, in one that can be printed."""
    if text[0] == "damaged":
        return text[1].decode("utf-8", "backslashreplace")
    return "".join(chr(c) if c < 0x110000 else f"\\x{c - 0x110000:02x}" for c in text)


def article(shape):
    return f"{'a' if shape == 'value' else 'an'} {shape}"


def place(prefix, tokens, end):
    """The place in the document of tokens[end]."""
    stack = []  # [key or index, is array]
    for token in tokens[:end]:
        if token in ("{", "["):
            count_up(stack)
            stack.append([-1 if token == "[" else None, token == "["])
        elif token in ("}", "]"):
            stack.pop()
        elif token[0] == "k":
            stack[-1][0] = token[1]
        else:
            count_up(stack)
    if end < len(tokens) and tokens[end] not in ("}", "]"):
        count_up(stack)
        if tokens[end][0] == "k":
            stack[-1][0] = tokens[end][1]
    out = prefix
    for step, array in stack:
        if array:
            out += f"[{step}]" if step >= 0 else ""
        elif step is not None:
            out = step_of(out, step)
    return out or "the document"


def step_of(prefix, key):
    if isinstance(key, tuple):
        key = spelled(key)
    if key.isidentifier():
        return prefix + ("." if prefix else "") + key
    return f"{prefix}[{json.dumps(key)}]"


def count_up(stack):
    if stack and stack[-1][1]:
        stack[-1][0] += 1


def skeletons(raw):
    """What is left of a damaged string without quotes, backslashes and control characters, with
    its escapes read and with them taken as they stand."""
    text = raw.decode("utf-8", "replace")
    read = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else PLAIN[m[2]], text)
    return {skeleton(text), skeleton(read)}


def skeleton(text):
    return "".join(c for c in text if c not in '"\\\ufffd' and c >= " ")


def same_token(mine, other):
    """Whether a token of the exported document stands for one of the original, which may be damaged."""
    if mine == other:
        return True
    if mine[0] == "a":  # a word that is no JSON
        word = mine[1].decode("utf-8", "replace")
        return other in (("w", "null"), ("s", word))
    if mine[0] == "d":  # a damaged string
        return other[0] == "s" and isinstance(other[1], str) and skeleton(other[1]) in skeletons(mine[1])
    if mine[0] == "k" and isinstance(mine[1], tuple) and mine[1][0] == "damaged":
        return other[0] == "k" and isinstance(other[1], str) and skeleton(other[1]) in skeletons(mine[1][1])
    return False


class Comparison:
    def __init__(self, original, exported, added):
        self.original, self.exported, self.added = original, exported, added
        self.restart()

    def restart(self):
        self.differences, self.lines = 0, []
        self.count = self.members = self.missing = self.extra = 0

    def differ(self, text):
        self.differences += 1
        if len(self.lines) < SHOWN:
            self.lines.append(text)

    def run(self):
        try:
            self.compare(None)
        except Misaligned:
            keys = [[key for key, _ in d.again().members()] for d in (self.original, self.exported)]
            self.original, self.exported = self.original.again(), self.exported.again()
            self.restart()
            self.compare(alignment(*keys))

    def compare(self, steps):
        if self.original.shape != self.exported.shape:
            self.differ(f"the document: original is {article(self.original.shape)}, exported {article(self.exported.shape)}")
            return
        originals, exporteds = self.original.members(), self.exported.members()
        while True:
            step = next(steps, None) if steps else "both"
            if step is None:
                break
            mine = next(originals, None) if step != "added" else None
            other = next(exporteds, None) if step != "lost" else None
            if mine is None and other is None:
                break
            if step == "both" and (mine is None or other is None or mine[0] != other[0]):
                if not steps:
                    raise Misaligned
            if mine is None:
                self.differ(f"key {shown(('k', other[0]))[4:]}: added at the top")
            elif other is None:
                self.lost_member(*mine)
            else:
                self.compare_member(mine[0], mine[1], other[1])
        for _ in originals:  # reads to the end, where text may follow
            pass
        for _ in exporteds:
            pass
        for what, count in self.exported.damage.items():
            if what not in ("a word that is no JSON", "a damaged string") or self.original.damage.get(what, 0) < count:
                self.differ(f"the document: exported has {what}")

    def lost_member(self, key, value):
        if getattr(value, "broken", None):
            self.missing += 1  # it was cut
        else:
            self.differ(f"key {shown(('k', key))[4:]}: lost at the top")

    def compare_member(self, key, mine, other):
        self.members += 1
        name = step_of("", key) if key is not None else ""
        if isinstance(mine, Events) != isinstance(other, Events):
            self.differ(f"{name}: {'events' if isinstance(mine, Events) else 'no events'} in original, "
                        f"{'events' if isinstance(other, Events) else 'no events'} in exported")
        elif isinstance(mine, Events):
            self.compare_events(name, mine, other)
        elif getattr(mine, "broken", None):
            self.missing += 1
        else:
            self.compare_value(name, mine, other)

    def same(self, mine, other):
        """Whether two values are the same, damage apart."""
        if mine == other:
            return True
        if not isinstance(mine, list) or not self.original.damage:
            return False
        if len(mine) != len(other) or getattr(other, "broken", None):
            return False
        return all(map(same_token, mine, other))

    def compare_value(self, prefix, mine, other):
        if self.same(mine, other):
            return
        mine, other = self.original.tokens(mine), self.exported.tokens(other)
        at = next((i for i, (a, b) in enumerate(zip(mine, other)) if not same_token(a, b)), min(len(mine), len(other)))
        texts = [shown(tokens[at]) if at < len(tokens) else "nothing" for tokens in (mine, other)]
        longer = mine if at < len(mine) else other
        self.differ(f"{place(prefix, longer, at)}: original has {texts[0]}, exported {texts[1]}")

    def compare_events(self, prefix, originals, exporteds):
        mine, other = Queue(iter(originals)), Queue(iter(exporteds))
        while True:
            a, b = mine.peek(0), other.peek(0)
            if a is Queue.END and b is Queue.END:
                return
            if a is not Queue.END and b is not Queue.END and self.same(a, b):
                mine.pop()
                other.pop()
                self.count += 1
                continue
            if a is Queue.END:
                if self.added:
                    self.extra += 1
                else:
                    self.differ(f"{prefix}[{other.index}]: added")
                other.pop()
                continue
            if getattr(a, "broken", None):
                # It may be missing, or stand there as the writer understood it.
                following = mine.peek(1)
                missing = b is Queue.END or following is not Queue.END and self.same(following, b)
                next_b = other.peek(1)
                if not missing and (next_b is Queue.END or following is not Queue.END and self.same(following, next_b)):
                    other.pop()
                mine.pop()
                self.missing += 1
                continue
            if b is Queue.END:
                self.differ(f"{prefix}[{mine.index}]: event lost")
                mine.pop()
                continue
            if self.alike(mine.peek(1), other.peek(1)):
                self.compare_value(f"{prefix}[{mine.index}]", a, b)
                self.count += 1
                mine.pop()
                other.pop()
                continue
            ahead = range(1, LOOKAHEAD)
            lost = next((k for k in ahead if self.alike(mine.peek(k), b)), None)
            extra = next((k for k in ahead if self.alike(a, other.peek(k))), None)
            if lost and (not extra or lost <= extra):
                for _ in range(lost):
                    if getattr(mine.peek(0), "broken", None):
                        self.missing += 1
                    else:
                        self.differ(f"{prefix}[{mine.index}]: event lost")
                    mine.pop()
            elif extra:
                for _ in range(extra):
                    self.differ(f"{prefix}[{other.index}]: event added")
                    other.pop()
            else:
                self.compare_value(f"{prefix}[{mine.index}]", a, b)
                self.count += 1
                mine.pop()
                other.pop()

    def alike(self, mine, other):
        if mine is Queue.END or other is Queue.END:
            return mine is other
        return self.same(mine, other)

    def report(self):
        for line in self.lines:
            print(line)
        if self.differences > len(self.lines):
            print(f"{self.differences - len(self.lines)} more differences")
        extra = f", {self.extra} added at the end" if self.extra else ""
        if self.original.damage:
            print("damaged: " + ", ".join(f"{n} x {what}" for what, n in sorted(self.original.damage.items())))
        verdict = f"{self.differences} differences" if self.differences else "all there"
        cut = f", {self.missing} of them cannot be read" if self.missing else ""
        print(f"{self.count + self.missing} events{cut}{extra}, {self.members} members at the top: {verdict}")
        return 1 if self.differences else 0


class Queue:
    """An iterator that can be looked into ahead."""

    END = object()

    def __init__(self, iterator):
        self.iterator, self.queue, self.index = iterator, collections.deque(), 0

    def peek(self, k):
        while len(self.queue) <= k:
            self.queue.append(next(self.iterator, self.END))
        return self.queue[k]

    def pop(self):
        self.queue.popleft()
        self.index += 1


def alignment(mine, other):
    """lost, added or both, for each key of two lists."""
    for tag, i, k, j, m in difflib.SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from ("both" for _ in range(i, k))
        else:
            yield from ("lost" for _ in range(i, k))
            yield from ("added" for _ in range(j, m))
