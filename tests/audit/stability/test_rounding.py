"""A claim that rounding alone breaks is CONSISTENT but for rounding; what is exact is refuted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import audit
from audit.results.verdict import Verdict
from tests.slow import by_default

F = Fraction
TINY = F(1, 2**40)


def run(query: Any, at_most: Any, **words: Any) -> Any:
    """Ask about one pair of data sets."""
    asked: dict[str, Any] = {
        "norm": "l1",
        "relation": "listed",
        "pair": ([0.0], [1.0]),
        "seed": 1,
    } | words
    return audit.sensitivity(query, at_most=at_most, **asked)


def answering(first: Any, second: Any) -> Any:
    """A query with two answers."""
    return lambda data: second if data[0] else first


ROUNDED: dict[str, tuple[Any, Any, Any, str]] = {
    "an ulp": (0.0, 1 + 2**-52, 1, "l1"),
    "just below": (0.0, 1 + 2**-40, 1, "l1"),
    "of a claim of 2^60": (0.0, float(2**60 + 2**9), 2**60, "l1"),
    "of a small claim": (0.0, 1e-300 * (1 + 2**-50), "1e-300", "l1"),
    "of vectors": ([0.0, 0.0], [0.5, 0.5 + 2**-53], 1, "l1"),
    "of an l2 norm": ([0.0, 0.0], [0.6, 0.8], 1, "l2"),
    "of a largest distance": ([0.0, 0.0], [0.5, 1 + 2**-52], 1, "linf"),
    "of numpy": (np.float64(0), np.float64(1 + 2**-52), 1, "l1"),
}
EXACT: dict[str, tuple[Any, Any, Any, str]] = {
    "just above": (0.0, 1 + 2**-39, 1, "l1"),
    "fractions": (F(0), 1 + F(1, 2**80), 1, "l1"),
    "integers": (0, 2**60 + 1, 2**60, "l1"),
    "an integer beside a double": ([0, 0.0], [2**60 + 1, 0.0], 2**60, "l1"),
    "numpy's integers": (np.int64(0), np.int64(2**60 + 1), 2**60, "l1"),
    "rows": ([1.0], [2.0], F(2**50 - 1, 2**50), "hamming"),
    "a claim of 0": (0.0, 2.0**-1000, 0, "l1"),
    "a claim below the rounding of answers": (1000.0, 1000.0 + 2**-43, "1e-300", "l1"),
}


@pytest.mark.parametrize("name", by_default(["an ulp"], ROUNDED))
def test_rounding_alone_is_no_refutation(name: str) -> None:
    """It must be CONSISTENT with the pair and a row, and REFUTED where that is asked for."""
    first, second, claim, norm = ROUNDED[name]
    found = run(answering(first, second), claim, norm=norm)
    assert found.verdict is Verdict.CONSISTENT
    assert found.rounding is not None
    assert found.rounding.distance.exceeds(F(claim))
    assert found.reason.endswith("but for rounding")
    text = " ".join(str(found).split())
    assert "Noise must be scaled for " in text
    assert "--strict refutes the claim by this." in text
    strict = run(answering(first, second), claim, norm=norm, strict=True)
    assert strict.verdict is Verdict.REFUTED
    assert strict.rounding is None
    assert "--strict" in strict.repeat or "strict=True" in strict.repeat


@pytest.mark.parametrize("name", by_default(["just above", "fractions"], EXACT))
def test_what_is_exact_or_larger_is_refuted(name: str) -> None:
    """It must not be rounded away."""
    first, second, claim, norm = EXACT[name]
    found = run(answering(first, second), claim, norm=norm)
    assert found.verdict is Verdict.REFUTED
    assert found.rounding is None


def test_the_row_says_for_what_noise_must_be_scaled() -> None:
    """Both numbers must be rounded up: 1.0000000000000018 is above 1 + 2^-49, and no shorter is."""
    found = run(answering(0.0, 1 + 2**-49), 1)
    text = " ".join(str(found).split())
    assert (
        "Rounding largest distance 1 + 1.8e-15. Noise must be scaled for 1.0000000000000018, or "
        "the sum rounded to a grid first. --strict refutes the claim by this."
    ) in text
    assert found.to_dict()["rounding"]["distance"] == "562949953421313/562949953421312"
    assert found.to_dict()["strict"] is False


def test_a_larger_excess_elsewhere_is_not_hidden_by_a_smaller_pair() -> None:
    """The roundings of many records add up: a pair with more than 2^-40 must be the witness."""

    def query(data: Any) -> float:
        return float(len(data)) * (1 + (2.0**-50 if len(data) < 3 else 2.0**-38))

    pairs = [([0.0], [0.0, 0.0]), ([0.0] * 3, [0.0] * 4)]
    found: Any = audit.sensitivity(
        query, norm="l1", at_most=1, relation="add-remove", pair=pairs, seed=1
    )
    assert found.verdict is Verdict.REFUTED
    assert len(found.witness.data) == 3


def test_a_gross_fault_beside_rounding_is_refuted() -> None:
    """What is not rounding must come first."""

    def query(data: Any) -> float:
        return float(len(data)) * (1 + 2.0**-52) + 5 * (len(data) > 3)

    pairs = [([0.0], [0.0, 0.0]), ([0.0] * 3, [0.0] * 4)]
    found: Any = audit.sensitivity(
        query, norm="l1", at_most=1, relation="add-remove", pair=pairs, seed=1
    )
    assert found.verdict is Verdict.REFUTED
    assert found.rounding is None


@pytest.mark.long
def test_a_clipped_sum_of_numpy_is_consistent_but_for_rounding() -> None:
    """The search itself must find a pair, and say how far it is."""

    def query(data: Any) -> Any:
        return np.clip(data, 0, 1).sum()

    words: dict[str, Any] = {"norm": "l1", "at_most": 1, "relation": "add-remove"}
    words |= {"low": 0, "high": 1, "domain": "declared", "seed": 1}
    found: Any = audit.sensitivity(query, **words)
    assert found.verdict is Verdict.CONSISTENT
    assert found.rounding is not None
    assert F(1) < found.largest.exact <= 1 + TINY
    assert audit.sensitivity(query, strict=True, **words).verdict is Verdict.REFUTED
