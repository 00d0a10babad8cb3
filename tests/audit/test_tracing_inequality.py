"""The inequality that tracing tests: no private law exceeds it, and some attain it, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.tracing.auditor import TracingLaw, excess, largest_shares

F = Fraction

LAWS = st.integers(1, 2).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=2**n, max_size=2**n),
        st.lists(st.integers(-4, 4), min_size=3, max_size=3),
    )
)


def expected_excess(
    n: int, laws: list[list[Fraction]], values: list[Fraction], p: Fraction, grown: Fraction, d: Any
) -> Any:
    """Mean of D, exactly: a law over three values for each data set of n bits; B = 1."""
    law: Any = TracingLaw(1.0, p, n, 1)  # type: ignore[arg-type]
    total: Any = 0
    for bits, outputs in zip(product((0, 1), repeat=n), laws, strict=True):
        chance = p ** sum(bits) * (1 - p) ** (n - sum(bits))
        w = np.array(values, dtype=object)
        s = np.array([sum(bits) - n * p] * 3, dtype=object)
        total += chance * sum(np.array(outputs) * excess(w, s, law, grown - 1, d))
    return total


def neighbors(n: int) -> list[tuple[int, int]]:
    """Pairs of places of data sets of n bits that differ in one."""
    sets = list(product((0, 1), repeat=n))
    return [
        (i, j)
        for i, x in enumerate(sets)
        for j, y in enumerate(sets)
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1
    ]


@given(LAWS, st.integers(1, 9), st.integers(0, 4))
def test_no_private_law_exceeds_the_bound(
    case: tuple[int, list[list[int]], list[int]], tenths: int, step: int
) -> None:
    """The mean of D must be at most 0 at each (epsilon, delta) that a finite law keeps, exactly."""
    n, weights, quarters = case
    laws = [[F(w, sum(row)) for w in row] for row in weights]
    pairs = neighbors(n)
    largest = max(x / y for i, j in pairs for x, y in zip(laws[i], laws[j], strict=True))
    grown = 1 + (largest - 1) * F(step, 4)
    delta = max(
        sum((max(x - grown * y, F(0)) for x, y in zip(laws[i], laws[j], strict=True)), F(0))
        for i, j in pairs
    )
    values = [F(q, 4) for q in quarters]
    assert expected_excess(n, laws, values, F(tenths, 10), grown, delta) <= 0


@pytest.mark.parametrize("p", [F(1, 100), F(1, 3), F(1, 2), F(4, 5)])
@pytest.mark.parametrize("grown", [F(11, 10), F(3), F(20)])
def test_randomized_response_attains_the_bound(p: Fraction, grown: Fraction) -> None:
    """One record and an answer of +-B must have mean exactly 0, so that no k may be smaller."""
    true, false = grown / (1 + grown), 1 / (1 + grown)
    laws = [[true, false, F(0)], [false, true, F(0)]]
    assert expected_excess(1, laws, [F(-1), F(1), F(0)], p, grown, F(0)) == 0


def test_telling_with_probability_delta_attains_the_bound() -> None:
    """At epsilon = 0 an answer +-B with probability delta, else 0, must have mean exactly 0."""
    laws = [[F(1, 10), F(0), F(9, 10)], [F(0), F(1, 10), F(9, 10)]]
    assert expected_excess(1, laws, [F(-1), F(1), F(0)], F(1, 2), F(1), F(1, 10)) == 0


@given(
    st.integers(1, 5),
    st.integers(1, 99),
    st.fractions(-1, 1),
    st.integers(0, 5),
    st.fractions(0, 99, max_denominator=9),
    st.fractions(0, 1, max_denominator=9),
)
def test_stakes_never_lose_everything(
    n: int, percent: int, w: Fraction, k: int, growth: Fraction, delta: Fraction
) -> None:
    """D must be at least -n B (1 + delta / 2), and fall as epsilon grows."""
    p, k = F(percent, 100), min(k, n)
    law: Any = TracingLaw(1.0, p, n, 1)  # type: ignore[arg-type]
    draws = np.array([w], dtype=object), np.array([k - n * p], dtype=object)
    at = [excess(*draws, law, growth + more, delta)[0] for more in (0, 1, 1000)]
    assert min(at) >= -n * (1 + delta / 2)
    assert all(later <= earlier for earlier, later in pairwise(at))


@given(st.fractions(0, 50, max_denominator=50), st.integers(1, 99))
def test_shares_are_below_those_of_the_thesis(growth: Fraction, percent: int) -> None:
    """Both k must be at most e^epsilon - 1, which is at most 2 sinh(epsilon)."""
    p = F(percent, 100)
    up, down = largest_shares(growth, p)
    assert max(up, down) <= growth <= growth + 1 - 1 / (1 + growth)
    assert largest_shares(growth, 1 - p) == (down, up)
