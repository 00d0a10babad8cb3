"""The adaptive sparse vector: its laws beside adaptive quadrature, its sampler beside its law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from mechanisms.corpus.sparse_vector import SparseVector
from mechanisms.corpus.svt_adaptive import AdaptiveSparseVector, branch_law, branches, value_law
from mechanisms.errors import InvalidArgument
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.corpus.test_samplers import check_law

DISTANCE = 0.02
DRAWS = draws_for(DISTANCE)
FAR = 16
"""Distance of the top branch at epsilon = 1, c = 1."""


def pdf(z: float, scale: float) -> float:
    """Density of Laplace's law at one point: scipy.stats takes 50 times as long."""
    return math.exp(-abs(z) / scale) / (2 * scale)


def cdf(z: float, scale: float) -> float:
    """P(Z <= z)."""
    tail = math.exp(-abs(z) / scale) / 2
    return tail if z < 0 else 1 - tail


def integral(f: Any, points: list[float]) -> float:
    """Adaptive integral over rho against its density at epsilon = 1."""

    def weighted(r: float) -> float:
        return float(pdf(r, scale=2) * f(r))

    return float(quad(weighted, -120, 120, points=points, limit=800, epsabs=1e-13)[0])


def test_runs_end_when_less_than_a_middle_answer_is_left() -> None:
    """It must hold that c = 1 gives one answer, and c = 2 at most three, three if two are top."""
    once = branches(4, 1)
    assert ((once > 0).sum(axis=1) <= 1).all()
    assert len(once) == 1 + 2 * 4
    rows = branches(5, 2)
    assert len(np.unique(rows, axis=0)) == len(rows)
    for row in rows:
        answers = row[row > 0].tolist()
        assert len(answers) <= 3
        assert len(answers) < 3 or answers[:2] == [2, 2]
        assert (np.diff((row < 0).astype(int)) >= 0).all()


def test_laws_of_branches_sum_to_one_and_agree_with_adaptive_quadrature() -> None:
    """It must hold that P(below, middle) is the integral of its factors over rho."""
    mechanism = AdaptiveSparseVector(1, "branch")
    law = branch_law(mechanism, np.array([2.0, 0.0]))
    assert law.sum() == pytest.approx(1, abs=1e-12)
    slow = integral(
        lambda r: (
            cdf(1 + r - 2 + FAR, scale=8)
            * cdf(1 + r - 2, scale=4)
            * cdf(1 + r + FAR, scale=8)
            * cdf(-1 - r, scale=4)
        ),
        [-1, 0, 1, -1 - FAR, 1 - FAR],
    )
    assert law[branches(2, 1).tolist().index([0, 1])] == pytest.approx(slow, abs=1e-10)


@pytest.mark.parametrize("release", ["gap", "value"])
def test_one_query_loses_what_its_density_says(release: str) -> None:
    """It must hold that values of one query have the loss of their integrals over rho."""

    def density(x: float, z: float) -> float:
        kinks = [0, x - 1, x - 1 - FAR, x - 1 - z, z - 1 - FAR]

        def middle(r: float) -> float:
            below_top = cdf(1 + r - x + FAR, scale=8)
            return float(below_top * pdf(1 + r - x + z, scale=4) * (z >= 0))

        def top(r: float) -> float:
            if release == "gap":
                return float(pdf(1 + r - x + z, scale=8) * (z >= FAR))
            return float(pdf(z - x, scale=8) * (z - 1 - r >= FAR))

        return integral(lambda r: middle(r) + top(r), kinks)

    def none(x: float) -> float:
        return integral(
            lambda r: cdf(1 + r - x + FAR, scale=8) * cdf(1 + r - x, scale=4),
            [0, x - 1, x - 1 - FAR],
        )

    values = [0, 0.5, 1, 2, 4, 8, FAR + 1e-9, 32] + ([-2, -32] if release == "value" else [])
    losses = [abs(math.log(density(1, z) / density(2, z))) for z in values]
    slow = max(*losses, abs(math.log(none(1) / none(2))))
    exact = AdaptiveSparseVector(1, release).epsilon_exact([1], [2])
    assert exact >= slow * (1 - 1e-6)
    assert exact == pytest.approx(slow, rel=0.02)


@pytest.mark.parametrize("release", ["gap", "value"])
def test_densities_of_values_are_densities(release: str) -> None:
    """It must hold that with no answer's probability they agree with the branches' law."""
    mechanism = AdaptiveSparseVector(1, release)
    x = np.array([1.0, 0.0, 2.0])
    answers = branch_law(AdaptiveSparseVector(1, "branch"), x)
    none = branches(3, 1).tolist().index([0, 0, 0])
    assert value_law(mechanism, x)[-1] == pytest.approx(answers[none], rel=1e-10)


@pytest.mark.slow
def test_the_gap_keeps_the_claim_and_tells_more_than_the_branch() -> None:
    """It must hold that all pairs stay within the claim, and a gap is worth its branch or more."""
    branch, gap = AdaptiveSparseVector("1/10", "branch"), AdaptiveSparseVector("1/10")
    for x, y in gap.pairs:
        least = branch.epsilon_exact(x, y)
        assert least * (1 - 1e-9) <= gap.epsilon_exact(x, y) + 0.0003
        assert gap.epsilon_exact(x, y) <= 0.1


def test_gaps_of_several_answers_have_no_exact_epsilon_here() -> None:
    """It must hold that a case that is not computed is an error and no number."""
    with pytest.raises(InvalidArgument, match="for c = 1, got c=2"):
        AdaptiveSparseVector(1, c=2).epsilon_exact([1], [2])


@pytest.mark.parametrize("c", [1, 2])
def test_branches_have_their_law(c: int, dp_rng: np.random.Generator) -> None:
    """Each row of branches must come with its exact probability."""
    data = [30, -10, 10, 25]
    mechanism, wrong = (AdaptiveSparseVector(eps, "branch", c) for eps in (1, "3/2"))
    rows = branches(4, c)
    known = {tuple(row): code for code, row in enumerate(rows.tolist())}
    draws = mechanism.sample(data, DRAWS, rng=dp_rng)
    codes = [known[tuple(row)] for row in draws.tolist()]
    laws = [branch_law(m, np.array(data, dtype=float)) for m in (mechanism, wrong)]
    check_law(codes, *laws)


@pytest.mark.parametrize(("release", "shift", "scale"), [("gap", 0, None), ("value", 1000, 8)])
def test_top_values_have_their_law(
    release: str, shift: int, scale: int | None, dp_rng: np.random.Generator
) -> None:
    """A query far above must release its gap to the noisy threshold, or its noisy value."""
    mechanism = AdaptiveSparseVector(1, release)
    values = mechanism.sample([1000], DRAWS, rng=dp_rng)[:, 0] - (shift or 999)

    def gap_cdf(z: Any) -> Any:
        """Cdf of the sum of Laplace noises of scales 2 and 8: (64 e^(-z/8) - 4 e^(-z/2)) / 120."""
        tail = (64 * np.exp(-np.abs(z) / 8) - 4 * np.exp(-np.abs(z) / 2)) / 120
        return np.where(z < 0, tail, 1 - tail)

    def right(z: Any) -> Any:
        return gap_cdf(z) if scale is None else laplace.cdf(z, scale=scale)

    def wrong(z: Any) -> Any:
        return right(z / 1.15)

    assert law_distance(right, wrong, np.linspace(-50, 50, 4001)) >= DISTANCE
    assert_law(values, right, DISTANCE)
    assert_not_law(values, wrong, DISTANCE)


def test_auditoriums_sparse_vectors_differ_where_they_say() -> None:
    """It must hold that with one answer redrawing is nothing, and a stop lowers the loss."""
    x, y = AdaptiveSparseVector().pairs[4]
    losses = {
        name: SparseVector("1/10", name).epsilon_exact(x, y)
        for name in ("svt2", "svt6", "auditorium-2", "auditorium-6")
    }
    assert losses["auditorium-2"] == pytest.approx(losses["svt2"], rel=1e-12)
    assert 0.1 < losses["auditorium-6"] < losses["svt6"]
    drawn = [
        SparseVector("1/10", name, c=2).epsilon_exact(x, y) for name in ("auditorium-2", "svt2")
    ]
    assert drawn[0] != pytest.approx(drawn[1], rel=1e-3)
    assert drawn[0] <= 0.1
