"""The search for an epsilon: how often delta is asked for, and what it finds where delta jumps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from proofs_check.composition.closed_forms import OneLoss
from proofs_check.composition.epsilon import epsilon_of
from proofs_check.composition.laws import Gaussian
from proofs_check.composition.parts import Ends

DELTA = Fraction(1, 10**5)
ONE = Fraction(1)

FEW, MANY = 40, 140
"""Evaluations for both ends; an interval is halved in 50 for one of them, as at a jump."""


def stepped(epsilon: Fraction) -> Ends:
    """A delta that jumps over the one asked for, at 1/3."""
    return (DELTA / 2, DELTA / 2) if epsilon > ONE / 3 else (2 * DELTA, 2 * DELTA)


NEAR = ONE / 10**12
PROFILES: dict[str, tuple[Callable[[Fraction], Ends], Fraction, Fraction, int]] = {
    "small": (OneLoss(Gaussian(ONE / 10**4)).excess, DELTA, NEAR, FEW),
    "large": (OneLoss(Gaussian(ONE * 10**4)).excess, DELTA, NEAR, FEW),
    "far below": (OneLoss(Gaussian(ONE)).excess, ONE / 10**200, NEAR, FEW),
    "apart": (lambda at: (DELTA / (1 + 8 * at), DELTA / (ONE / 2 + at)), DELTA, ONE, FEW),
    "a jump": (stepped, DELTA, NEAR, MANY),
}


@pytest.mark.parametrize("name", PROFILES)
def test_an_epsilon_is_found_in_few_tries(name: str) -> None:
    """It must hold that both ends are ends, near each other, after some tens of evaluations."""
    profile, delta, width, most = PROFILES[name]
    asked: list[Fraction] = []

    def counted(epsilon: Fraction) -> Ends:
        asked.append(epsilon)
        return profile(epsilon)

    found = epsilon_of(counted, delta)
    assert found.lower is not None
    assert found.upper is not None
    assert not found.lower or profile(found.lower)[0] > delta
    assert profile(found.upper)[1] <= delta
    assert found.upper - found.lower <= found.upper * width
    assert len(asked) <= most
