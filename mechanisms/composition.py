"""A release as a composition of private steps, stated as data: what proofs for all data start from.

A step says by how much one record moves what it answers, and with what noise; the loss follows by
the lemma about it. Steps are put together in three ways: one after another, of which the losses add
up (`InTurn`); such that a record, or what was released before, picks one of them (`Either`); and on
records that survive with public probabilities (`Survivors`). Nothing here says how large a loss
may be: that is the claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, final, runtime_checkable

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

__all__ = [
    "AnswerStep",
    "CoarseStep",
    "Composition",
    "Either",
    "InTurn",
    "LaplaceStep",
    "NamedStep",
    "ScanStep",
    "ScoreStep",
    "ShuffledStep",
    "StatesComposition",
    "Step",
    "Survivors",
]


@final
@dataclass(frozen=True, slots=True)
class LaplaceStep:
    """An answer plus Laplace noise: the loss is move / scale (PDP-L4)."""

    words: str
    moves: tuple[Fraction, ...]
    """By how much the record of each user moves the answer at most; one number stands for all."""
    scale: Fraction
    """Of the noise, in the unit of the moves; greater than 0."""

    def __post_init__(self) -> None:
        _check(self.words, "scale", self.scale)
        _check(self.words, "moves", *self.moves, zero=True)


@final
@dataclass(frozen=True, slots=True)
class ScoreStep:
    """An outcome with probability proportional to e^(factor score): 2 factor move (PDP-A2)."""

    words: str
    move: Fraction
    """Of every score, by one record, at most."""
    factor: Fraction

    def __post_init__(self) -> None:
        _check(self.words, "move and factor", self.move, self.factor)


@final
@dataclass(frozen=True, slots=True)
class ScanStep:
    """The first noisy query above a noisy bar: move / bar + 2 move / query (PDP-A1)."""

    words: str
    move: Fraction
    """Of every query, by one record, at most; the bar does not depend on the data."""
    bar: Fraction
    query: Fraction
    """`bar`, `query`: scales of the Laplace noise of the bar and of each query."""

    def __post_init__(self) -> None:
        _check(self.words, "move, bar and query", self.move, self.bar, self.query)


@final
@dataclass(frozen=True, slots=True)
class AnswerStep:
    """A bit that depends on one record alone and is told right with odds e^epsilon: epsilon.

    Also where the record goes, or comes: then the bit is that of one of the two values.
    """

    words: str
    epsilon: Fraction

    def __post_init__(self) -> None:
        _check(self.words, "epsilon", self.epsilon)


@final
@dataclass(frozen=True, slots=True)
class NamedStep:
    """A record is used only if a coin of its own shows heads: (0, delta) (TRI-P3.0.2)."""

    words: str
    delta: Fraction
    """Probability of heads."""

    def __post_init__(self) -> None:
        _check(self.words, "delta", self.delta)


@final
@dataclass(frozen=True, slots=True)
class CoarseStep:
    """The bin of the largest noisy count above 2 + scale log(1 / delta): (2 / scale, delta).

    A record is in one bin; the place of the bins is random and tells nothing (TRI-P4.1.1).
    """

    words: str
    scale: Fraction
    """Of the Laplace noise of each count."""
    delta: Fraction

    def __post_init__(self) -> None:
        _check(self.words, "scale and delta", self.scale, self.delta)


@final
@dataclass(frozen=True, slots=True)
class ShuffledStep:
    """Answers to shuffled blocks, each (epsilon, 0)-private: `level` and what clones lose there.

    The record lies in one row, which a uniform permutation of the blocks shuffles
    (TRI-T2.2.2-clones).
    """

    words: str
    epsilon: Fraction
    """Of each answer."""
    blocks: int
    level: Fraction
    """The epsilon at which delta is stated."""

    def __post_init__(self) -> None:
        _check(self.words, "epsilon and blocks", self.epsilon, Fraction(self.blocks))
        _check(self.words, "level", self.level, zero=True)


@final
@dataclass(frozen=True, slots=True)
class InTurn:
    """Steps one after another, each may use what the earlier ones released: losses add up."""

    steps: tuple[Step, ...]


@final
@dataclass(frozen=True, slots=True)
class Either:
    """One of the steps sees the record: by its public place, or by what was released before."""

    steps: tuple[Step, ...]


@final
@dataclass(frozen=True, slots=True)
class Survivors:
    """A step on records that survive with probability min(1, (e^budget - 1) / (e^tau - 1)).

    If the step loses at most t, also for a record that goes or comes, and t is at most tau, then
    user i loses at most min(budget_i, t) (PDP-T10).
    """

    budgets: tuple[Fraction, ...]
    tau: Fraction
    step: Step


Step: TypeAlias = (
    LaplaceStep
    | ScoreStep
    | ScanStep
    | AnswerStep
    | NamedStep
    | CoarseStep
    | ShuffledStep
    | InTurn
    | Either
    | Survivors
)
"""Of a composition."""


@final
@dataclass(frozen=True, slots=True)
class Composition:
    """All that the release is a function of, besides what is public.

    Parameters
    ----------
    relation : Relation
        Which data sets are neighbors: what the moves of the steps are about.
    step : Step
        The release is a function of what it answers.
    users : int
        Number of users, where each has a loss of its own; 0 where all records are alike.
    argument : str
        Id of the ledger's claim that the steps are these.
    """

    relation: Relation
    step: Step
    users: int
    argument: str


@runtime_checkable
class StatesComposition(Protocol):
    """A mechanism that states its steps."""

    def private_steps(self) -> Composition:
        """State them; they must be what `sample` draws from."""
        ...


def _check(words: str, name: str, *values: Fraction, zero: bool = False) -> None:
    """Refuse what has no loss: scales and moves that are not positive."""
    if not values or min(values) < 0 or (min(values) == 0 and not zero):
        allowed = "at least 0" if zero else "greater than 0"
        msg = f"{name} of {words} must be {allowed}, got {', '.join(map(str, values))}"
        raise InvalidArgument(msg)
