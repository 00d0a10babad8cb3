"""Parallel counts as printed: exactly twice the promise, or none, and the exact laws (PDP-CX4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import Rationals
from audit.exact.cells.level_laws import point_pmf
from audit.exact.exact_audit import audit
from audit.exact.exact_numbers import as_ball
from audit.exact.exact_search import search
from audit.exact.question import Question
from audit.results.verdict import Verdict
from mechanisms.as_printed.certain_law import CertainLaw
from mechanisms.as_printed.count_law import NoisyCounts
from mechanisms.as_printed.parallel_counts import PrintedCounts
from mechanisms.errors import InvalidArgument
from mechanisms.noise.geometric import Geometric
from proofs_check.enclosure import Balls, endpoints
from tests.mechanisms.subset import chi_square

F = Fraction
BOT = math.nan


def swaps(size: int, values: Sequence[float] = (-1.0, 1.0, BOT)) -> list[tuple[Any, Any]]:
    """All data of a size that differ in one record."""
    return [
        ((*rest, x), (*rest, y))
        for rest in combinations_with_replacement(values, size - 1)
        for x, y in combinations(values, 2)
    ]


@pytest.mark.parametrize("epsilon", ["1/2", 1])
@pytest.mark.parametrize("size", [1, 2])
def test_the_loss_is_exactly_twice_the_promise(size: int, epsilon: Any) -> None:
    """All pairs must keep 2 epsilon, and one reach it; epsilon is refuted."""
    mechanism, twice = PrintedCounts(epsilon), 2 * F(epsilon)
    found = search(mechanism, swaps(size), twice, F(0))
    assert found.broken is None
    assert found.ratio is not None
    lower, upper = endpoints(Balls(192).log(found.ratio))
    assert lower <= twice <= upper
    assert search(mechanism, swaps(size), twice - F(1, 10**30), F(0)).broken is not None


def test_a_record_that_goes_missing_costs_epsilon() -> None:
    """A record replaced by the placeholder changes one count only."""
    mechanism = PrintedCounts()
    assert search(mechanism, [([1.0, -1.0], [1.0, BOT])], F(1), F(0)).broken is None


@pytest.mark.parametrize("noise", ["geometric", "none"])
def test_the_auditor_refutes_the_counterexample(noise: str) -> None:
    """The stated pair must be refuted at the promise; without noise at any epsilon."""
    epsilon = 1 if noise == "geometric" else 400
    mechanism = PrintedCounts(epsilon, noise)
    assert mechanism.counterexample == ([-1.0], [1.0])
    pairs = (mechanism.counterexample,)
    found = audit(Question("counts", mechanism, mechanism.claim, mechanism.order, True, pairs))
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    words = "{('1 or more', '0 or less')}" if noise == "geometric" else "the counts are (1, 0)"
    assert found.witness.event == words
    if noise == "none":
        assert search(mechanism, pairs, F(400), F(0)).ratio is None


@given(
    st.integers(1, 5),
    st.lists(st.sampled_from([-1.0, 1.0, BOT]), max_size=4),
    st.sampled_from(["1/2", "1", "3"]),
)
def test_law_is_that_of_geometric_noise(most: int, data: list[float], epsilon: str) -> None:
    """Masses must be those of the noise's pmf and tails, and add up to 1."""
    mechanism = PrintedCounts(epsilon)
    law = mechanism.exact_law(data)
    assert isinstance(law, NoisyCounts)
    assert law.most == max(len(data), 1)
    law = NoisyCounts(law.rate, max(most, law.most), law.counts)
    pmf = point_pmf(law)  # type: ignore[arg-type]
    total = as_ball(pmf.total, 128)
    noise = Geometric(epsilon)

    def told(count: int) -> list[float]:
        inner = [float(noise.pmf(k - count)) for k in range(1, law.most)]
        return [float(noise.cdf(-count)), *inner, 1 - float(noise.cdf(law.most - count - 1))]

    below, above = map(told, law.counts)
    slow = [p * q for p in below for q in above]
    found = [float(sum(endpoints(as_ball(mass, 128) / total)) / 2) for _, mass in pmf.masses]
    np.testing.assert_allclose(found, slow, rtol=1e-9)
    assert len({point for point, _ in pmf.masses}) == (law.most + 1) ** 2


def test_without_noise_the_counts_are_told() -> None:
    """The law must be an atom at the counts, NaN in neither."""
    law = PrintedCounts(noise="none").exact_law([-2.0, 0.0, 3.0, BOT, -0.0])
    assert isinstance(law, CertainLaw)
    assert law.masses(Rationals()) == {(1, 3): 1}  # type: ignore[arg-type]


def test_sampler_has_the_noise(dp_rng: np.random.Generator) -> None:
    """Either count less its noise-free value must have the pmf that another epsilon fails."""
    data = [-1.0, -3.0, 0.5]
    mechanism, other = PrintedCounts("1/2"), PrintedCounts("3/4")
    places = np.arange(-8, 9)
    p, q = (np.diff(Geometric(e).cdf(np.array([-np.inf, *places, np.inf]))) for e in ("1/2", "3/4"))
    size = chi_square.draws_for(p, q)
    for one, holds in ((mechanism, True), (other, False)):
        draws = one.sample(data, size, rng=dp_rng)
        assert draws.shape == (size, 2)
        for column, count in enumerate((2, 1)):
            cells = np.clip(draws[:, column] - count, -8, 9) + 8
            value, limit = chi_square.statistic(np.bincount(cells, minlength=18), p)
            assert (value < limit) == holds
    # Independent: of 20 000 draws the correlation is within 0.04 but with probability 1e-8.
    pairs = mechanism.sample(data, 20_000, rng=dp_rng)
    assert abs(np.corrcoef(pairs[:, 0], pairs[:, 1]).min()) < 0.04


def test_draws_without_noise_are_the_counts(dp_rng: np.random.Generator) -> None:
    """All draws must be the counts, also of no record."""
    mechanism = PrintedCounts(noise="none")
    assert mechanism.sample([-1.0, 4.0], 2, rng=dp_rng).tolist() == [[1, 1], [1, 1]]
    assert mechanism.sample([], 1, rng=dp_rng).tolist() == [[0, 0]]


def test_exact_laws_of_many_records_raise() -> None:
    """The limit must be on the number of records."""
    with pytest.raises(InvalidArgument, match="at most 64 records"):
        PrintedCounts().exact_law([BOT] * 65)
