"""Mechanisms that an accountant adds up, by what is stated of them.

Parameters are exact. `sensitivity` is the most that one record contributes, in absolute value (in
the l2 norm for a Gaussian): adding or removing the record moves the answer by that much, replacing
it by another one by twice as much, unless `swap_sensitivity` says less (1 for a count).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, final

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from proofs_check.composition.laws import Law, Loss

__all__ = [
    "Dominated",
    "Event",
    "GaussianEvent",
    "Masses",
    "Noise",
    "Poisson",
    "Pure",
    "RandomizedResponseEvent",
    "Scalar",
    "Stated",
]


@final
@dataclass(frozen=True, slots=True)
class Dominated:
    """What stands for an event in a composition: a law for each direction.

    Parameters
    ----------
    laws : (Law or None, Law or None)
        To remove and to add the record; None for what loses nothing.
    kept : (Fraction, Fraction)
        1 less the mass at infinity, in each direction.
    """

    laws: tuple[Law | None, Law | None]
    kept: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))

    @classmethod
    def both(cls, law: Law | None, kept: Fraction = Fraction(1)) -> Dominated:
        """Of a law that is the same in both directions."""
        return cls((law, law), (kept, kept))


class Event(Protocol):
    """A mechanism in an account."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Neighbors that it can be said something of."""
        ...

    @property
    def is_attained(self) -> bool:
        """Whether two data sets have the dominating pair: else it speaks of a black box."""
        ...

    def dominated(self, relation: Relation) -> Dominated:
        """The laws that dominate it."""
        ...

    def convention(self, relation: Relation) -> str:
        """How its parameters were read, in words."""
        ...


ALL = (Relation.ADD_REMOVE, Relation.SWAP)


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """How far the neighbors' answers are apart."""

    sensitivity: Fraction
    swap_sensitivity: Fraction | None = None

    def shift(self, relation: Relation) -> Fraction:
        """Between the answers to two neighbors."""
        if relation is not Relation.SWAP:
            return self.sensitivity
        return 2 * self.sensitivity if self.swap_sensitivity is None else self.swap_sensitivity

    def words(self, relation: Relation) -> str:
        """How it was read."""
        shift = f"answers to neighbors are at most {self.shift(relation)} apart"
        if relation is not Relation.SWAP:
            return f"{shift} (one record contributes at most {self.sensitivity})"
        if self.swap_sensitivity is None:
            return f"{shift} (2 times the sensitivity {self.sensitivity})"
        return f"{shift} (swap_sensitivity)"


@final
@dataclass(frozen=True, slots=True)
class GaussianEvent:
    """Gaussian noise of standard deviation sigma."""

    sigma: Fraction
    scale: Scalar
    is_attained = True
    relations = ALL

    def dominated(self, relation: Relation) -> Dominated:
        """N(d, sigma^2) against N(0, sigma^2)."""
        from proofs_check.composition.laws import Gaussian

        mu = self.scale.shift(relation) / self.sigma
        return Dominated.both(Gaussian(mu * mu) if mu else None)

    def convention(self, relation: Relation) -> str:
        """The distance."""
        return self.scale.words(relation)


@final
@dataclass(frozen=True, slots=True)
class Noise:
    """Noise whose law moves by the distance of the answers."""

    name: str
    parameter: Fraction
    """Scale of laplace, t of geometric, sigma^2 of discrete-gaussian."""
    scale: Scalar
    is_attained = True
    relations = ALL

    def dominated(self, relation: Relation) -> Dominated:
        """The law at 0 against the law at the distance."""
        from proofs_check.composition.laws import DiscreteGaussian, Geometric, Laplace

        shift = self.scale.shift(relation)
        if not shift:
            return Dominated.both(None)
        if self.name == "laplace":
            return Dominated.both(Laplace(shift / self.parameter))
        if shift.denominator != 1 or shift > MOST_SHIFT:
            msg = (
                f"sensitivity of {self.name} must be an integer of at most {MOST_SHIFT}, got "
                f"{shift}"
            )
            raise InvalidArgument(msg)
        kind = Geometric if self.name == "geometric" else DiscreteGaussian
        return Dominated.both(kind(int(shift), self.parameter))

    def convention(self, relation: Relation) -> str:
        """The distance."""
        return self.scale.words(relation)


MOST_SHIFT = 10_000
"""Outcomes of one loss each are listed."""


@final
@dataclass(frozen=True, slots=True)
class RandomizedResponseEvent:
    """One of k answers, the true one with probability `keep`, else any of the k as likely."""

    keep: Fraction
    categories: int
    is_attained = True
    relations = (Relation.SWAP,)

    def dominated(self, relation: Relation) -> Dominated:  # noqa: ARG002
        """Two different true answers."""
        from proofs_check.composition.laws import Loss, LossTable

        other = (1 - self.keep) / self.categories
        true = self.keep + other
        if not self.keep:
            return Dominated.both(None)
        if not other:
            return Dominated.both(None, Fraction(0))
        ratio, rest = true / other, 1 - true - other
        middle = ((Loss(Fraction(0)), rest),) if rest else ()
        ends = [(Loss(Fraction(sign), ratio), mass) for sign, mass in ((-1, other), (1, true))]
        return Dominated.both(LossTable((ends[0], *middle, ends[1])))

    def convention(self, relation: Relation) -> str:  # noqa: ARG002
        """Whose answer."""
        return "one person's answer is replaced"


@final
@dataclass(frozen=True, slots=True)
class Pure:
    """Any mechanism with a pure claim, or an approximate one, of which no more is known."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    is_attained = False
    relations = (*ALL, Relation.LISTED)

    def dominated(self, relation: Relation) -> Dominated:  # noqa: ARG002
        """Randomized response at epsilon, and delta at infinity."""
        from proofs_check.composition.laws import Loss, LossTable

        kept = 1 - self.delta
        if not self.epsilon:
            return Dominated.both(None, kept)
        one = Fraction(1)
        # e^x / (1 + e^x) = 1 / (1 + e^-x)
        ends = [(Loss(sign * self.epsilon), (one, -sign * self.epsilon)) for sign in (-1, 1)]
        return Dominated.both(LossTable((ends[0], ends[1])), kept)

    def convention(self, relation: Relation) -> str:
        """The claim is taken as it is."""
        return f"claimed under {relation.value}"


@final
@dataclass(frozen=True, slots=True)
class Stated:
    """Any mechanism with a Gaussian claim, of which no more is known."""

    mu: Fraction
    is_attained = False
    relations = (*ALL, Relation.LISTED)

    def dominated(self, relation: Relation) -> Dominated:  # noqa: ARG002
        """N(mu, 1) against N(0, 1)."""
        from proofs_check.composition.laws import Gaussian

        return Dominated.both(Gaussian(self.mu**2) if self.mu else None)

    def convention(self, relation: Relation) -> str:
        """The claim is taken as it is."""
        return f"claimed under {relation.value}"


@final
@dataclass(frozen=True, slots=True)
class Masses:
    """Any mechanism whose law on two listed data sets is stated: masses p and q of each outcome."""

    rows: tuple[tuple[Fraction, Fraction], ...]
    is_attained = True
    relations = (Relation.LISTED,)

    def dominated(self, relation: Relation) -> Dominated:  # noqa: ARG002
        """The two laws, as they are."""
        (remove, lost), (add, gained) = (
            _table(rows) for rows in (self.rows, [(q, p) for p, q in self.rows])
        )
        return Dominated((remove, add), (1 - lost, 1 - gained))

    def convention(self, relation: Relation) -> str:  # noqa: ARG002
        """The pair is listed."""
        return "the two listed data sets are the neighbors"


def _table(rows: Sequence[tuple[Fraction, Fraction]]) -> tuple[Law | None, Fraction]:
    """The law of the loss where it is finite, and the mass of where it is infinite."""
    from proofs_check.composition.laws import LossTable

    lost = sum((p for p, q in rows if not q), start=Fraction(0))
    found = dict[Fraction, Fraction]()
    for p, q in rows:
        if p and q:
            found[p / q] = found.get(p / q, Fraction(0)) + p / (1 - lost)
    ordered = tuple((_log(ratio), found[ratio]) for ratio in sorted(found))
    return (LossTable(ordered) if ordered and set(found) != {1} else None), lost


def _log(ratio: Fraction) -> Loss:
    """The logarithm, so that those of a ratio and of its inverse have one unit."""
    from proofs_check.composition.laws import Loss

    if ratio == 1:
        return Loss(Fraction(0))
    return Loss(Fraction(1), ratio) if ratio > 1 else Loss(Fraction(-1), 1 / ratio)


@final
@dataclass(frozen=True, slots=True)
class Poisson:
    """A mechanism on a sample that each record enters with probability q, by itself."""

    rate: Fraction
    inner: GaussianEvent | Noise
    is_attained = True

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Of replaced records only Gaussian noise has a pair."""
        return ALL if isinstance(self.inner, GaussianEvent) else (Relation.ADD_REMOVE,)

    def dominated(self, relation: Relation) -> Dominated:
        """A mixture on the side of the record; the two directions differ.

        Under swap it is the pair of a record that moves the answer up and one that moves it down,
        which dominates no more than itself (`is_dominating`).
        """
        from proofs_check.composition.laws import Gaussian, Sampled
        from proofs_check.composition.opposite_records import Opposed

        if relation is Relation.SWAP and 0 < self.rate < 1:
            if self.inner.scale.swap_sensitivity is not None:
                msg = "a sampled step under swap has no swap_sensitivity: records move either way"
                raise InvalidArgument(msg)
            half = self.inner.dominated(Relation.ADD_REMOVE).laws[0]
            if not isinstance(half, Gaussian):
                return Dominated.both(None)
            return Dominated.both(Opposed(half.mu_squared, self.rate))

        law = self.inner.dominated(relation).laws[0]
        if law is None or not self.rate:
            return Dominated.both(None)
        if self.rate == 1:
            return Dominated.both(law)
        remove, add = (Sampled(law, self.rate, adds) for adds in (False, True))
        return Dominated((remove, add))

    def is_dominating(self, relation: Relation) -> bool:
        """Whether no neighbors lose more than these laws."""
        return relation is not Relation.SWAP or self.rate in (0, 1)

    def convention(self, relation: Relation) -> str:
        """The inner one's, of a record in the sample."""
        return f"{self.inner.convention(relation)}, each record in the sample with {self.rate}"
