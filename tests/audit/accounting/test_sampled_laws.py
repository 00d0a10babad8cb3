"""What must hold of many sampled steps, whose ends are sharp: strictly, and on every example."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import composed

FEW = settings(max_examples=5, deadline=None)
"""Each example is some lines of the transform engine, of half a second."""

SHARP = 1e-12


@st.composite
def sampled(draw: Any) -> dict[str, Any]:
    """Sampled Gaussian or Laplace noise, so often that the transform engine takes it."""
    name, key = draw(st.sampled_from([("gaussian", "sigma"), ("laplace", "scale")]))
    return {
        "event": f"poisson-{name}",
        key: str(draw(st.fractions(1, 2, max_denominator=4))),
        "sensitivity": 1,
        "q": draw(st.sampled_from(["1/50", "1/20", "1/10"])),
        "count": draw(st.integers(300, 2000)),
    }


def total(*steps: dict[str, Any]) -> Enclosed:
    """Ends of the total epsilon, which are near."""
    found = composed(steps, tries=1).epsilon(Fraction("1e-5"))
    assert found.width < SHARP
    return found


def is_less(first: Enclosed, second: Enclosed) -> bool:
    """Whether one total is certainly less."""
    assert first.upper is not None
    assert second.lower is not None
    return first.upper < second.lower


@pytest.mark.long
def test_one_step_more_loses_more() -> None:
    """It must hold strictly of 300 steps."""
    step = {"event": "poisson-laplace", "scale": 1, "sensitivity": 1, "q": "1/20", "count": 300}
    assert is_less(total(step), total(step | {"count": 301}))


def test_a_total_far_above_has_a_lower_end() -> None:
    """It must hold of a sum whose delta at 0 is nearly 1, where no line is near."""
    found = total({"event": "laplace", "scale": 1, "sensitivity": 1, "count": 1000})
    assert found.lower is not None
    assert found.lower > 100


@pytest.mark.slow
@FEW
@given(sampled())
def test_totals_grow_with_rate_and_count_and_fall_with_noise(step: dict[str, Any]) -> None:
    """It must hold strictly, of changes by a hundredth or one."""
    key = next(key for key in ("sigma", "scale") if key in step)
    whole = total(step)
    assert is_less(whole, total(step | {"count": step["count"] + 1}))
    assert is_less(whole, total(step | {"q": str(Fraction(step["q"]) * Fraction(101, 100))}))
    assert is_less(total(step | {key: str(Fraction(step[key]) * Fraction(101, 100))}), whole)


@pytest.mark.slow
@FEW
@given(sampled(), sampled(), st.integers(1, 299))
def test_order_and_split_do_not_matter(
    first: dict[str, Any], second: dict[str, Any], part: int
) -> None:
    """It must hold to twelve digits, and the same steps without one of them lose less."""
    parts = [first | {"count": first["count"] - part}, second, first | {"count": part}]
    whole, again = total(first, second), total(*parts)
    assert not is_less(whole, again)
    assert not is_less(again, whole)
    assert is_less(total(first, second | {"count": second["count"] - 1}), whole)


@pytest.mark.slow
@FEW
@given(sampled())
def test_delta_is_convex_in_the_ratio(step: dict[str, Any]) -> None:
    """It must hold of three epsilons, and that delta falls from one to the next."""
    whole = composed([step], tries=1)
    middle = whole.epsilon(Fraction("1e-5")).upper
    assert middle is not None
    points = [middle * Fraction(9, 10), middle, middle * Fraction(11, 10)]
    deltas = [whole.delta(point) for point in points]
    assert deltas[0][0] > deltas[1][1] > deltas[1][0] > deltas[2][1]
    # the chord in e^epsilon lies above: weights of the ends, up to the rounding of floats
    first, second, third = (2.718281828459045 ** float(point) for point in points)
    share = (third - second) / (third - first)
    chord = share * float(deltas[0][1]) + (1 - share) * float(deltas[2][1])
    assert float(deltas[1][0]) < chord * (1 + 1e-9)
