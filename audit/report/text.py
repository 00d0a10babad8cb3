"""Reports as text: verdict first, then what a tired maintainer needs, on one screen."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from audit.report.words import (
    LATTICE,
    LATTICE_HINT,
    bounds_words,
    chances_words,
    claim_words,
    counts_words,
    data_words,
    detectable_limit_words,
    detectable_lines,
    detectable_words,
    enclosed,
    headline,
    limits_of,
    limits_words,
    meaning,
    number,
    number_above,
    number_below,
    profile_words,
    run_words,
    sentence,
    upper_words,
    user_words,
)
from audit.run import repeat_line
from audit.verdict import AuditResult, Detectable, ExactResult, Upper, Witness

if TYPE_CHECKING:
    from audit.request.plan import Plan
    from audit.utility.result import UtilityResult

__all__ = [
    "audit_text",
    "data_row",
    "enclosed",
    "ledger_rows",
    "limits_of",
    "not_tried_row",
    "number",
    "row",
    "sentence",
    "user_words",
    "witness_rows",
    "wrapped",
]

WIDTH = 96
LABEL = 12


def audit_text(result: AuditResult, plan: Plan) -> str:
    """Report of one audit."""
    lines = [f"{result.verdict.value}: {result.target}", *wrapped("", headline(result)), ""]
    lines += row("claim", claim_words(result))
    lines += ledger_rows(plan.target.ledger)
    if (worth := meaning(result)) is not None:
        lines += row("worth", worth)
    if limits_of(result):
        lines += row("limits", limits_words(result))
    if result.exact is not None:
        lines += row("proved", bounds_words(result.exact))
    if result.profile is not None:
        lines += ["", *_profile(result.profile, result.false_alarm)]
    if result.witness is not None:
        lines += ["", *witness_rows(result.witness)]
    if result.detectable is not None:
        lines += ["", *_detectable(result.detectable)]
    if result.upper is not None:
        lines += ["", *_upper(result.upper, result.false_alarm)]
    lines.append("")
    lines += not_tried_row(result)
    for note in result.notes:
        lines += row("note", note)
    lines += row("run", run_words(result))
    how = "repeat" if result.reproducible else "run again"
    lines.append(f"{how:<{LABEL}}{repeat_line(plan.request, result)}")
    if result.witness is not None:
        lines += ["", "The witness as a script:", "", *_indented(result.witness.rerun)]
    return "\n".join(lines).rstrip() + "\n"


def not_tried_row(result: AuditResult | ExactResult | UtilityResult) -> list[str]:
    """What the verdict says nothing of."""
    return row("not tried:", "; ".join(result.not_tried)) if result.not_tried else []


def ledger_rows(claims: tuple[str, ...]) -> Iterator[str]:
    """Name the claims of the ledger about a target, and what checks them."""
    if claims:
        check = shlex.join(["touchstone", "prove", *claims])
        yield from row("ledger", f"{', '.join(claims)} (`{check}` checks them)")


def _profile(profile: tuple[tuple[float, float], ...], false_alarm: float) -> Iterator[str]:
    yield from row("profile", profile_words(false_alarm))
    yield _table("  epsilon", [number(epsilon) for epsilon, _ in profile])
    yield _table("  delta", [number_below(delta) for _, delta in profile])


def witness_rows(witness: Witness) -> Iterator[str]:
    """Lines about a witness."""
    yield from row("witness", f"{witness.event}  [{witness.pair}]")
    yield from data_row("  data", witness.data)
    yield from data_row("  neighbor", witness.neighbor)
    yield from row("  counts", counts_words(witness))
    if witness.exact is not None:
        yield from row("  exactly", chances_words(witness.exact, witness))
    if witness.shrunk_from is not None:
        yield from row("  shrunk", f"from: {witness.shrunk_from}")
    if witness.feature == LATTICE:
        yield from row("  hint", LATTICE_HINT)


def _detectable(power: Detectable) -> Iterator[str]:
    yield from row("power", detectable_words(power))
    for mass, which in detectable_lines(power):
        yield from row(f"  {mass}", which)
    yield from row("", sentence(detectable_limit_words(power)))


def _upper(upper: Upper, false_alarm: float) -> Iterator[str]:
    yield from row("at most", upper_words(upper, false_alarm))
    yield _table("  event", [number(mass) for mass in upper.masses])
    yield _table("  epsilon", [number_above(epsilon) for epsilon in upper.epsilons])


def _table(label: str, cells: list[str]) -> str:
    return f"{label:<{LABEL}}" + "".join(f"{cell:>9}" for cell in cells)


def data_row(label: str, data: Any) -> list[str]:
    """A labeled line with a data set."""
    return row(label, data_words(data))


def row(label: str, text: str) -> list[str]:
    """A label, and text beside it."""
    return wrapped(f"{label:<{LABEL}}", text)


def wrapped(label: str, text: str) -> list[str]:
    """Text broken into lines, all indented by the label."""
    indent = " " * len(label)
    lines = textwrap.wrap(text, WIDTH - len(label), break_long_words=False, break_on_hyphens=False)
    return [(label if i == 0 else indent) + line for i, line in enumerate(lines)]


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.rstrip().splitlines()]
