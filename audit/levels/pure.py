"""Pure differential privacy: P(S) <= e^epsilon Q(S)."""

from __future__ import annotations

from fractions import Fraction

from audit.levels.examples import sizes
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP, PersonalizedDP, PureDP, ZeroConcentratedDP
from mechanisms.implications import pure_to_approx, pure_to_zcdp

STATED = Word(
    "epsilon",
    Kind.EXACT,
    "The claim under audit, such as 1, 0.1 or 1/10.",
    of=Of.PRIVACY,
    metavar="NUMBER",
)
"""The word that claims of several kinds state their epsilon with."""

EPSILON = Limit("epsilon", "epsilon {} at the claimed delta", claimed=lambda level: level.epsilon)
"""Of pure and approximate claims."""


def _grid(level: PureDP, ask: Ask) -> Grid:
    from audit.levels.supporting_lines import exponential

    return exponential(level.epsilon, Fraction(0), profile=ask.profile, coarse=ask.coarse)


def _implies_approximate(level: PureDP, other: ApproxDP) -> bool:
    implied = pure_to_approx(level)
    return implied.epsilon <= other.epsilon and implied.delta <= other.delta


PURE = LevelKind(
    PureDP,
    "pure",
    "pure",
    "1",
    (STATED,),
    PureDP,
    grid=_grid,
    limits=(EPSILON, Limit("delta", "delta {} at the claimed epsilon")),
    implies={
        PureDP: lambda level, other: level.epsilon <= other.epsilon,
        ApproxDP: _implies_approximate,
        ZeroConcentratedDP: lambda level, other: pure_to_zcdp(level).rho <= other.rho,
        PersonalizedDP: lambda level, other: all(level.epsilon <= b for b in other.budgets),
    },
    example=lambda st: st.builds(PureDP, sizes(st)),
    null="corpus.laplace",
    line=lambda level: (level.epsilon, Fraction(0)),
)
"""The kind of `PureDP`."""
