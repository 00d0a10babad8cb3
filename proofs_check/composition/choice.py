"""Which engine encloses a composition, and the check of one by another.

Closed forms where there are such; otherwise nodes that are the losses themselves; otherwise a
Fourier integral, if the losses are smooth enough for it; otherwise nodes that are nearer from one
try to the next. Where two apply, their enclosures overlap, or it is an
error of ours.

**Without sampling.** A sampled pair is made of the inner pair (P, Q) by one channel for both: with
probability q it hands on what came, otherwise it draws anew, from Q where the record is removed and
from P where it is added. That makes q P + (1 - q) Q of P and leaves Q, or makes q Q + (1 - q) P of
Q and leaves P. Independent channels make the sampled product of the inner product, so no event of
the former exceeds the excess of the latter (post-processing): its closed form is an upper end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from operator import itemgetter
from typing import final

from proofs_check.composition.closed_forms import closed_form
from proofs_check.composition.cut import cut_of
from proofs_check.composition.epsilon import Composition, Totals, upper_epsilon
from proofs_check.composition.group import Bracket
from proofs_check.composition.laws import Loss, Sampled
from proofs_check.composition.parts import Direction, Empty, Ends, Part, Profile, merged
from proofs_check.composition.sums import SPARE, exact_step, lattice_of, steps_of
from proofs_check.composition.transform import transform_of

__all__ = [
    "BEYOND",
    "Disagreement",
    "Tried",
    "brackets",
    "check_overlap",
    "compositions",
    "unknown",
    "unsampled",
]

BEYOND = (ArithmeticError, ValueError)
"""Raised by engines where a number leaves the doubles that size them, or the range of balls."""


class Disagreement(RuntimeError):
    """Two engines whose enclosures are disjoint: one of them is wrong, which is a fault of ours."""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """The excess in one direction, what encloses it, and whether it comes no nearer."""

    profile: Profile
    engine: str
    is_last: bool = True
    upper_by: tuple[Fraction, str] | None = None
    """An upper end of epsilon that is not the engine's, and what it is."""


@final
@dataclass(frozen=True, slots=True)
class Tried:
    """A composition between two ends, and how it was enclosed."""

    composition: Totals
    engine: str
    is_last: bool
    upper_by: str = ""
    """What the upper end is, where it is not the engine's; empty where it is."""


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
            _largest_upper(found, delta),
        )


def _largest_upper(found: Sequence[Found], delta: Fraction) -> str:
    """What the largest upper end of all directions is, where it is no engine's."""
    end, words = max((one.upper_by for one in found if one.upper_by), default=(Fraction(0), ""))
    others = (one.profile for one in found if not one.upper_by)
    return words if words and all(one.near(end)[1] <= delta for one in others) else ""


def unknown(directions: Sequence[Direction]) -> Tried:
    """What is known of numbers that no engine holds."""
    whole = [unsampled(one.parts) for one in directions]
    profiles = [_Unknown() if one is None else _AtMost(_Unknown(), one) for one in whole]
    return Tried(
        Composition(tuple(zip(profiles, (one.kept_ends() for one in directions), strict=True))),
        "lattice, not attempted: numbers beyond doubles",
        is_last=True,
        upper_by=UNSAMPLED if any(whole) else "",
    )


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
        is_last = tried.is_last or number == TRIES
        words = (one.upper_by for one in rest if one.upper_by)
        yield Tried(bracket, engine, is_last, next(words, ""))
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
        yield from _capped(parts, delta, _nearer(parts, steps, exponent))


def _transformed(parts: Sequence[Part], delta: Fraction) -> Profile | None:
    """The profile by a transform; None where its doubles do not reach, and nodes are tried."""
    import numpy as np

    try:
        with np.errstate(over="raise", invalid="raise"):
            return cut_of(parts, delta) or transform_of(parts, delta)
    except BEYOND:
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


def unsampled(parts: Sequence[Part]) -> Profile | None:
    """The closed form of the same steps without sampling; None where there is none."""
    if not any(isinstance(part.law, Sampled) for part in parts):
        return None
    inner = (
        Part(part.law.inner, part.count) if isinstance(part.law, Sampled) else part
        for part in parts
    )
    with suppress(*BEYOND):
        return closed_form(merged(inner))
    return None


def _capped(parts: Sequence[Part], delta: Fraction, several: Iterator[Found]) -> Iterator[Found]:
    """Profiles, those that come no lower at this delta with an upper end from elsewhere."""
    known: list[tuple[Fraction, Profile, str]] = []
    with suppress(*BEYOND):
        if (whole := unsampled(parts)) and (end := upper_epsilon(whole.near, delta)) is not None:
            known.append((end, whole, UNSAMPLED))
    with suppress(*BEYOND):
        if (end := Direction(tuple(parts)).largest().upper) is not None:
            known.append((end, _Largest(end), LARGEST))
    end, most, words = min(known, key=itemgetter(0), default=(None, None, ""))
    for one in several:
        if most is None or end is None or one.profile.near(end)[1] <= delta:
            yield one
        else:
            yield replace(one, profile=_AtMost(one.profile, most), upper_by=(end, words))


UNSAMPLED = "that of the same steps without sampling, which lose no less"
LARGEST = "the sum of the largest losses of all steps"


@final
@dataclass(frozen=True, slots=True)
class _Largest:
    """What is known of losses of which no sum exceeds a number."""

    loss: Fraction

    def excess(self, epsilon: Fraction) -> Ends:
        """Nothing from there on."""
        return Fraction(0), Fraction(epsilon < self.loss)

    near = excess


@final
@dataclass(frozen=True, slots=True, eq=False)
class _AtMost:
    """A profile whose upper end is at most that of another one."""

    profile: Profile
    most: Profile

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        lower, upper = self.profile.excess(epsilon)
        return lower, min(upper, self.most.excess(epsilon)[1])

    def near(self, epsilon: Fraction) -> Ends:
        """The same."""
        lower, upper = self.profile.near(epsilon)
        return lower, min(upper, self.most.near(epsilon)[1])


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
