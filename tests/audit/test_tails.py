"""Binomial tails, limits and ranks, against scipy.stats; no audit loads scipy.stats."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from audit.draws.binomial_tails import (
    binomial_above,
    binomial_at_most,
    binomial_limits,
    binomial_point,
    first_above,
    ranks,
    student_limits,
)
from tests.slow import all_but

DRAWS = (1, 2, 7, 100, 12_345, 10**6, 10**8)
CHANCES = (0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9, 1.0)
SPREADS = (-30.0, -12.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 12.0, 30.0)


def hits(draws: int, chance: float) -> list[int]:
    """Counts from the middle to 30 standard deviations off, and both ends."""
    middle, spread = draws * chance, (draws * chance * (1 - chance)) ** 0.5
    near = (int(middle + times * spread) for times in SPREADS)
    return sorted({-1, 0, 1, draws - 1, draws, *(k for k in near if 0 <= k <= draws)})


@pytest.mark.parametrize("draws", DRAWS)
def test_tails_are_those_of_scipy_stats(draws: int) -> None:
    """Relative to the tail itself, down to 1e-290."""
    for chance in CHANCES:
        for k in hits(draws, chance):
            above, at_most = stats.binom.sf(k, draws, chance), stats.binom.cdf(k, draws, chance)
            assert binomial_above(k, draws, chance) == pytest.approx(above, rel=1e-8, abs=1e-290)
            assert binomial_at_most(k, draws, chance) == pytest.approx(
                at_most, rel=1e-8, abs=1e-290
            )


@pytest.mark.parametrize("draws", DRAWS)
def test_points_are_those_of_scipy_stats(draws: int) -> None:
    """Each to 1e-6 of itself, also where the chance is 0 or 1."""
    for chance in CHANCES:
        k = np.array([count for count in hits(draws, chance) if count >= 0])
        expected = stats.binom.pmf(k, draws, chance)
        np.testing.assert_allclose(
            binomial_point(k, draws, chance), expected, rtol=1e-6, atol=1e-290
        )


@pytest.mark.parametrize("draws", DRAWS)
def test_first_above_is_the_least_count_with_so_small_a_tail(draws: int) -> None:
    """One count less has a larger tail."""
    for tail in [1e-12, 1e-6, 1e-3, 0.3, 1.0]:
        for chance in CHANCES[1:-1]:
            k = first_above(tail, draws, chance)
            assert binomial_above(k, draws, chance) <= tail
            assert k == -1 or k == 0 or binomial_above(k - 1, draws, chance) > tail


@pytest.mark.parametrize("draws", DRAWS[:-1])
def test_limits_of_a_probability_are_those_of_statsmodels(draws: int) -> None:
    """Clopper and Pearson's, also without a hit and without a miss."""
    for error in [1e-12, 1e-6, 5e-4, 0.025, 0.4]:
        for k in sorted({0, 1, draws // 3, draws - 1, draws}):
            expected = proportion_confint(k, draws, alpha=2 * error, method="beta")
            assert binomial_limits(k, draws, error) == pytest.approx(expected, rel=1e-8, abs=1e-15)


@pytest.mark.parametrize("size", [2, 3, 30, 10_000])
@pytest.mark.parametrize("error", [1e-9, 5e-4, 0.05])
def test_limits_of_a_mean_are_students(
    size: int, error: float, dp_rng: np.random.Generator
) -> None:
    """For values far from 0 as well."""
    values = 1e3 + dp_rng.standard_exponential(size)
    reach = stats.t.isf(error, size - 1) * stats.sem(values)
    expected = values.mean() - reach, values.mean() + reach
    assert student_limits(values, error) == pytest.approx(expected, rel=1e-9)


def test_ranks_are_those_of_scipy_stats(dp_rng: np.random.Generator) -> None:
    """With and without equal values."""
    for values in (dp_rng.normal(size=500), dp_rng.integers(9, size=500) / 3, np.zeros(5)):
        np.testing.assert_array_equal(ranks(values), stats.rankdata(values))


TARGETS = """
import numpy as np

def sound(data, size, rng):
    return np.clip(data, 0, 1).sum() + rng.laplace(size=size)

def broken(data, size, rng):
    return np.clip(data, 0, 1).sum() + rng.laplace(scale=0.5, size=size)

def average(data, size, rng):
    return np.clip(data, 0, 1).mean() + rng.laplace(scale=0.1, size=size)
"""
CLAIM = "--epsilon 1 --relation listed --pair pair.json --ideal --seed 1 --false-alarm 0.001"
ERRORS = "--utility --n 10 --low 0 --high 1 --seed 1"
AUDITS = {
    "REFUTED": f"broken {CLAIM}",
    "CONSISTENT": f"sound {CLAIM} --budget-samples 300000",
    "INCONCLUSIVE": f"sound {CLAIM} --budget-samples 2000",
    "errors: CONSISTENT": f"average {ERRORS} --unbiased --mse 0.021 --budget-samples 300000",
    "errors: INCONCLUSIVE": f"average {ERRORS} --unbiased --budget-samples 2000",
}


@pytest.mark.long
@pytest.mark.parametrize(
    "audit", all_but(["CONSISTENT", "INCONCLUSIVE", "errors: INCONCLUSIVE"], AUDITS)
)
def test_no_audit_loads_scipy_stats(audit: str, tmp_path: Path) -> None:
    """Its import would take longer than the audit; nor statsmodels, which loads it."""
    (tmp_path / "targets.py").write_text(TARGETS)
    (tmp_path / "pair.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    name, *options = AUDITS[audit].split()
    words = ["audit", f"targets.py:{name}", *options, "--format", "json", "--output", "out.json"]
    code = (
        "import sys\nfrom audit.cli import main\n"
        f"main({words!r})\n"
        "assert 'scipy.special' in sys.modules\n"
        "print(sorted({'scipy.stats', 'statsmodels', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert json.loads((tmp_path / "out.json").read_text())["verdict"] == audit.split()[-1]
    assert done.stdout.splitlines()[-1] == "[]"
