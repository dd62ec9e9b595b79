"""Reads Heddle's binary traces, `.hb`, as docs/TraceFormat.md describes them.

    import heddle_trace

    with heddle_trace.open("train.hb") as trace:
        for rank in trace.ranks:
            for track in rank.tracks:
                for name, begin, end in zip(track.name, track.begin, track.end):
                    ...

A rank is read when its tracks, edges or anything else of it is asked for. Whatever is wrong with a
file raises heddle_trace.Error, which says where and what.
"""

from .errors import Error, MissingLibrary
from .model import (
    EDGE_KINDS,
    FAMILIES,
    KINDS,
    TYPES,
    VENDORS,
    Clock,
    Device,
    Document,
    Edge,
    Entry,
    EventRef,
    FlowRow,
    Json,
    Layout,
    LooseRow,
    Placement,
    Raw,
    Recording,
    SourceId,
    Step,
)
from .rank import Rank
from .results import Abstention, Provenance, Remark, Result, Source, Statistic, Table, TableColumn
from .trace import Trace
from .track import Track

__version__ = "0.1.0"


def open(path_or_file, limit=None):
    """Open a trace: a path, or a binary file object that can seek; gzip is seen by itself.

    `limit` is how many bytes the decoded parts may take together: 2,000 times the file and 1 GiB
    unless it is given.
    """
    return Trace(path_or_file, limit)


def check(path_or_file, limit=None):
    """Read all of a file; raises Error if anything in it is not as the format says."""
    with Trace(path_or_file, limit) as trace:
        trace.check()


__all__ = [
    "Abstention",
    "Clock",
    "Device",
    "Document",
    "EDGE_KINDS",
    "Edge",
    "Entry",
    "Error",
    "EventRef",
    "FAMILIES",
    "FlowRow",
    "Json",
    "KINDS",
    "Layout",
    "LooseRow",
    "MissingLibrary",
    "Placement",
    "Provenance",
    "Rank",
    "Raw",
    "Recording",
    "Remark",
    "Result",
    "Source",
    "SourceId",
    "Statistic",
    "Step",
    "TYPES",
    "Table",
    "TableColumn",
    "Trace",
    "Track",
    "VENDORS",
    "check",
    "open",
]
