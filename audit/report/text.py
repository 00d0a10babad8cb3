"""Reports as text: verdict first, then what a tired maintainer needs, on one screen."""

from __future__ import annotations

import itertools
import math
import shlex
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from audit.run import rerun_command
from audit.verdict import (
    AuditResult,
    Detectable,
    Enclosure,
    ExactBounds,
    ExactEvent,
    ExactWitness,
    Upper,
    Verdict,
    Witness,
)

if TYPE_CHECKING:
    from audit.plan import Plan

__all__ = [
    "audit_text",
    "data_row",
    "enclosed",
    "ledger_rows",
    "limits_of",
    "number",
    "row",
    "sentence",
    "user_words",
    "witness_rows",
    "wrapped",
]

WIDTH = 96
LABEL = 12
SHOWN_RUNS = 6
DIGITS = 15
"""Of an exact number."""

LIMITS = (
    ("epsilon_lower", "epsilon", "epsilon {} at the claimed delta"),
    ("delta_lower", "delta", "delta {} at the claimed epsilon"),
    ("mu_lower", "mu", "mu {}"),
    ("rho_lower", "rho", "rho {}"),
    ("renyi_epsilon_lower", "epsilon", "Renyi epsilon {} at the claimed order"),
    ("budget_factor_lower", "factor", "{} times all budgets"),
)
"""Fields of a result that are lower limits, in one word and in a sentence."""
LATTICE = "floating-point lattice"


def audit_text(result: AuditResult, plan: Plan) -> str:
    """Report of one audit."""
    lines = [f"{result.verdict.value}: {result.target}", *wrapped("", _headline(result)), ""]
    lines += row("claim", _claim(result))
    lines += ledger_rows(plan.target.ledger)
    if limits_of(result):
        lines += row("at least", _lower(result))
    if result.exact is not None:
        lines += row("proved", _exact(result.exact))
    if result.profile is not None:
        lines += ["", *_profile(result.profile, result.false_alarm)]
    if result.witness is not None:
        lines += ["", *witness_rows(result.witness)]
    if result.detectable is not None:
        lines += ["", *_detectable(result.detectable)]
    if result.upper is not None:
        lines += ["", *_upper(result.upper, result.false_alarm)]
    lines.append("")
    for note in result.notes:
        lines += row("note", note)
    lines += row("run", _run(result))
    how = "repeat" if result.reproducible else "run again"
    lines.append(f"{how:<{LABEL}}{shlex.join(rerun_command(plan.request, result))}")
    if result.witness is not None:
        lines += ["", "The witness as a script:", "", *_indented(result.witness.rerun)]
    return "\n".join(lines).rstrip() + "\n"


def ledger_rows(claims: tuple[str, ...]) -> Iterator[str]:
    """Name the claims of the ledger about a target, and what checks them."""
    if claims:
        check = shlex.join(["touchstone", "prove", *claims])
        yield from row("ledger", f"{', '.join(claims)} (`{check}` checks them)")


def _headline(result: AuditResult) -> str:
    match result.verdict:
        case Verdict.REFUTED:
            whose = user_words(result.witness)
            return f"The claim {result.claim} is false{whose}. {sentence(result.reason)}"
        case Verdict.CONSISTENT | Verdict.PROVED:
            return f"Nothing speaks against the claim {result.claim}. {sentence(result.reason)}"
        case Verdict.INCONCLUSIVE:
            return f"Nothing can be said about the claim {result.claim}. {sentence(result.reason)}"


def sentence(text: str) -> str:
    """Make a reason a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _claim(result: AuditResult) -> str:
    claim = result.claim
    sources = "; by ".join(map(str, (claim.source, *claim.derived)))
    return f"{claim}, order {result.order.value}; source: {sources}"


def limits_of(result: AuditResult) -> list[tuple[str, str, float]]:
    """Lower limits that the claim has: name, sentence, value."""
    every = ((name, words, getattr(result, field)) for field, name, words in LIMITS)
    return [(name, words, limit) for name, words, limit in every if limit is not None]


def _lower(result: AuditResult) -> str:
    limits = [words.format(number(limit)) for _, words, limit in limits_of(result)]
    each = "each " if len(limits) > 1 else ""
    wrong = f"wrong with probability at most {number(result.false_alarm)}"
    return f"{'; '.join(limits)} ({each}{wrong})"


def _exact(bounds: ExactBounds) -> str:
    reached = ""
    if bounds.reached is not None:
        reached = f", and a pair of neighbors loses {bounds.reached} exactly"
    return (
        f"epsilon is at most {bounds.proved} for all neighbors of all data sets ({bounds.lemma}), "
        f"by the stated law of {bounds.about}{reached}; --mode exact says more"
    )


def _profile(profile: tuple[tuple[float, float], ...], false_alarm: float) -> Iterator[str]:
    yield from row(
        "profile",
        "delta is at least, for all these epsilons jointly (wrong with probability at most "
        f"{number(false_alarm)})",
    )
    yield _table("  epsilon", [number(epsilon) for epsilon, _ in profile])
    yield _table("  delta", [number(delta) for _, delta in profile])


def witness_rows(witness: Witness) -> Iterator[str]:
    """Lines about a witness."""
    likelier, other = ("data", "neighbor")[:: 1 if witness.likelier == "data" else -1]
    yield from row("witness", f"{witness.event}  [{witness.pair}]")
    yield from data_row("  data", witness.data)
    yield from data_row("  neighbor", witness.neighbor)
    at_delta = f" at delta {number(witness.delta)}" if witness.delta else ""
    counts = (
        f"{witness.hits:,} of {witness.draws:,} fresh draws on the {likelier}, "
        f"{witness.other_hits:,} on the {other}: epsilon is at least "
        f"{number(witness.epsilon_lower)}{at_delta}"
    )
    yield from row("  counts", counts)
    if witness.exact is not None:
        yield from row("  exactly", _by_law(witness.exact, likelier, other))
    if witness.shrunk_from is not None:
        yield from row("  shrunk", f"from: {witness.shrunk_from}")
    if witness.feature == LATTICE:
        hint = (
            "this is the floating-point part: the bits of the output tell the data sets apart; "
            "--ideal audits the real-number algorithm alone"
        )
        yield from row("  hint", hint)


def user_words(witness: Witness | ExactWitness | None) -> str:
    """Name the user whose promise a witness breaks; nothing for other claims."""
    if witness is None or witness.user is None:
        return ""
    return f" for user {witness.user}, whose budget is {witness.budget}"


def _detectable(power: Detectable) -> Iterator[str]:
    yield from row(
        "power",
        f"on the {_pairs(power.pairs)} tried, with {power.draws:,} draws of each data set, a "
        "violation would have been found with probability 0.9 if an event of this probability "
        "lost at least",
    )
    yield _table("  event", [number(mass) for mass in power.masses])
    yield _table("  epsilon", [number(epsilon) for epsilon in power.epsilons])
    user = ""
    if power.user is not None:
        user = f"; for user {power.user}, whose budget comes closest to its limit"
    yield from row("", f"(the value at 0.1 may be at most {number(power.limit)}{user})")


def _upper(upper: Upper, false_alarm: float) -> Iterator[str]:
    yield from row(
        "at most",
        f"relative to the {upper.events:,} events learned on the {_pairs(upper.pairs)}: with "
        f"{upper.draws:,} more draws of each data set, no such event of at least this probability "
        f"loses more (wrong with probability at most {number(false_alarm)})",
    )
    yield _table("  event", [number(mass) for mass in upper.masses])
    yield _table("  epsilon", [number(epsilon) for epsilon in upper.epsilons])


def _table(label: str, cells: list[str]) -> str:
    return f"{label:<{LABEL}}" + "".join(f"{cell:>9}" for cell in cells)


def _run(result: AuditResult) -> str:
    ideal = "; real-number algorithm only (--ideal)" if result.ideal else ""
    repeats = "" if result.reproducible else "; the target's own randomness cannot be seeded"
    if not result.reproducible and result.stopped_by == "seconds" and not result.repeat_samples:
        repeats = "; time stopped it, and may stop another run at another draw"
    return (
        f"{result.samples:,} samples on {_pairs(result.pairs)} in {result.seconds:.1f} s, "
        f"false-alarm rate {number(result.false_alarm)}, seed {result.seed}{ideal}{repeats}"
    )


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"


def number(value: float) -> str:
    """Write a number with three significant digits; an infinite one is "inf"."""
    return "inf" if math.isinf(value) else f"{value:.3g}"


def enclosed(ends: Enclosure) -> str:
    """An exact number as it is, another one to the digits that both ends share."""
    lower, upper = ends
    if lower == upper and lower.denominator < 10**DIGITS:
        return f"{lower} exactly"
    texts = [f"{float(end):.{DIGITS}g}" for end in ends]
    return texts[0] if texts[0] == texts[1] else f"from {texts[0]} to {texts[1]}"


def _by_law(event: ExactEvent, likelier: str, other: str) -> str:
    found = "undecided whether the claim allows it"
    if event.excess[0] > 0:
        found = f"{enclosed(event.excess)} beyond what the claim allows"
    elif event.excess[1] <= 0:
        found = "which the claim allows"
    chances = f"{enclosed(event.p)} on the {likelier}, {enclosed(event.q)} on the {other}"
    return f"{chances} by the stated law: {found}"


def _shown(data: Any) -> str:
    """Show a data set in one line."""
    values = data.tolist() if hasattr(data, "tolist") else data
    if not isinstance(values, list):
        return textwrap.shorten(repr(values), WIDTH - LABEL, placeholder=" ...")
    noun = "record" if len(values) == 1 else "records"
    runs = [(text, len(list(run))) for text, run in itertools.groupby(map(_record, values))]
    head = ", ".join(
        text if count == 1 else f"{count} times {text}" for text, count in runs[:SHOWN_RUNS]
    )
    tail = ", ..." if len(runs) > SHOWN_RUNS else ""
    return f"{head}{tail}  ({len(values)} {noun})" if values else f"({len(values)} {noun})"


def _record(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def data_row(label: str, data: Any) -> list[str]:
    """A labeled line with a data set."""
    return row(label, _shown(data))


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
