"""What a search for the sensitivity of a query says, in sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction

from audit.documents.phrases import data_words, sentence, undecided_words
from audit.results.number_words import number_below, plural
from audit.results.verdict import Verdict
from audit.stability.answers import Keyed, Said, Value
from audit.stability.norms import Distance
from audit.stability.properties import Property
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness

NO_PROOF = "It is no proof."

SHORT, LONG = 16, 80
"""Characters of a number that shows its size, and from which on it is left to the JSON report."""

MOST_RUNS = 6
"""Runs of equal records that are shown."""

BROKEN = {
    Property.DISTANCE: "the answers to two neighbors are {distance} apart, and {bound} is claimed",
    Property.ORDER: (
        "the answers to two orders of the same records are {distance} apart, and {bound} is claimed"
    ),
    Property.FAILURE: (
        "it answers on one of two neighbors alone ({answers}), so the distance is infinite, and "
        "{bound} is claimed"
    ),
    Property.FUNCTION: (
        "it is no function: one data set has two answers, {answers}, {distance} apart"
    ),
    Property.RANGE: "the answer {answer} is not of the domain that it declares for its answers",
}
"""What each property says where it is broken."""


def number_words(exact: Fraction) -> str:
    """A number as a fraction, with its size where that does not show; only that if it is long."""
    whole = str(exact)
    if exact.denominator == 1 and len(whole) < SHORT:
        return whole
    size = f"about {float(Distance(exact)):.6g}"
    return f"{whole} ({size})" if len(whole) < LONG else size


def distance_words(distance: Distance) -> str:
    """A distance exactly, with its size where that does not show."""
    if distance.exact is None:
        return "infinitely far"
    if not distance.is_square:
        return number_words(distance.exact)
    text = str(distance)
    return f"{text} (about {float(distance):.6g})" if "/" in text or "sqrt" in text else text


def shown_value(value: Value) -> object:
    """An answer as Python has it: lists and dictionaries."""
    match value:
        case tuple():
            return [shown_value(part) for part in value]
        case Keyed(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {shown_key(key): shown_value(part) for key, part in pairs}
        case _:
            return value


def shown_key(key: Value) -> object:
    """A key, which stays a tuple."""
    return key if not isinstance(key, Keyed) else repr(key)


def records_words(data: object) -> str:
    """A data set in one line, its numbers to the last digit: neighbors may differ there alone."""
    if isinstance(data, Said):
        return str(data)
    values = data.tolist() if hasattr(data, "tolist") else data
    if not isinstance(values, list):
        return data_words(values)
    runs = [(text, len(list(run))) for text, run in itertools.groupby(map(_record, values))]
    shown = [text if count == 1 else f"{count:,} times {text}" for text, count in runs[:MOST_RUNS]]
    words = ", ".join([*shown, *(["..."] if len(runs) > MOST_RUNS else [])])
    return f"{words}  ({plural(len(values), 'record')})".strip()


def _record(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)


def answer_words(value: Value) -> str:
    """An answer in a line; a failure in words."""
    if isinstance(value, Said):
        return str(value)
    if isinstance(value, tuple) and len(value) > 0:
        return records_words(shown_value(value))
    return str(value) if isinstance(value, Fraction) else repr(shown_value(value))


def reason_words(witness: SensitivityWitness) -> str:
    """What a witness shows, and by which property."""
    answers = f"{answer_words(witness.answer)} and {answer_words(witness.other)}"
    said = BROKEN[witness.broken].format(
        distance=distance_words(witness.distance),
        bound=number_words(witness.bound),
        answers=answers,
        answer=answer_words(witness.answer),
    )
    return f"{said} ({witness.broken})"


ROUNDING = (
    "the excess is below a millionth of the claim: it is the rounding of the query's own "
    "arithmetic, for which a sensitivity has to leave room as well"
)
"""Note of a claim that is broken by little."""


def tried_words(tried: Iterable[tuple[str, int]]) -> str:
    """Pairs by family."""
    return ", ".join(f"{family} {count:,}" for family, count in tried if count)


def decimal_above(number: Fraction, digits: int, *, is_square: bool = False) -> str:
    """A number of at least 0, or the root of one, rounded up to so many digits."""
    with localcontext(Context(prec=60, rounding=ROUND_CEILING)) as context:
        value = Decimal(number.numerator) / Decimal(number.denominator)
        value = context.next_plus(value.sqrt()) if is_square else value
        context.prec = digits
        return f"{+value:g}" if abs(value.adjusted()) > digits else f"{(+value).normalize():f}"


def rounding_words(result: SensitivityResult) -> str:
    """How far beyond a claim answers lie by rounding, and for what noise must be scaled then."""
    pair = result.rounding
    assert pair is not None
    distances = [one for one in (pair.distance, result.largest) if one is not None]
    largest = max(distances, key=lambda one: one.exact or Fraction(0))
    assert largest.exact is not None
    whole = decimal_above(largest.exact, 17, is_square=largest.is_square)
    with localcontext(Context(prec=60)):
        excess = Decimal(whole) - Decimal(pair.bound.numerator) / Decimal(pair.bound.denominator)
    beyond = decimal_above(Fraction(excess), 2)
    return (
        f"largest distance {number_words(pair.bound)} + {beyond}. Noise must be scaled for "
        f"{whole}, or the sum rounded to a grid first. --strict refutes the claim by this."
    )


def random_words(name: str, data: object) -> str:
    """Why a query has no sensitivity."""
    return (
        f"{name} answers twice otherwise on the same data ({records_words(data)}): it draws at "
        "random, or keeps something from call to call, and has no sensitivity; `touchstone audit` "
        "audits what is random"
    )


def headline(result: SensitivityResult) -> str:
    """Say in a sentence or two what the verdict means."""
    match result.verdict:
        case Verdict.REFUTED:
            return f"The claim {result.claim} is false. {sentence(result.reason)}"
        case Verdict.CONSISTENT:
            return f"{sentence(result.reason)} {NO_PROOF}"
        case _:
            return undecided_words(result.reason)


def consistent_words(result: SensitivityResult) -> str:
    """The largest distance beside the claim, and on how many pairs."""
    assert result.largest is not None
    if result.rounding is not None:
        claim = result.claim
        return (
            f"no two neighbors were found whose answers are more than {number_words(claim.at_most)}"
            f" apart ({claim.norm}, {claim.relation}), but for rounding"
        )
    share = f", {number_below(result.ratio)} of the claim" if 0 < result.ratio < 1 else ""
    claimed = number_words(result.claim.at_most)
    return (
        f"largest distance {distance_words(result.largest)} of {claimed}{share}, on "
        f"{plural(result.pairs, 'pair')} ({tried_words(result.tried)})"
    )
