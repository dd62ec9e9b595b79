"""Prints results as `.ht` text, as docs/TraceText.md describes it."""

import decimal
import math

from .text import key, quoted


def real(value):
    """A number with a fraction: the shorter of 0.001 and 1e-03, with the digits that it takes."""
    if not math.isfinite(value):
        return "#" + quoted(str(value))
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, digits)).rstrip("0")
    exponent += len(decimal.Decimal(repr(value)).as_tuple().digits) - len(digits)
    if not digits:
        return "-0.0" if sign else "0.0"
    fixed = format(decimal.Decimal((0, tuple(map(int, digits)), exponent)), "f")
    power = exponent + len(digits) - 1
    short = digits[0] + ("." + digits[1:] if digits[1:] else "")
    short += f"e{'-' if power < 0 else '+'}{abs(power):02}"
    text = ("-" if sign else "") + (fixed if len(fixed) <= len(short) else short)
    return text if "." in text or "e" in text else text + ".0"


def _cell(value):
    if value is None:
        return "null"
    if isinstance(value, str):
        return quoted(value)
    return real(value) if isinstance(value, float) else str(value)


def _table_lines(table):
    columns = []
    for column in table.columns:
        words = [word for word in ("text" if column.is_text else "", column.unit) if word]
        columns.append(key(column.key) + (f": {' '.join(words)}" if words else ""))
    yield f"table {quoted(table.id)} {quoted(table.title)} ({', '.join(columns)})"
    for row in table.cells:
        pairs = [f"{key(c.key)} = {_cell(v)}" for c, v in zip(table.columns, row)]
        yield f"table {quoted(table.id)} " + (f"{{ {', '.join(pairs)} }}" if pairs else "{}")


def _remark_line(remark):
    line = f"remark {quoted(remark.id)} {remark.level} {quoted(remark.message)}"
    facts = []
    for name in ("rank", "device", "window_ns", "cost_ns", "lower_ns", "upper_ns"):
        facts += [f"{name} = {getattr(remark, name)}"] * (getattr(remark, name) is not None)
    facts += [f"confidence = {remark.confidence}"] * (remark.confidence != "high")
    line += f" {{ {', '.join(facts)} }}" if facts else ""
    args = ", ".join(f"{key(name)} = {quoted(text)}" for name, text in remark.args)
    line += f" with {{ {args} }}" if args else ""
    evidence = ", ".join(f"{ref.track}:{ref.index}" for ref in remark.evidence)
    line += f" on {evidence}" if evidence else ""
    return line + (f" advice {quoted(remark.advice)}" if remark.advice else "")


def result_lines(results):
    """The lines of results."""
    for result in results:
        line = f"pass {quoted(result.spelled)}"
        line += f" name {quoted(result.name)}" * (result.name != result.spelled.split("<")[0])
        line += "" if result.rank is None else f" rank {result.rank}"
        line += f" generation {result.generation}" * (result.generation != 0)
        yield line + " stale" * result.stale
        for table in result.tables:
            yield from _table_lines(table)
        yield from map(_remark_line, result.remarks)
        for statistic in result.statistics:
            loss = " loss" if statistic.is_loss else ""
            yield f"statistic {quoted(statistic.name)} = {statistic.value}{loss}"
        for abstention in result.abstained:
            record = f" record {quoted(abstention.record)}" if abstention.record else ""
            yield f"abstain {quoted(abstention.reason)}{record}"
