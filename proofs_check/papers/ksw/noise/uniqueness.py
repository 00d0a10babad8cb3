"""Why equation (7) is the only hourglass: what Lemmas 3 and 4 and Theorem 2 leave open (our own).

Lemmas 3 and 4 force k = |s| + |t - c| with an integer center c(z1); privacy forces c = s.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    any_of,
    for_all,
    implies,
    integers,
    reals,
)
from proofs_check.papers.ksw.noise.staircase import in_level
from proofs_check.steps import ByClaim

__all__ = ["CLAIMS"]


@proves("A move to the next level, either side of 0, raises the center by exactly one.", Method.SMT)
@mutant("a move within the level", change=0)
@for_all(integers("c d up t"))
def crossing_moves_the_center(c: Any, d: Any, up: Any, t: Any, *, change: int = 1) -> Condition:
    """A move up from center c to d that changes |s| by +-1: two far lines force d = c + 1."""

    def private(line: Any) -> Any:
        return absolute(up + absolute(line + 1 - d) - absolute(line - c)) <= 1

    far = t > absolute(c) + absolute(d) + 1
    given = all_of(far, absolute(up) == change, private(t), private(-t))
    return implies(given, d == c + 1)


@proves("All points of a level i >= 1 are one move from the start of the next level.", Method.SMT)
@mutant("moves up to 0.99", reach=Fraction(99, 100))
@for_all(reals("z gamma") | integers("i"))
def levels_reach_the_next(
    z: Any, gamma: Any, i: Any, *, reach: Fraction = Fraction(1)
) -> Condition:
    """From every point of a level i >= 1 one move leads to i + gamma, the first point of the next."""
    end = i + gamma
    given = all_of(0 < gamma, gamma <= 1, i >= 1, in_level(z, i, gamma))
    return implies(given, all_of(0 < end - z, end - z <= reach, in_level(end, i + 1, gamma)))


@proves("All points of level 0 are one move from level 1 or level -1; z = 0 from both.", Method.SMT)
@mutant("moves up to 0.99", reach=Fraction(99, 100))
@for_all(reals("z gamma"))
def level_zero_is_tied(z: Any, gamma: Any, *, reach: Fraction = Fraction(1)) -> Condition:
    """Each point of level 0 is one move below gamma or above -gamma; z = 0 is both."""
    given = all_of(0 < gamma, gamma <= 1, -gamma < z, z < gamma)
    ends = all_of(gamma <= reach, -gamma >= -reach)
    return implies(given, all_of(any_of(gamma - z <= reach, z + gamma <= reach), ends))


CLAIMS = (
    Claim(
        id="KSW-U1",
        source="our own, for equation (7)",
        says=(
            "Equation (7) is the only law of the form A e^(-eps k) on the lines z1 + z2 = t, with "
            "integer k, that satisfies Lemmas 3 and 4 with an odd integer center, and Theorem 2."
        ),
        latex=r"k = |s(z_1)| + |t - c(z_1)|,\ c \text{ odd},\ |\Delta k| \le 1 \implies c = s",
        domain="eps > 0, 0 < gamma < 1",
        status=Status.PROVED,
        checks=checks_of(crossing_moves_the_center, levels_reach_the_next, level_zero_is_tied),
        assumes=("KSW-T2", "KSW-L3", "KSW-L4"),
        ours=True,
        steps=(
            *by_checks(crossing_moves_the_center, levels_reach_the_next, level_zero_is_tied),
            *by_hand(
                "So the center is constant on each level i >= 1 (one less than at i + gamma), likewise below 0, and on level 0: the points tied to level 1 and those tied to level -1 cover it and overlap around 0.",
                "An odd function that is constant on level 0 is 0 there; each level up adds one.",
                "Hence c = s, off a null set.",
            ),
            ByClaim(
                "KSW-T2", "That (7) itself has all these properties is KSW-L3, KSW-L4 and KSW-T2."
            ),
        ),
        note="It also fits every sentence of the second version about the regions S_{t,i} that we know of (KSW-D4).",
    ),
)
