"""What an account says, in sentences. Lower ends are rounded down, upper ends up."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from audit.accounting.account_result import AccountResult
from audit.accounting.peers.comparison import PeerComparison, Standing
from audit.documents.phrases import sentence, undecided_words
from audit.results.verdict import Verdict
from proofs_check.ends import Enclosed

__all__ = [
    "EXACT_DIGITS",
    "compared_words",
    "delta_words",
    "epsilon_words",
    "exact_words",
    "headline",
    "profile_text",
    "reason_words",
    "rounded",
    "unsound",
]

DIGITS = 12
"""Of both ends: so many that they are not the same."""
EXACT_DIGITS = 15
"""Of ends that programs read, rounded outward: a double holds them."""

LEAST = Fraction(1, 10**300)
"""Less is no double, and has too many digits to be counted: it is between 0 and this."""

NARROWER = {
    True: "no finer nodes are tried, since they would take more memory",
    False: "it is nearer to the total than the ends are to each other",
}


def exact_words(number: Fraction) -> str:
    """A number as a decimal where it is one of a few digits."""
    short = f"{float(number):.15g}"
    return short if Fraction(short) == number else str(number)


def _below(number: Fraction | None) -> str:
    return "inf" if number is None else rounded(number, math.floor)


def _above(number: Fraction | None) -> str:
    return "inf" if number is None else rounded(number, math.ceil)


def rounded(number: Fraction, to: Callable[[Fraction], int], digits: int = DIGITS) -> str:
    """A number of at least 0 in so many digits, rounded from the fraction itself."""
    if number < LEAST:
        return f"{float(LEAST):g}" if to(number) else "0"
    size = number.numerator.bit_length() - number.denominator.bit_length()
    places = digits - math.floor((size - 1) * math.log10(2))  # so many digits, or one or two more
    scaled = to(number * Fraction(10) ** places)
    if len(str(scaled)) > digits:
        places -= len(str(scaled)) - digits
        scaled = to(number * Fraction(10) ** places)
    return f"{float(Fraction(scaled) / Fraction(10) ** places):.{digits}g}"


def epsilon_words(ends: Enclosed) -> str:
    """Both ends of an epsilon."""
    lower, upper = _below(ends.lower), _above(ends.upper)
    if ends.upper is None and ends.lower is not None:
        return f"at least {lower}, and no upper end is known"
    return f"exactly {lower}" if ends.lower == ends.upper else f"between {lower} and {upper}"


def delta_words(ends: tuple[Fraction, Fraction]) -> str:
    """Both ends of a delta."""
    return f"between {_below(ends[0])} and {_above(ends[1])}"


def reason_words(result: AccountResult) -> str:
    """One sentence: why this verdict."""
    claim, total = result.claim, result.epsilon
    found = f"the total epsilon at delta {exact_words(claim.delta)} is {epsilon_words(total)}"
    if claim.epsilon is None and result.verdict is Verdict.REFUTED:
        names = (f"{one.library} {one.accountant}" for one in unsound(result))
        return f"{found}, and {' and '.join(names)} claims less"
    if claim.epsilon is None:
        at = f"at delta {exact_words(claim.delta)} ({claim.relation.value})"
        return f"{at} epsilon is {epsilon_words(total)}"
    words = exact_words(claim.epsilon)
    match result.verdict:
        case Verdict.PROVED:
            return f"{found}, at most the claimed {words}"
        case Verdict.REFUTED:
            return f"{found}, and {words} is claimed"
        case _:
            return f"{found}, and the claimed {words} lies within: {NARROWER[result.is_last]}"


def unsound(result: AccountResult) -> list[PeerComparison]:
    """Accountants of libraries that claim less than is lost."""
    return [one for one in result.compared if one.standing is Standing.UNSOUND]


def compared_words(one: PeerComparison) -> str:
    """What an accountant claims, and how that stands."""
    total = one.total
    if one.standing is Standing.NOT_SAID:
        return f"{one.standing.value}: {total.why_not or 'no number'}"
    assert total.epsilon is not None
    said = f"epsilon {total.epsilon:.12g}"
    match one.standing:
        case Standing.UNSOUND:
            return f"{said}: UNSOUND, {_factor(one)} times that is lost"
        case Standing.LOOSE:
            return f"{said}: LOOSE, {_factor(one)} times what is lost"
        case Standing.OPEN:
            return f"{said}: INCONCLUSIVE, it lies between both ends"
        case Standing.ROUNDING:
            return f"{said}: below the total by its rounding"
        case _:
            return f"{said}: SOUND"


def _factor(one: PeerComparison) -> str:
    return "infinitely many" if one.factor is None else f"{one.factor:.6g}"


def headline(result: AccountResult) -> str:
    """Say in a sentence or two what the verdict means."""
    claim, reason = result.claim, sentence(result.reason)
    match result.verdict:
        case Verdict.REFUTED if claim.epsilon is None:
            return f"A released accountant claims too little. {reason}"
        case Verdict.REFUTED:
            whose = "" if result.is_attained else " for some mechanisms with these parts"
            return f"The claim {claim} is false{whose}. {reason}"
        case None:
            return f"{reason} Nothing was claimed."
        case Verdict.PROVED:
            return f"The claim {claim} holds. {reason}"
        case _:
            return undecided_words(result.reason)


def profile_text(result: AccountResult) -> str:
    """The profile as CSV: a header, and epsilon with both ends of delta, rounded outward."""
    lines = ["epsilon,delta lower,delta upper"]
    for at in result.profile:
        ends = (
            rounded(at.lower, math.floor, EXACT_DIGITS),
            rounded(at.upper, math.ceil, EXACT_DIGITS),
        )
        lines.append(",".join((repr(float(at.epsilon)), *ends)))
    return "\n".join(lines) + "\n"
