"""What a gate run took from earlier runs, in the words and records of its reports.

What was left out and why, what is worse than in the baseline, how much wealth was carried.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from audit.documents.phrases import sentence
from audit.results.document import Row
from audit.results.number_words import number

if TYPE_CHECKING:
    from audit.suite.changes.select import Selection
    from audit.suite.gate_outcome import BaselineTold, NightTold, Outcome, Told

__all__ = [
    "head_text",
    "head_words",
    "night_words",
    "past_rows",
    "past_words",
    "tail_text",
]

COMMIT = 12
"""Characters of a commit's name."""
WIDTH = 100


def head_text(told: Told) -> str:
    """Lines above the audits: what is run and what is left out."""
    text = "" if told.selection is None else _selection(told.selection)
    if told.nights is not None:
        text += f"wealth against unchanged targets is carried in {told.nights}\n"
    return text


def head_words(told: Told) -> str:
    """The same in a line, for summaries."""
    words = []
    if (selection := told.selection) is not None:
        names = ", ".join(choice.name for choice in selection.left_out)
        words.append(_counts(selection) + (f"; left out: {names}" if names else ""))
    if told.nights is not None:
        words.append(f"wealth is carried in {told.nights}")
    return "".join(f"{sentence(word)} " for word in words)


def _counts(selection: Selection) -> str:
    count, left = len(selection.choices), len(selection.left_out)
    commit = "" if selection.commit is None else f" ({selection.commit[:COMMIT]})"
    return f"changes since {selection.revision}{commit}: {count - left} of {count} audits run"


def _selection(selection: Selection) -> str:
    lines = [_counts(selection)]
    for choice in selection.choices:
        word = "run" if choice.run else "left out"
        lines += _wrapped(f"  {word:<10}", f"{choice.name}: {choice.why}")
    return "\n".join(lines) + "\n"


def tail_text(told: Told) -> str:
    """Lines below the audits: what became of the wealth and of the baseline."""
    lines = [f"the wealth of this run is not kept: {told.fault}"] if told.fault else []
    lines += [] if told.baseline is None else _baseline(told.baseline)
    return "".join(f"{line}\n" for line in lines)


def _baseline(told: BaselineTold) -> list[str]:
    if told.written:
        return [f"baseline {told.file} written"]
    if told.why_not:
        return [f"baseline {told.file} not written: {told.why_not}"]
    lines = [f"FAIL  {key} is in the baseline, and no longer audited" for key in told.missing]
    if told.new:
        lines += _wrapped("", f"not in the baseline {told.file} yet: {', '.join(told.new)}")
    return lines


def past_words(outcome: Outcome) -> str:
    """What is worse than in the baseline, in a sentence; empty if nothing is."""
    if not outcome.past.regressions:
        return ""
    return f"Regressed. {'; '.join(map(str, outcome.past.regressions))}."


def past_rows(outcome: Outcome) -> Iterator[Row]:
    """Rows below the line of an audit that did not pass."""
    for regression in outcome.past.regressions:
        yield Row("regressed", str(regression))
    if (night := outcome.past.night) is not None and night.number > 1:
        yield Row("", night_words(night))


def night_words(night: NightTold) -> str:
    """What a night did to the wealth."""
    before = "" if not night.refuted_before else "; an earlier night refuted the claim"
    return (
        f"night {night.number} of this target: the wealth against the claim was "
        f"{number(night.wealth_before)} and is {number(night.wealth)}{before}"
    )


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_long_words=False,
        break_on_hyphens=False,
    )
