"""Sentences about results, without layout: every report of people's words takes them from here.

What each verdict is worth stands here once; a test finds it in the README and on the page of
verdicts. Limits are strict, lower ones printed rounded down and upper ones rounded up.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from audit.levels import kind_of
from audit.levels.kind import Limit
from audit.rounding import number, number_above, number_below
from audit.utility.result import UtilityResult
from audit.verdict import (
    MOVED,
    RELEASE,
    AuditResult,
    Detectable,
    DivergenceWitness,
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
    "GUARANTEES",
    "LATTICE",
    "LATTICE_HINT",
    "OTHERS",
    "UNCOVERED_WORDS",
    "beyond",
    "bounds_words",
    "chances_words",
    "claim_words",
    "claimed_first",
    "confirmed_words",
    "counts_words",
    "cut_words",
    "data_words",
    "detectable_limit_words",
    "detectable_lines",
    "detectable_words",
    "divergence_words",
    "enclosed",
    "headline",
    "limits_of",
    "limits_words",
    "meaning",
    "number",
    "number_above",
    "number_below",
    "profile_words",
    "run_words",
    "sentence",
    "severity_of",
    "upper_words",
    "user_words",
    "utility_headline",
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

LATTICE = "floating-point lattice"
"""What the events look at that --ideal leaves out."""
LATTICE_HINT = (
    "this is the floating-point part: the bits of the output tell the data sets apart; "
    "--ideal audits the real-number algorithm alone"
)
"""What to say of it."""


LAW = "by the law that the mechanism states"
"""What every proof is about: not the program."""

UNCHECKED = "Without a certificate (no second program rechecked the proof)"
RECHECKED = "a second program rechecked the proof"
"""`audit.recheck` lets no proof through whose certificate was rejected."""


def headline(result: AuditResult | ExactResult | UtilityResult) -> str:
    """Say in a sentence or two what the verdict means."""
    if isinstance(result, UtilityResult):
        return utility_headline(result)
    claim, reason = result.claim, sentence(result.reason)
    cut = cut_words(result)
    match result.verdict:
        case Verdict.REFUTED:
            exact = ExactWitness | DivergenceWitness
            about = result.witness.about if isinstance(result.witness, exact) else RELEASE
            of = "" if about == RELEASE else f" of {about.removesuffix(MOVED)}"
            return f"The claim {claim} is false{user_words(result.witness)}{of}. {reason}"
        case Verdict.PROVED if isinstance(result, ExactResult):
            where = "" if result.proof is None else f" for {result.proof.pairs}"
            if result.proof is None or result.proof.certificate is None:
                return f"{UNCHECKED}, the claim {claim} holds{where}, {LAW}. {reason}"
            return f"The claim {claim} holds{where}, {LAW}; {RECHECKED}. {reason}"
        case Verdict.CONSISTENT | Verdict.PROVED:
            return f"{cut}Nothing speaks against the claim {claim}. {reason}"
        case Verdict.INCONCLUSIVE:
            why = f"{result.reason.rstrip('.')}."
            return f"{cut}{GUARANTEES['inconclusive'].replace('REASON', why)}"


def utility_headline(result: UtilityResult) -> str:
    """Say in a sentence or two what the verdict means."""
    match result.verdict:
        case Verdict.REFUTED:
            says = "" if result.witness is None else sentence(result.witness.says)
            return f"{sentence(result.reason)} {says}".strip()
        case Verdict.INCONCLUSIVE:
            return f"The run could not tell: {result.reason.rstrip('.')}."
        case _:
            return f"Nothing speaks against the claims ({result.claim}). {sentence(result.reason)}"


def cut_words(result: AuditResult | ExactResult) -> str:
    """Say first that time has cut a run, where it has; else nothing."""
    if not isinstance(result, AuditResult) or not result.cut_by_time:
        return ""
    planned = "" if result.planned is None else f" of {result.planned:,}"
    return f"Cut by time after {result.samples:,}{planned} draws. "


def meaning(result: AuditResult) -> str | None:
    """What a refutation is worth; None for other verdicts."""
    if result.verdict is not Verdict.REFUTED:
        return None
    _, _, worth = GUARANTEES["refuted"].partition("This is ")
    return worth.replace("RATE", number(result.false_alarm)).rstrip(".")


def sentence(text: str) -> str:
    """Make a reason a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


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
    """The number that is shown first: the run's limit, or the witness's own where that is larger.

    Returns
    -------
    (str, float) or None
        What is limited, and the limit; None where nothing is known.
    """
    for limit, value, _ in _limits(result):
        witness, largest = result.witness, value
        if witness is not None and witness.confirmed:
            if limit.name == "epsilon" and witness.measure == "epsilon":
                largest = max(value, witness.lower)
            if limit.name == "budget_factor" and witness.budget:
                largest = max(value, witness.lower / float(witness.budget))
        return (limit.shown, largest) if largest else None
    return None


def limits_words(result: AuditResult) -> str:
    """What is surely exceeded, by the whole run and by its witness, and how surely."""
    limits: list[str] = []
    severity = severity_of(result)
    for limit, value, claimed in _limits(result):
        if not value:
            continue
        said = beyond(value, claimed)
        if severity is not None and not limits and severity[1] > value:
            said = f"{beyond(severity[1], claimed)} by the witness, {said} by the whole run,"
        limits.append(limit.words.format(said))
    if not limits:
        return "nothing is known to be exceeded"
    each = "each " if len(limits) > 1 or " by the witness" in limits[0] else ""
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
    if not witness.lower:
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


def user_words(witness: Witness | ExactWitness | DivergenceWitness | None) -> str:
    """Name the user whose promise a witness breaks; nothing for other claims."""
    if witness is None or isinstance(witness, DivergenceWitness) or witness.user is None:
        return ""
    return f" for user {witness.user}, whose budget is {witness.budget}"


def detectable_words(power: Detectable) -> str:
    """What would have been found: the beginning, which `detectable_lines` go on with."""
    return (
        f"on the {_pairs(power.pairs)} tried, with {power.draws:,} draws of each data set, an "
        "event of this probability would have been found with probability 0.9 if it was"
    )


def detectable_lines(power: Detectable) -> list[tuple[str, str]]:
    """For each probability the events that it holds for, and how much they must lose."""
    lines = []
    for mass, epsilon, kinds in zip(power.masses, power.epsilons, power.classes, strict=True):
        *others, last = [kind if kind.startswith("one ") else f"a {kind}" for kind in kinds]
        which = " or ".join([", ".join(others), last] if others else [last])
        words = f"{which} of one coordinate, and lost at least {number_above(epsilon)}"
        lines.append((number(mass), "none, whatever it lost" if math.isinf(epsilon) else words))
    return lines


def detectable_limit_words(power: Detectable) -> str:
    """How good that must be."""
    user = ""
    if power.user is not None:
        user = f"; for user {power.user}, whose budget comes closest to its limit"
    return f"the value at 0.1 may be at most {number(power.limit)}{user}. {OTHERS}"


def upper_words(upper: Upper, false_alarm: float) -> str:
    """What the upper limits on learned events say."""
    return (
        f"relative to the {upper.events:,} events learned on the {_pairs(upper.pairs)}: with "
        f"{upper.draws:,} more draws of each data set, no such event of at least this probability "
        f"loses more (wrong with probability at most {number(false_alarm)})"
    )


def run_words(result: AuditResult) -> str:
    """What the run took."""
    from audit.run import OUT_OF_TIME

    ideal = "; real-number algorithm only (--ideal)" if result.ideal else ""
    repeats = "" if result.reproducible else "; the target's own randomness cannot be seeded"
    if not result.reproducible and OUT_OF_TIME in result.notes:
        repeats = "; another run may have time for the bound that was left out"
    if not result.reproducible and result.cut_by_time and not result.repeat_samples:
        repeats = "; cut by time, which may cut another run at another draw"
    budget = "" if result.planned is None else f", budget {result.planned:,},"
    split = ""
    if result.witness is not None:
        found = result.samples - result.witness_samples
        split = f" ({found:,} to the refutation, {result.witness_samples:,} for the witness)"
    return (
        f"{result.samples:,} samples{split}{budget} on {_pairs(result.pairs)} "
        f"in {result.seconds:.1f} s, false-alarm rate {number(result.false_alarm)}, "
        f"seed {result.seed}{ideal}{repeats}"
    )


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"


def beyond(limit: float, claimed: float | Fraction | None = None, *, equal: bool = True) -> str:
    """Write a strict lower limit; one that is beyond the claim is never shown below it.

    Parameters
    ----------
    limit : float
        What is surely exceeded.
    claimed : float, Fraction or None
        What is claimed of it.
    equal : bool
        Whether the claimed number itself may be shown as the limit.
    """
    if math.isinf(limit):
        return "= inf"
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
        return f"{value}" if Fraction(decimal) != value else f"{float(value):.17g}"
    return f"{value:.17g}"


def divergence_words(witness: DivergenceWitness) -> str:
    """A divergence as far as it is known."""
    if witness.value is None:
        return "infinite"
    lower, upper = witness.value
    return enclosed((lower, upper)) if upper is not None else f"at least {float(lower):.{DIGITS}g}"


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
