"""Which files of a corpus of real traces are PyTorch's, by its list INDEX.tsv."""
import csv
import os


def rows(corpus):
    """Of INDEX.tsv, as dicts; among its columns file, kind and producer_version."""
    with open(os.path.join(corpus, "INDEX.tsv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_event_trace(row):
    """Whether it has events; the rest is execution traces, summaries and the like."""
    return row["kind"].startswith("Chrome JSON")


def pytorch_files(corpus):
    return [
        row["file"]
        for row in rows(corpus)
        if is_event_trace(row) and "PyTorch" in row["producer_version"]
    ]
