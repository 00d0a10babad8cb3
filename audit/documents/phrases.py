"""Phrases that all kinds of reports share, without layout.

What each verdict is worth stands here once; a test finds it in the README and on the page of
verdicts. Limits are strict, lower ones printed rounded down and upper ones rounded up.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from fractions import Fraction
from typing import Any

from audit.results.number_words import number_below, probability_words
from audit.results.refutation import Enclosure

__all__ = [
    "GUARANTEES",
    "LATTICE",
    "OTHERS",
    "OUT_OF_STEPS",
    "OUT_OF_TIME",
    "UNCOVERED_WORDS",
    "beyond",
    "data_words",
    "enclosed",
    "exact_number",
    "sentence",
    "undecided_words",
    "user_words",
]

SHOWN_WIDTH = 84
"""Characters of a data set that is no list."""
SHOWN_RUNS = 6
DIGITS = 15
"""Of an exact number."""
OTHERS = "Nothing is said of other events"
"""What a power statement leaves out."""
GUARANTEES = {
    "refuted": (
        "The claim is false. This is wrong with probability at most RATE, however long the run, "
        "provided that every draw is independent of every other, also within one call, and that "
        "the law of the outputs does not change while it is audited."
    ),
    "refuted, exact": (
        "The claim is false: EVENT has probability in [p] on one data set and [q] on the other."
    ),
    "proved": "The claim holds for PAIRS, by the law that the mechanism states.",
    "consistent": (
        "Nothing was found on the N pairs tried. A loss of at least X would have been found with "
        "probability 0.9 if it showed in an event of probability M that is an interval, a tail or "
        "a single value of one coordinate. Nothing is said of other events. It is no proof of "
        "privacy."
    ),
    "inconclusive": "The run could not tell: REASON",
    "confirmed": "confirmed on fresh draws: epsilon > Y > claim",
    "not confirmed": (
        "not confirmed: fresh draws alone show epsilon > Y; the verdict rests on the whole run"
    ),
    "rate": (
        "The rate covers REFUTED of privacy audits and of exact tests of errors, one verdict at a "
        "time. It does not cover INCONCLUSIVE, controls that were not refuted, comparisons with a "
        "baseline, or limits jointly"
    ),
    "trust": (
        "Code that runs in this process is trusted: it can change the verdict. Audit code that you "
        "do not trust as a command."
    ),
    "time": (
        "Time never makes a verdict: REFUTED, PROVED and CONSISTENT mean the same on a slow "
        "machine; only INCONCLUSIVE may be due to time, and says so."
    ),
}
"""What is said of verdicts, word for word; capitals stand for what a report fills in."""
UNCOVERED_WORDS = (
    "no rate covers: inconclusive, control not refuted, worse than the baseline, contradicted "
    "proof, ledger, tables, errors"
)
"""What turns a gate red besides a false alarm (`audit.suite.shares`)."""
LEFT_OUT = (
    "the bound that the stated law proves was left out: it takes more than {}; --mode exact alone "
    "has no limit"
)
"""Note of a run whose bound by the stated law was not computed."""
OUT_OF_TIME, OUT_OF_STEPS = LEFT_OUT.format("the run's time"), LEFT_OUT.format("its steps")

LATTICE = "floating-point lattice"
"""What the events look at that --ideal leaves out."""


def sentence(text: str) -> str:
    """Make a reason a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def undecided_words(reason: str) -> str:
    """Say that a run could not tell, and why."""
    ended = reason if reason.endswith("?") else f"{reason.rstrip('.')}."
    return GUARANTEES["inconclusive"].replace("REASON", ended)


def user_words(user: int | None, budget: Fraction | None) -> str:
    """Name the user whose promise a witness breaks; nothing for other claims."""
    return "" if user is None else f" for user {user}, whose budget is {budget}"


def beyond(limit: float, claimed: float | Fraction | None = None, *, equal: bool = True) -> str:
    """Write a strict lower limit; one that is beyond the claim is never shown below it.

    `limit`: what is surely exceeded. `equal`: whether the claimed number itself may be shown as the
    limit.
    """
    if math.isinf(limit):
        return "is infinite"
    text = number_below(limit)
    if claimed is None or limit < float(claimed):
        return f"> {text}"
    for digits in range(3, 16):
        text = number_below(limit, digits)
        if Fraction(text) > claimed or (equal and Fraction(text) == claimed):
            return f"> {text}"
    return f"> {exact_number(claimed)}"


def exact_number(value: float | Fraction) -> str:
    """Write a number as a decimal where it is one, else as a fraction."""
    if isinstance(value, Fraction):
        decimal = repr(float(value))
        return f"{value}" if Fraction(decimal) != value else decimal
    return f"{value:.17g}"


def enclosed(ends: Enclosure) -> str:
    """An exact number as it is, another one to the digits that both ends share."""
    lower, upper = ends
    if lower == upper and lower.denominator < 10**DIGITS:
        return f"{lower} exactly"
    texts = [probability_words(end, DIGITS) for end in ends]
    return texts[0] if texts[0] == texts[1] else f"from {texts[0]} to {texts[1]}"


def data_words(data: Any) -> str:
    """Show a data set in one line."""
    values = data.tolist() if hasattr(data, "tolist") else data
    if not isinstance(values, list):
        return textwrap.shorten(repr(values), SHOWN_WIDTH, placeholder=" ...")
    noun = "record" if len(values) == 1 else "records"
    runs = [(text, len(list(run))) for text, run in itertools.groupby(map(_record, values))]
    head = ", ".join(
        text if count == 1 else f"{count} times {text}" for text, count in runs[:SHOWN_RUNS]
    )
    tail = ", ..." if len(runs) > SHOWN_RUNS else ""
    return f"{head}{tail}  ({len(values)} {noun})" if values else f"({len(values)} {noun})"


def _record(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
