"""Which engine encloses a composition, and the check of one by another.

Closed forms where there are such; otherwise nodes that are the losses themselves; otherwise a
Fourier integral, if the losses are smooth enough for it; otherwise nodes that are nearer from one
try to the next. Where two apply, their enclosures overlap, or it is an
error of ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import final

from proofs_check.composition.closed_forms import closed_form
from proofs_check.composition.cut import cut_of
from proofs_check.composition.epsilon import Composition, Totals, upper_epsilon
from proofs_check.composition.group import Bracket
from proofs_check.composition.laws import Loss
from proofs_check.composition.parts import Direction, Empty, Part, Profile
from proofs_check.composition.sums import SPARE, exact_step, lattice_of, steps_of
from proofs_check.composition.transform import transform_of

__all__ = ["Disagreement", "Tried", "brackets", "check_overlap", "compositions", "unknown"]


class Disagreement(RuntimeError):
    """Two engines whose enclosures are disjoint: one of them is wrong, which is a fault of ours."""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """The excess in one direction, what encloses it, and whether it comes no nearer."""

    profile: Profile
    engine: str
    is_last: bool = True


@final
@dataclass(frozen=True, slots=True)
class Tried:
    """A composition between two ends, and how it was enclosed."""

    composition: Totals
    engine: str
    is_last: bool


def compositions(directions: Sequence[Direction], delta: Fraction) -> Iterator[Tried]:
    """The composition, between ends that are nearer from one to the next.

    Raises Disagreement if two engines exclude each other.
    """
    kept = [one.kept_ends() for one in directions]
    found: list[Found] = []
    for several in zip_longest(*(_one(one.parts, delta) for one in directions)):
        found = [new or found[place] for place, new in enumerate(several)]
        profiles = [one.profile for one in found]
        engines = dict.fromkeys(one.engine for one in found)
        yield Tried(
            Composition(tuple(zip(profiles, kept, strict=True))),
            " and the ".join(engines),
            all(one.is_last for one in found),
        )


def unknown(directions: Sequence[Direction]) -> Tried:
    """What is known of numbers that no engine holds."""
    whole = Composition(tuple((_Unknown(), one.kept_ends()) for one in directions))
    return Tried(whole, "lattice, not attempted: numbers beyond doubles", is_last=True)


def brackets(
    pair: Sequence[Direction], removed: Direction, added: Direction, delta: Fraction
) -> Iterator[Tried]:
    """The same of replaced records where no dominating pair is known; see `Bracket`.

    The ends stay apart, so no more than a few tries are made.
    """
    rest = [next(iter(compositions([one], delta / 4))) for one in (removed, added)]
    for number, tried in enumerate(compositions(pair, delta), 1):
        bracket = Bracket(tried.composition, *(one.composition for one in rest))
        engine = f"{tried.engine} (lower end) and removing and adding (upper end)"
        yield Tried(bracket, engine, is_last=tried.is_last or number == TRIES)
        if number == TRIES:
            return


def _one(parts: Sequence[Part], delta: Fraction) -> Iterator[Found]:
    """Profiles of one direction."""
    if not parts:
        yield Found(Empty(), "closed form")
        return
    exponent = SPARE - math.log(max(delta, Fraction(1, 10**30)))
    form, step = closed_form(parts), exact_step(parts)
    exact = None if step is None else lattice_of(parts, step, exponent)
    steps = list(steps_of(parts, exponent))
    if form is not None:
        second = exact or lattice_of(parts, steps[0], exponent)
        if second is not None:
            check_overlap(form, second, delta)
        yield Found(form, "closed form")
    elif exact is not None:
        yield Found(exact, "lattice of the losses")
    elif (transform := _transformed(parts, delta)) is not None:
        second = next(
            filter(None, (lattice_of(parts, one, exponent) for one in steps[:TRIES])), None
        )
        if second is not None:
            check_overlap(transform, second, delta)
        yield Found(transform, "transform")
    else:
        yield from _nearer(parts, steps, exponent)


def _transformed(parts: Sequence[Part], delta: Fraction) -> Profile | None:
    """The profile by a transform; None where its doubles do not reach, and nodes are tried."""
    import numpy as np

    try:
        with np.errstate(over="raise", invalid="raise"):
            return cut_of(parts, delta) or transform_of(parts, delta)
    except (ArithmeticError, ValueError):
        return None


def _nearer(parts: Sequence[Part], steps: Sequence[Loss], exponent: float) -> Iterator[Found]:
    """Nodes that are half as far apart from one to the next, until there are too many."""
    last: Profile = _Unknown()
    for number, step in enumerate(steps):
        found = lattice_of(parts, step, exponent)
        if found is None and (number > TRIES or not isinstance(last, _Unknown)):
            break
        if found is None:  # coarse nodes make the upper end of a long sum reach far
            continue
        if not isinstance(last, _Unknown):
            yield Found(last, "lattice", is_last=False)
        last = found
    unknown = isinstance(last, _Unknown)
    yield Found(last, "lattice, not attempted: too many nodes" if unknown else "lattice")


TRIES = 6
"""Nodes half as far apart, before a sum of too many nodes is given up: a second or two."""


class _Unknown:
    """What is known of losses that no engine takes."""

    def excess(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:  # noqa: ARG002
        """Anything."""
        return Fraction(0), Fraction(1)

    near = excess


def check_overlap(first: Profile, second: Profile, delta: Fraction) -> None:
    """Raise Disagreement unless two enclosures of one excess overlap."""
    most = upper_epsilon(first.near, delta) or Fraction(1)
    for epsilon in (Fraction(0), most / 2, most):
        (low, high), (other_low, other_high) = first.near(epsilon), second.near(epsilon)
        if low > other_high or other_low > high:
            msg = (
                f"two engines exclude each other at epsilon = {float(epsilon)}: delta is in "
                f"[{float(low)}, {float(high)}] and in [{float(other_low)}, {float(other_high)}]"
            )
            raise Disagreement(msg)
