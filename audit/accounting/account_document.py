"""What an account says, as a document: both ends of the total, and what each step loses alone."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from fractions import Fraction

from audit.accounting.account_result import AccountResult, CurvePoint
from audit.accounting.account_sentences import (
    compared_words,
    delta_words,
    epsilon_words,
    headline,
    rounded,
)
from audit.documents.claim_parts import document_of_claim
from audit.documents.shared_sections import page_of, run_lines, unseen_rows
from audit.results.document import (
    Document,
    Part,
    Provenance,
    Row,
    Rows,
    Section,
    View,
    Words,
    code,
)
from audit.results.plot_parts import Curves, Mark
from audit.results.verdict import Verdict

__all__ = ["document"]

BLACK_BOX = (
    "The lower end is of some mechanisms with these parts: of one that is given as a claim no more "
    "is known than the claim."
)
ATTAINED = (
    "The lower end is of this composition: neighbors that differ in one and the same record in "
    "all steps lose as much."
)
OUTSIDE = (
    "Nothing is said of a program: whether it samples, clips and adds noise as the plan says is "
    "what `touchstone audit` asks."
)
RECHECKED = "a second program added up the steps again"
UNCHECKED = "none: no second program added up the steps again"
ENGINES = "Both ends are theorems, computed in integers and balls: no error rate, nothing is drawn."


def document(result: AccountResult, provenance: Provenance) -> Document:
    """What it says."""
    return document_of_claim(
        result,
        headline(result),
        (*_lines(result, provenance), *_page(result, provenance)),
        provenance,
        evidence=_evidence(result),
    )


def _evidence(result: AccountResult) -> Iterator[str]:
    lower, upper = result.epsilon.lower, result.epsilon.upper
    yield f"total >= {'inf' if lower is None else rounded(lower, math.floor, 3)}"
    yield f"total <= {'inf' if upper is None else rounded(upper, math.ceil, 3)}"


def _total(result: AccountResult) -> Iterator[Row]:
    yield Row("total", f"epsilon {epsilon_words(result.epsilon)}, by the {result.engine}")
    if result.delta is not None:
        yield Row("at claim", f"delta {delta_words(result.delta)}")


def _steps(result: AccountResult) -> Iterator[Row]:
    for alone in result.alone:
        yield Row("step", f"{alone.step.count:,} of {alone.step.words}")
        yield Row("read as", alone.convention, 1)
        yield Row("alone", f"epsilon {epsilon_words(alone.epsilon)}", 1)


def _compared(result: AccountResult) -> Iterator[Row]:
    for one in result.compared:
        name = f"{one.library} {one.accountant}".rstrip()
        yield Row("compared", f"{name}: {compared_words(one)}")


def _lines(result: AccountResult, provenance: Provenance) -> Iterator[Section]:
    claim = Row("claim", f"{result.claim}")
    rows = (claim, *_total(result), *_compared(result), *_steps(result))
    yield Section("", (Rows(rows),), view=View.LINES)
    notes = (*result.notes, _whose(result))
    yield run_lines(
        result.not_tried,
        notes,
        _run(result),
        provenance.command,
        certificate=tuple(_recheck(result, provenance)),
    )


def _recheck(result: AccountResult, provenance: Provenance) -> Iterator[Row]:
    """Whether a second program added up what was proved."""
    if provenance.certificate is not None:
        check = code(shlex.join(["touchstone", "verify", provenance.certificate]))
        yield Row("certificate", (f"{provenance.certificate}; ", check, " rechecks it"))
    elif result.verdict is None or result.verdict is Verdict.PROVED:
        unchecked = f"{UNCHECKED} ({result.uncertified})"
        yield Row("recheck", unchecked if result.certificate is None else RECHECKED)


def _run(result: AccountResult) -> str:
    return f"{result.seconds:.1f} s, nothing drawn"


def _whose(result: AccountResult) -> str:
    return ATTAINED if result.is_attained else BLACK_BOX


def _page(result: AccountResult, provenance: Provenance) -> tuple[Section, ...]:
    return page_of(
        Section(
            "Total",
            (Rows((*_total(result), *_compared(result))), Words(_whose(result))),
            "total",
            View.PAGE,
        ),
        (*_curve(result), Words(ENGINES)),
        (
            Row("claim", str(result.claim)),
            *_steps(result),
            *_recheck(result, provenance),
            Row("run", _run(result)),
        ),
        (Words(OUTSIDE), *unseen_rows(result.not_tried, result.notes)),
        provenance=provenance,
    )


def _curve(result: AccountResult) -> Iterator[Part]:
    points = result.profile
    if not points:
        return
    right = float(points[-1].epsilon)
    upper = [_place(point, point.upper) for point in points]
    lower = [_place(point, point.lower) for point in points]
    words = f"delta over epsilon, from {upper[0][1]:.3g} at 0 to {upper[-1][1]:.3g} at {right:.3g}"
    marks = [
        Mark("area", (*upper, *reversed(lower)), "band"),
        Mark("line", tuple(upper), "proved"),
    ]
    caption = "Both ends of the total delta; where they are nearer than a point, one line."
    top = max(height for _, height in upper)
    yield Curves(
        "profile",
        "Privacy profile",
        ("epsilon", "delta"),
        0.0,
        right,
        top,
        tuple(marks),
        words,
        caption=caption,
    )


def _place(point: CurvePoint, value: Fraction) -> tuple[float, float]:
    return float(point.epsilon), float(value)
