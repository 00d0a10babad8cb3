"""Totals that released accountants claim, and how they stand to what is lost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from proofs_check.tables.accountant_claims import CLAIMED, DATE
from proofs_check.tables.column import Column, Point, Rounding, Value
from proofs_check.tables.composition import CLAIMS, COLUMN, KEYS
from proofs_check.tables.enclosed_sums import is_lower, is_upper, sum_of, tries_of
from proofs_check.tables.keys import NumberKey, WordKey
from proofs_check.tables.rounding import outward
from proofs_check.tables.table import Table

__all__ = ["TABLE"]

LOOSE = Fraction(101, 100)
"""A total this many times the exact one is called loose."""
ROUNDING = Fraction(1, 10**9)
"""Of the total: what machine numbers of an accountant that adds up well may lack."""
DIGITS = 5
"""Of the factors, which are rounded down."""


def _accountant(text: str) -> str:
    """Check that it is a library, its version and what was asked of it."""
    if len(text.split()) != 3:
        msg = f"an accountant is such as 'dp-accounting 0.6.0 RdpAccountant', got {text!r}"
        raise InvalidArgument(msg)
    return text


def _standing(at: Point, bits: int) -> Value:  # noqa: ARG001
    """By delta at the claimed epsilon; factors from the ends of epsilon."""
    claimed, delta = at["claimed"], at["delta"]
    lower, upper, _ = sum_of(at)
    for tried in tries_of(at):
        if is_upper(tried, claimed, delta):
            if claimed <= LOOSE * upper:
                return "SOUND"
            return f"LOOSE, {outward(claimed / upper, DIGITS)[0]} times what is lost"
        if is_lower(tried, claimed, delta):
            if claimed >= lower * (1 - ROUNDING):
                return "BELOW BY ROUNDING"
            if not claimed:
                return "UNSOUND, infinitely many times that is lost"
            return f"UNSOUND, {outward(lower / claimed, DIGITS)[0]} times that is lost"
    return "INCONCLUSIVE"


def _checked(at: Point, stored: Mapping[str, str]) -> tuple[str, ...]:  # noqa: ARG001
    return (str(_standing(at, 0)),)


TABLE = Table(
    name="accountants",
    about=(
        f"Totals that released accountants claimed for a sum on {DATE}, recorded with their "
        "versions, beside what is lost. A claim is SOUND where its epsilon has the delta, LOOSE "
        "where it is more than 1.01 times the upper end, UNSOUND where the lower end of delta at "
        "the claimed epsilon is above the delta, and BELOW BY ROUNDING where it lacks less than a "
        "billionth. No accountant is asked anew: `python -m benchmarks.accountants` does that. "
        "The distance between neighbors is not said to autodp, prv-accountant and OpenDP: they "
        "got the noise over it. Each word is about the one number beside it, under this relation "
        "and this reading of the noise, and about nothing else of a library."
    ),
    keys=(
        *KEYS,
        WordKey("accountant", "Library, version, and what was asked of it.", _accountant),
        NumberKey("claimed", "The epsilon that it claims.", at_least=0),
    ),
    columns=(
        COLUMN,
        Column(
            "standing",
            "1",
            "How the claimed epsilon stands to it.",
            CLAIMS,
            _standing,
            Rounding.WORDS,
            check=_checked,
        ),
    ),
    default=tuple(
        {
            "steps": steps,
            "k": str(count),
            "relation": relation,
            "delta": delta,
            "accountant": accountant,
            "claimed": claimed,
        }
        for (steps, count, relation, delta), claims in CLAIMED.items()
        for accountant, claimed in claims.items()
    ),
)
"""The table."""
