"""Personalized differential privacy: the pure claim of the user whose record changes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from audit.levels.examples import positives
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import PersonalizedDP
from mechanisms.errors import InvalidArgument

MOST_USERS = 8
"""Of examples."""


def _grid(level: PersonalizedDP, ask: Ask) -> Grid:
    import numpy as np

    from audit.levels.nesting import Axis
    from audit.levels.supporting_lines import FACTORS, LARGEST_EPSILON, LineGrid, check_epsilon

    user, budgets = ask.user, level.budgets
    if user is None or not 0 <= user < len(budgets):
        msg = (
            "a personalized claim needs the user whose record changes, from 0 to "
            f"{len(budgets) - 1}, got user={user!r}"
        )
        raise InvalidArgument(msg)
    check_epsilon(budgets[user], "--budgets")
    epsilon = float(budgets[user])
    factors = np.array(sorted({1.0, *FACTORS, 5.0, 10.0}))
    # the same axis for every user; no number of samples refutes the largest slopes
    slopes = np.exp(np.minimum(factors * epsilon, LARGEST_EPSILON))[None, :]
    claimed = int(np.flatnonzero(factors == 1.0)[0])
    axes = (Axis("budget_factor", factors),)
    return LineGrid(slopes, np.zeros_like(slopes), axes, claimed)


def _implies(level: PersonalizedDP, other: PersonalizedDP) -> bool:
    same = len(level.budgets) == len(other.budgets)
    return same and all(a <= b for a, b in zip(level.budgets, other.budgets, strict=True))


def _example(st: Any) -> Any:
    budgets = st.lists(positives(st), min_size=1, max_size=MOST_USERS).map(tuple)
    return st.builds(PersonalizedDP, budgets)


PERSONALIZED = LevelKind(
    PersonalizedDP,
    "personalized",
    "personalized",
    '["1/10", 1, 1]',
    (
        Word(
            "budgets",
            Kind.EXACTS,
            "Claim personalized privacy instead: one epsilon for each record, in their order.",
            of=Of.AUDIT,
            metavar="NUMBER,...",
        ),
    ),
    PersonalizedDP,
    grid=_grid,
    limits=(
        Limit(
            "budget_factor",
            "a factor {} on all budgets",
            short="factor",
            label="factor on all budgets",
            claimed=lambda _: Fraction(1),
        ),
    ),
    implies={PersonalizedDP: _implies},
    example=_example,
    null="corpus.personalized-sum",
)
"""The kind of `PersonalizedDP`."""
