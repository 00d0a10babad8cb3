"""Lists of mechanisms in words, and the laws that dominate them: the rows of tables of sums.

"500 of poisson-gaussian q=0.01 sigma=1 + gaussian sigma=5" is a list of two parts. Sensitivity is
1, so answers to neighbors are 1 apart under add-remove and 2 under swap.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import exact
from proofs_check.composition.laws import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    Law,
    Loss,
    LossTable,
    Sampled,
)
from proofs_check.composition.parts import Direction, Part, merged
from proofs_check.tables.rounding import text_of

__all__ = ["ADD_REMOVE", "SWAP", "directions_of", "mechanism_words", "relation_words"]

ADD_REMOVE, SWAP = "add-remove", "swap"

WORDS: dict[str, tuple[str, ...]] = {
    "gaussian": ("sigma",),
    "laplace": ("scale",),
    "geometric": ("t",),
    "discrete-gaussian": ("sigma_squared",),
    "randomized-response": ("keep", "categories"),
    "approx-dp": ("epsilon", "delta"),
    "poisson-gaussian": ("q", "sigma"),
    "poisson-laplace": ("q", "scale"),
}
"""Parameters of each mechanism, in the order in which they are written."""

RELATIONS = {
    "randomized-response": (SWAP,),
    "poisson-gaussian": (ADD_REMOVE,),
    "poisson-laplace": (ADD_REMOVE,),
}
"""Of mechanisms that have not both."""

MOST_COUNT = 10**9


@final
@dataclass(frozen=True, slots=True)
class MechanismGroup:
    """Some mechanisms of one kind."""

    name: str
    values: tuple[Fraction, ...]
    count: int

    def __str__(self) -> str:
        pairs = zip(WORDS[self.name], self.values, strict=True)
        words = " ".join([self.name, *(f"{word}={text_of(value)}" for word, value in pairs)])
        return words if self.count == 1 else f"{self.count} of {words}"


def mechanism_words(text: str) -> str:
    """Write a list of mechanisms as the tables do.

    Raises
    ------
    InvalidArgument
        If a mechanism or a parameter is unknown, missing or out of range.

    Examples
    --------
    >>> from proofs_check.tables.mechanism_words import mechanism_words
    >>> mechanism_words("300 of poisson-gaussian sigma=2 q=.02 + gaussian sigma=5")
    '300 of poisson-gaussian q=0.02 sigma=2 + gaussian sigma=5'
    """
    return " + ".join(map(str, _read(text)))


def relation_words(text: str) -> str:
    """Check a relation."""
    if text not in (ADD_REMOVE, SWAP):
        msg = f"relation must be {ADD_REMOVE} or {SWAP}, got relation={text!r}"
        raise InvalidArgument(msg)
    return text


def directions_of(text: str, times: int, relation: str) -> tuple[Direction, ...]:
    """The sum of a list, so many times, in each direction; once where both are the same.

    Raises InvalidArgument if a mechanism does not have the relation.
    """
    found = []
    listed = _read(text)
    for one in listed:
        if relation not in RELATIONS.get(one.name, (ADD_REMOVE, SWAP)):
            msg = f"{one.name} is not of relation {relation}"
            raise InvalidArgument(msg)
    for adds in (False, True):
        laws = [(_law(one, 2 if relation == SWAP else 1, adds), one) for one in listed]
        parts = merged(Part(law, one.count * times) for law, one in laws)
        kept = tuple(
            (1 - one.values[1], one.count * times)
            for one in listed
            if one.name == "approx-dp" and one.values[1]
        )
        found.append(Direction(parts, kept))
    return tuple(dict.fromkeys(found))


def _read(text: str) -> tuple[MechanismGroup, ...]:
    return tuple(_one(part.strip()) for part in text.split("+"))


def _one(text: str) -> MechanismGroup:
    match = re.fullmatch(r"(?:([1-9][0-9]{0,9}) of )?([a-z-]+)((?: +[a-z_]+=\S+)*)", text)
    if match is None:
        msg = f"a mechanism must be such as '500 of gaussian sigma=5', got {text!r}"
        raise InvalidArgument(msg)
    count, name, rest = int(match[1] or 1), match[2], match[3].split()
    if name not in WORDS:
        msg = f"there is no mechanism {name!r}{close_names(name, WORDS)}; there are: "
        raise InvalidArgument(msg + ", ".join(WORDS))
    pairs = [word.split("=", 1) for word in rest]
    given = {word: exact(value, word) for word, value in pairs}
    if len(given) != len(pairs) or set(given) != set(WORDS[name]):
        msg = f"{name} has the parameters {', '.join(WORDS[name])}, each once, got {text!r}"
        raise InvalidArgument(msg)
    if count > MOST_COUNT:
        msg = f"a list must have at most {MOST_COUNT} mechanisms of one kind, got {count}"
        raise InvalidArgument(msg)
    _check_range(given)
    return MechanismGroup(name, tuple(given[word] for word in WORDS[name]), count)


def _check_range(given: Mapping[str, Fraction]) -> None:
    for word, value in given.items():
        fits = value > 0
        says = "greater than 0"
        if word in ("q", "keep"):
            fits, says = 0 < value < 1, "between 0 and 1"
        elif word == "delta":
            fits, says = 0 <= value < 1, "at least 0 and less than 1"
        elif word == "categories":
            fits, says = value.denominator == 1 and value >= 2, "an integer of at least 2"
        if not fits:
            msg = f"{word} must be {says}, got {word}={text_of(value)}"
            raise InvalidArgument(msg)


def _law(one: MechanismGroup, shift: int, adds: bool) -> Law:
    """The law that dominates, where answers to neighbors are `shift` apart."""
    first, *rest = one.values
    match one.name:
        case "gaussian":
            return Gaussian((shift / first) ** 2)
        case "laplace":
            return Laplace(shift / first)
        case "geometric":
            return Geometric(shift, first)
        case "discrete-gaussian":
            return DiscreteGaussian(shift, first)
        case "poisson-gaussian":
            return Sampled(Gaussian((shift / rest[0]) ** 2), first, adds)
        case "poisson-laplace":
            return Sampled(Laplace(shift / rest[0]), first, adds)
        case "randomized-response":
            return _response(first, int(rest[0]))
        case _:
            # e^x / (1 + e^x) = 1 / (1 + e^-x)
            unit = Fraction(1)
            return LossTable(tuple((Loss(sign * first), (unit, -sign * first)) for sign in (-1, 1)))


def _response(keep: Fraction, categories: int) -> LossTable:
    """One of some answers: the true one with probability `keep`, else any of all as likely."""
    other = (1 - keep) / categories
    true = keep + other
    rest = 1 - true - other
    middle = ((Loss(Fraction(0)), rest),) if rest else ()
    ratio = true / other
    low, high = ((Loss(Fraction(sign), ratio), mass) for sign, mass in ((-1, other), (1, true)))
    return LossTable((low, *middle, high))
