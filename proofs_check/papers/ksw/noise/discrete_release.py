"""Privacy of the pair that `ksw.release-mean` draws: the discrete hourglass on any grid (KSW-D5p).

The level of j is the whole number s with j in (-r, r) for s = 0 and, for s >= 1,
(s - 1) Q + r <= j <= s Q + r - 1, mirrored for s <= -1; the pmf is A b^(|s| + |t - s|).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Obligation, Status
from proofs_check.papers.ksw.noise.hourglass import hourglass_level
from proofs_check.smt import absolute, all_of, choose, implies, integers, valid
from proofs_check.steps import ByDefinition

__all__ = ["CLAIMS"]


def has_level(s: Any, j: Any, Q: Any, r: Any) -> Any:
    """Whether s is the signed level of j: level 0 has 2 r - 1 points, the others Q on each side."""
    size = absolute(s)
    place = choose(s > 0, j, choose(s < 0, -j, absolute(j)))
    low = choose(s == 0, 0, (size - 1) * Q + r)
    return all_of(low <= place, place <= size * Q + r - 1)


@proves(
    "A record of 0..Q changes the level k by exactly one: on every grid, at every point.",
    Method.SMT,
)
@mutant("records up to Q + 1", longest=1)
@mutant("level 0 without a point, r = 0", narrowest=0)
@mutant("one less where s = t", level=lambda t, s: hourglass_level(t, s) - choose(s == t, 1, 0))
def record_moves_the_level_by_one(
    level: Callable[[Any, Any], Any] = hourglass_level, longest: int = 0, narrowest: int = 1
) -> Finding:
    """|k(t + 1, j + x) - k(t, j)| = 1 for all Q, r, j, t and every record x in 0..Q."""

    def statement(Q: Any, r: Any, j: Any, x: Any, t: Any, s: Any, other: Any) -> Any:
        given = all_of(narrowest <= r, r <= Q, 0 <= x, x <= Q + longest)
        levels = all_of(has_level(s, j, Q, r), has_level(other, j + x, Q, r))
        return implies(all_of(given, levels), absolute(level(t + 1, other) - level(t, s)) == 1)

    def signs(*terms: Any) -> Any:
        # z3 finds the proof with the signs of these products in a second, without them by luck
        Q, s, other = terms[0], terms[5], terms[6]
        factors = (other - s - 2, s - other - 1, s - 1, -s - 1, other - 1, -other - 1)
        return [implies(all_of(Q >= 1, f >= 0), f * Q >= 0) for f in factors]

    return valid(integers("Q r j x t s other"), statement, lemmas=signs)


CLAIMS = (
    Claim(
        id="KSW-D5p",
        source="our own",
        says=(
            "For every eps > 0, grid Q, level r and data on the grid, of any number, the pair of "
            "integers (Q times the sum plus J, n plus T) with discrete hourglass noise (J, T) is "
            "eps-differentially private under add-remove; so is every function of it."
        ),
        latex=r"|k(t + 1, j + x) - k(t, j)| = 1 \quad (1 \le r \le Q,\ 0 \le x \le Q,\ j, t \in \mathbb{Z})",
        domain="eps > 0, integers 1 <= r <= Q, records in {0, .., Q}, any data (the empty one included)",
        status=Status.PROVED,
        checks=checks_of(record_moves_the_level_by_one),
        assumes=("KSW-D5",),
        steps=(
            ByDefinition(
                "KSW-D5",
                "The pmf is A e^(-eps k), and a record moves the pair by (x, 1): it changes the pmf at every point by a factor e^eps or e^-eps, so the probability of every set by at most these.",
            ),
        ),
        obligations=(
            Obligation("a record moves the level by one", "record_moves_the_level_by_one"),
        ),
        ours=True,
        note="The sum over the points of a set, and that the law has mass 1, are theorems of Coq besides: `proofs_check/coq/Release.v` states it for all sets of outputs and all functions of the pair.",
    ),
)
