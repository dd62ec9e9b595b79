#!/usr/bin/env python3
"""Tests of heddle_trace alone: small files that are right, wrong, damaged or greedy."""

import io
import os
import re
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import heddle_trace
import right_files
import tiny_writer as tiny
import wrong_files
from draft import Draft, payload_of
from heddle_trace import columns, errors, frames
from heddle_trace.result_text import real, result_lines
from heddle_trace.text import is_canonical, trace_lines

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SMALL = dict(right_files.drafts())["as_it_is"]
PACKED = dict(right_files.drafts())["compressed_payloads"]


def text_of(data, **more):
    """All of a file as text."""
    with heddle_trace.open(io.BytesIO(data), **more) as trace:
        trace.check()
        return [*trace_lines(trace), *result_lines(trace.results)]


class Files(unittest.TestCase):
    """What is accepted, and what is refused in which words."""

    def test_right(self):
        for name, data in right_files.drafts():
            with self.subTest(name):
                self.assertGreater(len(text_of(data)), 1)

    def test_wrong(self):
        for name, data, cause in wrong_files.drafts():
            with self.subTest(name):
                with self.assertRaisesRegex(heddle_trace.Error, cause):
                    heddle_trace.check(io.BytesIO(data))

    def test_each_byte_counts(self):
        whole = text_of(PACKED)
        for place in range(len(PACKED)):
            data = bytearray(PACKED)
            data[place] ^= 1 << place % 8
            try:
                self.assertEqual(text_of(bytes(data)), whole, place)
            except heddle_trace.Error as error:
                self.assertNotIn("Traceback", str(error))

    def test_cut(self):
        for size in range(0, len(PACKED), 7):
            with self.assertRaises(heddle_trace.Error):
                heddle_trace.check(io.BytesIO(PACKED[:size]))

    def test_cut_gzip(self):
        packed = dict(right_files.drafts())["in_gzip"]
        for size in range(2, len(packed), 7):
            with self.assertRaises(heddle_trace.Error):
                heddle_trace.check(io.BytesIO(packed[:size]))

    def test_errors_say_where(self):
        data = bytearray(SMALL)
        data[1500] ^= 1
        with tempfile.NamedTemporaryFile(suffix=".hb") as file:
            file.write(data)
            file.flush()
            with self.assertRaises(heddle_trace.Error) as caught:
                heddle_trace.check(file.name)
            error = caught.exception
            self.assertEqual((error.offset % 16, error.path), (0, file.name))
            self.assertIn(f"{file.name} at byte {error.offset}: the hash", str(error))


class Greedy(unittest.TestCase):
    """Small files that ask for much are refused at once."""

    def refused(self, parts, limit=100_000_000, **more):
        data = tiny.write(parts, **more)
        begin = time.monotonic()
        with self.assertRaisesRegex(heddle_trace.Error, "unpacks to more than"):
            heddle_trace.check(io.BytesIO(data), limit=limit)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertLess(len(data), 3_000_000)

    def test_many_zeros(self):
        """64 MiB of zeros in each frame."""
        payload = right_files.pack(tiny.message("Strings", {"first": 1, "bytes": bytes(60 << 20)}))
        parts = tiny.small()
        parts[1:2] = [[tiny.STRINGS, payload]] * 3

        def edit(kind, data):
            if kind != tiny.STRINGS:
                return data
            return tiny.frame(kind, payload_of(data), flags=1)

        self.refused(parts, edit_frames=edit)

    def test_many_values(self):
        """Columns that take a few bytes each and have 65,536 values."""
        draft = Draft()
        draft.rank["layouts"][0]["entries"] += [(1, 1, 0, 0, 0)] * 2000
        rows = 65536
        constant = {"encoding": 0, "count": rows}
        events = {"rank": 0, "segments": [(0, rows)], "shapes": [(0, 2)]}
        for name in ("shape", "begin", "duration", "name"):
            events[name] = constant
        events["seq"] = {"encoding": 3, "count": rows, "second": 1}
        events["attributes"] = [{**constant, "slot": 0}]
        events["attributes"] += [{**constant, "slot": slot} for slot in range(1, 2001)]
        facts = {"rows": rows, "times": (0, 0), "tracks": (0, 0)}
        parts = draft.frames[:3] + [[tiny.EVENTS, events, facts]] + draft.frames[-1:]
        parts[2][1]["tracks"] = parts[2][1]["tracks"][:1]
        self.refused(parts, ranks=tiny.RANKS)

    def test_one_table_often(self):
        """A list whose elements are all the same table, which has a long list."""
        parts = tiny.small()
        layout = {"entries": [(0, 0, 6, 0, 0)] * 1000}
        parts[2][1]["layouts"] = [layout] * 60000
        self.refused(parts)


class Columns(unittest.TestCase):
    """Section 5 of the page."""

    def test_examples_of_the_page(self):
        with open(os.path.join(ROOT, "docs", "TraceFormat.md"), encoding="utf-8") as file:
            text = file.read().split("| values | column |\n| --- | --- |\n")[1].split("\n\n")[0]
        encodings = ("Constant", "Plain", "Delta", "Delta of delta", "Dictionary")
        rows = text.strip().split("\n")
        self.assertEqual(len(rows), len(encodings))
        for row in rows:
            values, column = row.strip("| ").split(" | ")
            name, _, facts = column.partition(",")
            fields = {"slot": 0, "part": 0, "second": 0, "unit": 1, "width": 0}
            fields.update(entries=0, entry_width=0, sizes=[], data=b"")
            fields["encoding"] = encodings.index(name)
            for field, value in re.findall(r"(\w+) (\d+)", facts):
                fields[field] = int(value)
            sizes = re.search(r"sizes ([\d and]+)", facts)
            if sizes:
                fields["sizes"] = list(map(int, re.findall(r"\d+", sizes.group(1))))
                fields["data"] = bytes.fromhex(re.search(r"`(.*)`", facts).group(1))
            values = list(map(int, values.split(", ")))
            stored = type("Column", (), fields)
            found = columns.decode(stored, len(values), "", 0, errors.Budget(1000))
            self.assertEqual(list(found), values, name)


class Interface(unittest.TestCase):
    """What the module offers."""

    def setUp(self):
        self.trace = heddle_trace.open(io.BytesIO(SMALL))
        self.rank = self.trace.ranks[0]

    def test_tracks(self):
        thread, stream = self.rank.tracks
        self.assertEqual((thread.family, thread.tid.value, thread.label), ("thread", 101, "name"))
        self.assertEqual((stream.device, stream.stream, len(stream)), (0, 7, 2))
        self.assertEqual((list(stream.begin), list(stream.end)), ([100, 200], [150, 260]))
        self.assertEqual((thread.name, thread.kind), (["launch", "name"], ["runtime", "other"]))
        self.assertEqual((stream.duration, list(stream.seq)), ([50, 60], [2, 3]))
        self.assertEqual(thread.derived, {"ratio": [None, 4]})
        self.assertEqual(stream.derived, {"note": [None, "ok"]})

    def test_attributes(self):
        thread, stream = self.rank.tracks
        self.assertEqual(self.rank.attributes("correlation"), [[11, None], [11, 12]])
        self.assertEqual(list(map(str, stream.attributes("ratio"))), ["0.50", "-0.5"])
        self.assertEqual(stream.attributes("note")[0].value, [1, 2])
        self.assertEqual(stream.attributes("note", "event"), [None, None])
        self.assertEqual(stream.attributes("nothing"), [None, None])
        self.assertEqual(thread.args(1), {"ok": True, "note": None})
        self.assertEqual(list(stream.args(0)), ["correlation", "bytes", "ratio", "note"])

    def test_links(self):
        launch, flow = self.rank.edges
        self.assertEqual((launch.kind, launch.source, launch.target), ("launch", (0, 0), (1, 0)))
        self.assertEqual((flow.kind, flow.source, flow.target), ("flow", (0, 1), (1, 1)))
        self.assertEqual(self.rank.event(launch.target), ("kernel", "gemm", 100, 150))
        end, start = self.rank.flows
        self.assertEqual((end.is_end, end.at, end.event), (True, 90, (0, 1)))
        self.assertEqual((start.name, start.at, start.event), ("ac2g", 100, (1, 0)))
        self.assertEqual(start.tid, heddle_trace.SourceId("string", "name"))
        self.assertEqual(self.rank.loose, [(6, '{"ph": "M"}')])

    def test_facts(self):
        recording = self.rank.recording
        self.assertEqual((recording.vendor, recording.origin, recording.base), ("cuda", 17, 5))
        self.assertEqual((recording.notes, recording.repairs), ({"note": 2}, {}))
        self.assertEqual((self.rank.document["name"], self.rank.number), (0.5, 3))
        self.assertEqual(self.rank.document.keys(), ["traceEvents", "name"])
        self.assertEqual(self.rank.devices, [(0, "gemm", 132, -1, -1, -1)])

    def test_results(self):
        self.assertEqual(self.trace.table("t"), [{"k": 5, "s": "cause"}, {"k": 1.5, "s": None}])
        remark = self.trace.results[0].remarks[0]
        self.assertEqual(
            (remark.level, remark.evidence, remark.args), ("finding", [(1, 1)], [("a", "b")])
        )
        self.assertEqual(self.trace.provenance.sources, [("x", 9)])

    def test_reads_only_the_rank_asked_for(self):
        data = dict(right_files.drafts())["two_ranks_mixed"]
        seen = []

        class File(io.BytesIO):
            def read(self, size=-1):
                if size > frames.HEADER.size:
                    seen.append(self.tell())
                return super().read(size)

        trace = heddle_trace.open(File(data))
        self.assertEqual(len(seen), 3)  # Head, End, Footer
        seen.clear()
        self.assertEqual(len(trace.ranks[1].tracks), 2)
        own = [place.offset for _, place, _ in trace.ranks[1].frame_entries()]
        self.assertEqual(seen, own)

    def test_reads_on_after_closing(self):
        self.assertEqual(len(self.rank.tracks), 2)
        self.trace.close()
        self.assertEqual(self.rank.attributes("correlation")[1], [11, 12])


class Text(unittest.TestCase):
    """The spellings of text."""

    def test_canonical_json(self):
        for text in (
            "[]",
            "{}",
            '[1, -0.5e+3, "a\\u0041", null]',
            '{"a": [{}], "b": ""}',
            "[[1], []]",
        ):
            self.assertTrue(is_canonical(text), text)
        for text in (
            "",
            "[",
            "[1,2]",
            "[1, ]",
            '{"a":1}',
            "{a: 1}",
            "[01]",
            "[1]]",
            "[tru]",
            '["\t"]',
        ):
            self.assertFalse(is_canonical(text), text)

    def test_reals(self):
        for value, text in (
            (0.5, "0.5"),
            (3.0, "3.0"),
            (1e22, "1e+22"),
            (1e-05, "1e-05"),
            (123456.0, "123456.0"),
            (100000.0, "1e+05"),
            (-0.0, "-0.0"),
            (float("inf"), '#"inf"'),
        ):
            self.assertEqual(real(value), text)


if __name__ == "__main__":
    unittest.main()
