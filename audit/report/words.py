"""Sentences about results, without layout: every report of people's words takes them from here."""

from __future__ import annotations

import itertools
import math
import textwrap
from typing import Any

from audit.utility.result import UtilityResult
from audit.verdict import (
    MOVED,
    RELEASE,
    AuditResult,
    Detectable,
    Enclosure,
    ExactBounds,
    ExactEvent,
    ExactResult,
    ExactWitness,
    Upper,
    Verdict,
    Witness,
)

__all__ = [
    "LATTICE",
    "LATTICE_HINT",
    "LIMITS",
    "bounds_words",
    "chances_words",
    "claim_words",
    "counts_words",
    "data_words",
    "detectable_limit_words",
    "detectable_words",
    "enclosed",
    "headline",
    "limits_of",
    "limits_words",
    "number",
    "profile_words",
    "run_words",
    "sentence",
    "upper_words",
    "user_words",
]

SHOWN_WIDTH = 84
"""Characters of a data set that is no list."""
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
"""What the events look at that --ideal leaves out."""
LATTICE_HINT = (
    "this is the floating-point part: the bits of the output tell the data sets apart; "
    "--ideal audits the real-number algorithm alone"
)
"""What to say of it."""


def headline(result: AuditResult | ExactResult | UtilityResult) -> str:
    """Say in a sentence or two what the verdict means."""
    if isinstance(result, UtilityResult):
        from audit.report.utility import utility_headline

        return utility_headline(result)
    claim, reason = result.claim, sentence(result.reason)
    match result.verdict:
        case Verdict.REFUTED:
            about = result.witness.about if isinstance(result.witness, ExactWitness) else RELEASE
            of = "" if about == RELEASE else f" of {about.removesuffix(MOVED)}"
            return f"The claim {claim} is false{user_words(result.witness)}{of}. {reason}"
        case Verdict.PROVED if isinstance(result, ExactResult):
            where = "" if result.proof is None else f" for {result.proof.pairs}"
            return f"The claim {claim} holds{where}. {reason}"
        case Verdict.CONSISTENT | Verdict.PROVED:
            return f"Nothing speaks against the claim {claim}. {reason}"
        case Verdict.INCONCLUSIVE if isinstance(result, ExactResult):
            return f"Nothing is decided about the claim {claim}. {reason}"
        case Verdict.INCONCLUSIVE:
            return f"Nothing can be said about the claim {claim}. {reason}"


def sentence(text: str) -> str:
    """Make a reason a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def claim_words(result: AuditResult) -> str:
    """The claim, how the data are read, and who promises it."""
    claim = result.claim
    sources = "; by ".join(map(str, (claim.source, *claim.derived)))
    return f"{claim}, order {result.order.value}; source: {sources}"


def limits_of(result: AuditResult) -> list[tuple[str, str, float]]:
    """Lower limits that the claim has: name, sentence, value."""
    every = ((name, words, getattr(result, field)) for field, name, words in LIMITS)
    return [(name, words, limit) for name, words, limit in every if limit is not None]


def limits_words(result: AuditResult) -> str:
    """What holds at least, and how surely."""
    limits = [words.format(number(limit)) for _, words, limit in limits_of(result)]
    each = "each " if len(limits) > 1 else ""
    wrong = f"wrong with probability at most {number(result.false_alarm)}"
    return f"{'; '.join(limits)} ({each}{wrong})"


def bounds_words(bounds: ExactBounds) -> str:
    """What the stated law proves."""
    reached = ""
    if bounds.reached is not None:
        reached = f", and a pair of neighbors loses {bounds.reached} exactly"
    return (
        f"epsilon is at most {bounds.proved} for all neighbors of all data sets ({bounds.lemma}), "
        f"by the stated law of {bounds.about}{reached}; --mode exact says more"
    )


def profile_words(false_alarm: float) -> str:
    """What the lower band of a privacy profile says."""
    return (
        "delta is at least, for all these epsilons jointly (wrong with probability at most "
        f"{number(false_alarm)})"
    )


def counts_words(witness: Witness) -> str:
    """How often the event of a witness came, and what follows."""
    likelier, other = _arms(witness)
    at_delta = f" at delta {number(witness.delta)}" if witness.delta else ""
    return (
        f"{witness.hits:,} of {witness.draws:,} fresh draws on the {likelier}, "
        f"{witness.other_hits:,} on the {other}: epsilon is at least "
        f"{number(witness.epsilon_lower)}{at_delta}"
    )


def chances_words(event: ExactEvent, witness: Witness) -> str:
    """The exact probabilities of an event that samples found."""
    found = "undecided whether the claim allows it"
    if event.excess[0] > 0:
        found = f"{enclosed(event.excess)} beyond what the claim allows"
    elif event.excess[1] <= 0:
        found = "which the claim allows"
    likelier, other = _arms(witness)
    chances = f"{enclosed(event.p)} on the {likelier}, {enclosed(event.q)} on the {other}"
    return f"{chances} by the stated law: {found}"


def _arms(witness: Witness) -> tuple[str, str]:
    """The data set on which the event is too likely, and the other."""
    return ("data", "neighbor") if witness.likelier == "data" else ("neighbor", "data")


def user_words(witness: Witness | ExactWitness | None) -> str:
    """Name the user whose promise a witness breaks; nothing for other claims."""
    if witness is None or witness.user is None:
        return ""
    return f" for user {witness.user}, whose budget is {witness.budget}"


def detectable_words(power: Detectable) -> str:
    """What would have been found."""
    return (
        f"on the {_pairs(power.pairs)} tried, with {power.draws:,} draws of each data set, a "
        "violation would have been found with probability 0.9 if an event of this probability "
        "lost at least"
    )


def detectable_limit_words(power: Detectable) -> str:
    """How good that must be."""
    user = ""
    if power.user is not None:
        user = f"; for user {power.user}, whose budget comes closest to its limit"
    return f"the value at 0.1 may be at most {number(power.limit)}{user}"


def upper_words(upper: Upper, false_alarm: float) -> str:
    """What the upper limits on learned events say."""
    return (
        f"relative to the {upper.events:,} events learned on the {_pairs(upper.pairs)}: with "
        f"{upper.draws:,} more draws of each data set, no such event of at least this probability "
        f"loses more (wrong with probability at most {number(false_alarm)})"
    )


def run_words(result: AuditResult) -> str:
    """What the run took."""
    ideal = "; real-number algorithm only (--ideal)" if result.ideal else ""
    repeats = "" if result.reproducible else "; the target's own randomness cannot be seeded"
    if not result.reproducible and result.stopped_by == "seconds" and not result.repeat_samples:
        repeats = "; time stopped it, and may stop another run at another draw"
    budget = "" if result.budget_samples is None else f" (budget {result.budget_samples:,})"
    return (
        f"{result.samples:,} samples{budget} on {_pairs(result.pairs)} in {result.seconds:.1f} s, "
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
