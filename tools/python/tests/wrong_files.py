"""Files whose hashes fit and that are wrong all the same, one for each check of a reader."""

import wrong_frames  # noqa: F401
import wrong_ranks  # noqa: F401
import wrong_results  # noqa: F401
from draft import WRONG, Draft

# What nobody looks at who reads the rank alone, through the footer: frames that it does not list,
# results, and strings that nothing uses.
NOT_OF_THE_RANK = frozenset("""
    type 0 / type 12 / two heads / end in the middle / events behind the footer
    footer lacks a chunk / no provenance / two provenances / result behind provenance
    delta of nothing / piece missing / piece too long / piece that does not follow
    middle piece of another size / piece of another size / piece of another string
    piece with lengths / strings between pieces
    result of no rank / result of rank -2 / cells missing / rows missing / rows of nothing
    kind of a cell unknown / text of a cell unknown / negative text of a cell / unit unknown
    level unknown / confidence unknown / severity unknown / evidence of no track
    evidence of no event / evidence of the trace / remark about no rank / last piece missing
    first piece missing / piece behind the last / piece of another pass / piece of another spelling
    piece about another rank / piece of another generation / piece that is stale / rows of no table
    rows of another table / rows of another title / rows of fewer columns / rows behind a table
    files of more ranks
    """.replace("\n    ", " / ").strip(" /").split(" / "))


def drafts(beside=False):
    """(name, bytes, part of the message) of each wrong file; with a right rank beside."""
    for name, (change, cause) in WRONG.items():
        draft = Draft()
        change(draft)
        yield name, draft.write(beside), cause
