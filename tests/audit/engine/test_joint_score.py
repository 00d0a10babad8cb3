"""The joint scores see what scores of single coordinates miss."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions import fit_all
from audit.engine.partitions.joint import fit_joint
from audit.engine.partitions.naive_bayes import fit_naive_bayes
from audit.engine.partitions.score_table import ScoreTable, scores_of

Floats = NDArray[np.float64]


def fitted(arms: tuple[Floats, Floats]) -> tuple[list[ScoreTable], tuple[Outcomes, Outcomes]]:
    """Scores fitted to the first half of the draws, and the second half to judge them by."""
    encoder = Encoder()
    encoder.fix_layout(arms)
    half = len(arms[0]) // 2
    past, rest = ([encoder.encode(a[rows]) for a in arms] for rows in _halves(half))
    return list(fit_joint(encoder, *past)), (rest[0], rest[1])


def _halves(half: int) -> tuple[slice, slice]:
    return slice(half), slice(half, None)


def how(score: ScoreTable) -> str:
    """Which of the joint scores it is, as its reader sees it."""
    sentence, _ = score.describe(np.arange(score.size) > 0)
    return sentence.partition("(")[2].partition(")")[0]


def separation(score: ScoreTable, arms: tuple[Outcomes, Outcomes]) -> float:
    """Distance of the arms' mean scores, in standard errors."""
    values = [scores_of(score.score, arm) for arm in arms]
    error = np.sqrt(sum(v.var() / len(v) for v in values))
    return float(values[0].mean() - values[1].mean()) / float(error)


@pytest.mark.slow
def test_alike_coordinates_are_learned_together(dp_rng: np.random.Generator) -> None:
    """It must hold that 60 releases that tell little each are found by their common table."""
    arms = tuple(dp_rng.laplace(size=(20_000, 60)) + shift for shift in (0.02, 0.0))
    scores, rest = fitted((arms[0], arms[1]))
    assert list(map(how, scores)) == ["alike", "fitted together"]
    encoder = Encoder()
    encoder.fix_layout(arms)
    naive = fit_naive_bayes(encoder, *(encoder.encode(a[:10_000]) for a in arms))[0]
    # the best score's separation is 60 * 0.02 / sqrt(60) * sqrt(10_000 / 2), near 11
    assert separation(scores[0], rest) > 7
    assert separation(scores[0], rest) > 1.3 * separation(naive, rest)


@pytest.mark.long
def test_what_is_said_twice_is_counted_once(dp_rng: np.random.Generator) -> None:
    """It must hold that copies of one coordinate do not outweigh the others, as in naive Bayes."""

    def draw(shift: float) -> Floats:
        first, second = dp_rng.normal((shift / 2, shift), size=(40_000, 2)).T
        return np.column_stack([*[first + 0.01 * dp_rng.normal(size=40_000)] * 8, second])

    arms = draw(0.1), draw(0.0)
    scores, rest = fitted(arms)
    encoder = Encoder()
    encoder.fix_layout(arms)
    naive = fit_naive_bayes(encoder, *(encoder.encode(a[:20_000]) for a in arms))[0]
    assert separation(scores[1], rest) > 1.2 * separation(naive, rest)


def test_it_is_fitted_only_where_time_is_allowed(dp_rng: np.random.Generator) -> None:
    """It must hold that the sequential audit leaves it out, and wide vectors the regression."""
    arms = dp_rng.normal(size=(200, 2)), dp_rng.normal(size=(200, 2))
    encoder = Encoder()
    encoder.fix_layout(arms)
    past = [encoder.encode(a) for a in arms]
    for thorough in (False, True):
        made = fit_all(encoder, past[0], past[1], ideal=True, thorough=thorough)
        assert any("(alike)" in p.describe(np.arange(p.size) > 0)[0] for p in made) is thorough
    wide = dp_rng.normal(size=(200, 80)), dp_rng.normal(size=(200, 80))
    assert list(map(how, fitted(wide)[0])) == ["alike"]
