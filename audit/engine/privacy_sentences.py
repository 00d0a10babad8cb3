"""Sentences about an audit from samples, without layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from audit.documents.phrases import (
    GUARANTEES,
    OTHERS,
    OUT_OF_TIME,
    beyond,
    enclosed,
    sentence,
    undecided_words,
    user_words,
)
from audit.levels import kind_of
from audit.levels.kind import Limit
from audit.results.number_words import number, number_above, plural
from audit.results.refutation import ExactEvent, Witness
from audit.results.sampled_result import AuditResult, Detectable, ExactBounds, Upper
from audit.results.verdict import Verdict

__all__ = [
    "bounds_words",
    "chances_words",
    "claim_words",
    "claimed_first",
    "confidence",
    "confirmed_words",
    "counts_words",
    "cut_words",
    "detectable_limit_words",
    "detectable_lines",
    "detectable_words",
    "headline",
    "limits_of",
    "limits_words",
    "meaning",
    "profile_words",
    "run_words",
    "severity_of",
    "shapes_words",
    "upper_words",
    "wider_words",
]

MEASURED = "measured on claims of epsilon 1"
"""Of these shapes: tests/audit/engine/test_wider_power.py asks the file of factors."""

UNSEEDED = "the target's own randomness cannot be seeded"

ONLY = {
    "order-only": " for data sets without an order",
    "last-bits": " for the floating-point numbers that are released",
}
"""What of a claim is false, by the code of a warning."""

SHAPES = (
    (
        "{} intervals of one coordinate",
        {"2 intervals": "two", "3 intervals": "three", "5 intervals": "five"},
    ),
    (
        "a box of two coordinates, {}",
        {"box in 2 of 2": "alone", "box in 2 of 10": "among ten"},
    ),
    (
        "a checkerboard of two coordinates, {}",
        {"checkerboard in 2 of 2": "alone", "checkerboard in 2 of 10": "among ten"},
    ),
    (
        "remainders of an integer by {}",
        {"residue mod 3": "3", "residue mod 10": "10", "residue mod 256": "256"},
    ),
)
"""How the shapes of `benchmarks/events.py` are called: those of one kind in one phrase."""


def headline(result: AuditResult) -> str:
    """Say in a sentence or two what the verdict means."""
    claim, reason, witness = result.claim, sentence(result.reason), result.witness
    match result.verdict:
        case Verdict.REFUTED:
            whose = "" if witness is None else user_words(witness.user, witness.budget)
            of = next((ONLY[hint.code] for hint in result.warnings if hint.code in ONLY), "")
            return f"The claim {claim} is false{whose}{of}. {reason}"
        case Verdict.INCONCLUSIVE:
            return cut_words(result) + undecided_words(result.reason)
        case _:
            return f"{cut_words(result)}Nothing speaks against the claim {claim}. {reason}"


def cut_words(result: AuditResult) -> str:
    """Say first that time has cut a run, where it has; else nothing."""
    if not result.stopped_by_time or result.cause == "time":  # its reason says so
        return ""
    planned = "" if result.planned is None else f" of {result.planned:,}"
    return f"Cut by time after {result.samples:,}{planned} draws. "


def meaning(result: AuditResult) -> str | None:
    """What a refutation is worth; None for other verdicts."""
    if result.verdict is not Verdict.REFUTED:
        return None
    _, _, worth = GUARANTEES["refuted"].partition("This is ")
    return worth.replace("RATE", number(result.false_alarm)).rstrip(".")


def claim_words(result: AuditResult) -> str:
    """The claim, how the data are read, and who promises it."""
    claim = result.claim
    sources = "; by ".join(map(str, (claim.source, *claim.derived)))
    return f"{claim}, order {result.order.value}; source: {sources}"


def claimed_first(result: AuditResult) -> Fraction | None:
    """What is claimed of the first number that a result limits."""
    return next((claimed for _, _, claimed in _limits(result)), None)


def _limits(result: AuditResult) -> Iterator[tuple[Limit, float, Fraction | None]]:
    """What a result limits, by how much, and what is claimed of it."""
    level = result.claim.level
    for limit in kind_of(level).limits:
        if limit.name in result.limits:
            claimed = None if limit.claimed is None else limit.claimed(level)
            yield limit, result.limits[limit.name], claimed


def limits_of(result: AuditResult) -> list[tuple[str, str, float]]:
    """Lower limits of the whole run that say something: name, sentence, value."""
    return [(limit.shown, limit.words, value) for limit, value, _ in _limits(result) if value]


def severity_of(result: AuditResult) -> tuple[str, float] | None:
    """The number that is shown first: the run's own limit, and no larger one.

    The larger of two limits that are each wrong with probability at most r may be wrong with 2 r.

    Returns
    -------
    (str, float) or None
        What is limited, and the limit; None where nothing is known.
    """
    for limit, value, _ in _limits(result):
        return (limit.shown, value) if value else None
    return None


def limits_words(result: AuditResult) -> str:
    """What is surely exceeded, by the whole run and by the witness's draws, and how surely."""
    limits: list[str] = []
    several = 0
    for limit, value, claimed in _limits(result):
        said = [beyond(value, claimed)] if value else []
        if found := _fresh_limit(result.witness, limit):
            said = [f"{words} by the whole run" for words in said]
            only = "" if result.witness is None or result.witness.confirmed else "only "
            said.append(f"{only}{beyond(found, claimed)} by these new draws")
        if said:
            several += len(said)
            limits.append(limit.words.format(", ".join(said)))
    if not limits:
        return "nothing is known to be exceeded"
    each = "each " if several > 1 else ""
    return f"{'; '.join(limits)} ({each}with {confidence(result.false_alarm)} confidence)"


def _fresh_limit(witness: Witness | None, limit: Limit) -> float:
    """What the new draws of a witness show of what is limited; 0 where they show nothing of it."""
    if witness is None or witness.lower <= 0:
        return 0.0
    if limit.name == "epsilon" and witness.measure == "epsilon":
        return witness.lower
    if limit.name == "budget_factor" and witness.budget:
        return witness.lower / float(witness.budget)
    return 0.0


def confidence(false_alarm: float) -> str:
    """How sure a limit is that is wrong with this probability: all digits of it are kept."""
    return f"{(100 - 100 * Decimal(repr(false_alarm))).normalize():f} %"


def bounds_words(bounds: ExactBounds) -> str:
    """What the stated law proves."""
    reached = ""
    if bounds.attained is not None:
        reached = f", and a pair of neighbors loses {bounds.attained} exactly"
    return (
        f"epsilon is at most {bounds.proved} for all neighbors of all data sets ({bounds.lemma}), "
        f"by the stated law of {bounds.about}{reached}; --mode exact says more"
    )


def profile_words(false_alarm: float) -> str:
    """What the lower band of a privacy profile says."""
    return (
        "delta is larger than this, for all these epsilons jointly (wrong with probability at most "
        f"{number(false_alarm)}; 0 says nothing)"
    )


def counts_words(witness: Witness) -> str:
    """How often the event of a witness came, and what follows."""
    likelier, other = _arms(witness)
    return (
        f"{witness.hits:,} of {witness.draws:,} fresh draws on the {likelier}, "
        f"{witness.other_hits:,} on the {other}: {confirmed_words(witness)}"
    )


def confirmed_words(witness: Witness) -> str:
    """Whether the fresh draws of a witness alone break the claim."""
    at_delta = f" at delta {number(witness.delta)}" if witness.delta else ""
    if witness.confirmed:
        more = beyond(witness.lower, witness.allowed, equal=False)
        allowed = witness.allowed_words or number(witness.allowed)
        return f"confirmed on fresh draws: {witness.measure} {more} > {allowed}{at_delta}"
    if witness.lower <= 0:
        return "not confirmed: fresh draws alone show nothing; the verdict rests on the whole run"
    return (
        f"not confirmed: fresh draws alone show {witness.measure} {beyond(witness.lower)}"
        f"{at_delta}; the verdict rests on the whole run"
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


def detectable_words(power: Detectable) -> str:
    """What would have been found: the beginning, which `detectable_lines` go on with."""
    return (
        f"on the {plural(power.pairs, 'pair')} tried, with {power.draws:,} draws of each data set, "
        "an event of this probability would have been found with probability 0.9 if it was"
    )


def detectable_lines(power: Detectable) -> list[tuple[str, str]]:
    """For each probability the events that it holds for, and how much they must lose."""
    lines = []
    for mass, epsilon, kinds in zip(power.masses, power.epsilons, power.classes, strict=True):
        named = [kind if kind.startswith("one ") else f"a {kind}" for kind in kinds]
        which = _list_of(named, "or")
        words = f"{which} of one coordinate, and lost at least {number_above(epsilon)}"
        lines.append((number(mass), "none, whatever it lost" if math.isinf(epsilon) else words))
    return lines


def wider_words(power: Detectable) -> list[str]:
    """For further shapes of events the same figure: a sentence for those that share their shapes.

    None where nothing was measured, or nothing would have been found.
    """
    figures: dict[tuple[str, ...], list[str]] = {}
    for of in power.wider:
        words = f"{number_above(of.epsilon)} at {number(of.mass)}"
        figures.setdefault(of.shapes, []).append(words)
    return [
        f"for {shapes_words(shapes)} it must lose at least {_list_of(words, 'and')} ({MEASURED})"
        for shapes, words in figures.items()
    ]


def shapes_words(shapes: Sequence[str]) -> str:
    """Name exactly these shapes."""
    phrases = []
    for phrase, words in SHAPES:
        named = [word for shape, word in words.items() if shape in shapes]
        if named:
            phrases.append(phrase.format(_list_of(named, "or")))
    return "; ".join(phrases[:-1]) + ("; or " if len(phrases) > 1 else "") + phrases[-1]


def _list_of(words: Sequence[str], last: str) -> str:
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def detectable_limit_words(power: Detectable) -> str:
    """How good that must be."""
    user = ""
    if power.user is not None:
        user = f"; for user {power.user}, whose budget comes closest to its limit"
    return f"the value at 0.1 may be at most {number(power.limit)}{user}. {OTHERS}"


def upper_words(upper: Upper, false_alarm: float) -> str:
    """What the upper limits on learned events say."""
    return (
        f"relative to the {upper.events:,} events learned on the {plural(upper.pairs, 'pair')}: "
        f"with {upper.draws:,} more draws of each data set, no such event of at least this "
        f"probability loses more (wrong with probability at most {number(false_alarm)})"
    )


def _why_not_again(result: AuditResult) -> str:
    """Why the seed does not repeat a run."""
    told = result.screening
    if result.stopped_by_time and not result.repeat_samples:
        return "cut by time, which may cut another run at another draw"
    if OUT_OF_TIME in result.notes:
        return "another run may have time for the bound that was left out"
    if told is not None and told.stopped_by_time:
        return "screening was cut by time, which may cut another run at another pair"
    if result.first_by_time is not None or (told is not None and told.sized_by_clock is not None):
        return "the clock chose how much is drawn, as the command that repeats it says"
    return UNSEEDED


def run_words(result: AuditResult) -> str:
    """What the run took."""
    ideal = "; real-number algorithm only (--ideal)" if result.ideal else ""
    repeats = "" if result.reproducible else f"; {_why_not_again(result)}"
    if result.deterministic and repeats.endswith(UNSEEDED):
        repeats = ""
    budget = "" if result.planned is None else f", budget {result.planned:,},"
    split = ""
    if result.witness is not None:
        found = result.samples - result.witness_samples
        split = f" ({found:,} to the refutation, {result.witness_samples:,} for the witness)"
    return (
        f"{result.samples:,} samples{split}{budget} on {plural(result.pairs, 'pair')} "
        f"in {round(result.seconds, 3):.1f} s, false-alarm rate {number(result.false_alarm)}, "
        f"seed {result.seed}{ideal}{repeats}"
    )
