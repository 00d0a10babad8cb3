"""Bounds and identities of bias and error: reference values, and laws that attain them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.trilemma.errors import (
    bias_clipped,
    bias_scarf,
    mse_clipped,
    mse_combined,
    mse_combined_exact,
    mse_combined_sharp,
    mse_name_and_shame,
)
from mechanisms.trilemma.margins import clipping_constant, printed_margin, tail_constant
from tests.mechanisms.trilemma.printed import as_printed
from tests.mechanisms.trilemma.worst_laws import TwoPoints, moment_law, worst_law

CLIPPED = [
    ((1000, 1, "0.1", 2, 0, 1), ".011882", ".01106728"),
    ((1000, "0.1", "0.01", 2, 0, 1), "8.0813", ".52089208"),
    ((10_000, "0.5", "0.05", 4, -1, 1), ".00260441500743375", ".00260166711164728"),
    ((50, 2, "0.5", 3, 0, 1), ".272931370849898", ".270872501880198"),
]
COMBINED = [
    ((1000, 1, "0.000001", 1, 4, 0, 1), ".191740659610103", ".0575018277696433"),
    ((1000, "0.1", "0.000001", 2, 4, 0, 1), "7.59186638440411", "2.27509719464632"),
    ((100_000, "0.5", "1e-9", "1.5", 3, 0, 1), "3.52340087865198", ".941088535647381"),
    ((200, 2, "0.01", 1, 6, -1, 1), ".0123407023732786", ".00612751751399121"),
]


@pytest.mark.parametrize(("arguments", "printed", "sharp"), CLIPPED)
def test_bounds_of_the_clipped_mean(arguments: Any, printed: str, sharp: str) -> None:
    """TRI-P3.0.1 and TRI-P3.0.1-sharp: the printed digits must come out."""
    assert mse_clipped(*arguments) == as_printed(printed)
    with_sharp: Any = (*arguments, "sharp")
    assert mse_clipped(*with_sharp) == as_printed(sharp)


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ((1000, "1e-3", 1, "0.5"), "1.24975"),
        ((100, "0.1", 2, 0), ".2"),
        ((10, 1, 1, 3), ".1"),
        ((1000, "1e-6", "0.25", "0.5"), "499.99975"),
    ],
)
def test_error_of_name_and_shame(arguments: Any, value: str) -> None:
    """TRI-P3.0.2: the printed digits must come out."""
    assert mse_name_and_shame(*arguments) == as_printed(value)


@pytest.mark.parametrize(("arguments", "printed", "sharp"), COMBINED)
def test_bounds_of_the_combined_mean(arguments: Any, printed: str, sharp: str) -> None:
    """TRI-P3.0.3 and its sharp form: the printed digits must come out."""
    assert mse_combined(*arguments) == as_printed(printed)
    assert mse_combined_sharp(*arguments) == as_printed(sharp)


REFERENCE_CONSTANTS = [
    (clipping_constant, 1.5, ".384900179459751"),
    (clipping_constant, 3, ".148148148148148"),
    (clipping_constant, 4, ".10546875"),
    (clipping_constant, 10, ".0387420489"),
    (tail_constant, 3, ".148148148148148"),
    (tail_constant, 4, ".0625"),
    (tail_constant, 6, ".0219478737997257"),
    (tail_constant, 10, ".0067108864"),
    (bias_scarf, 0.5, ".309016994374947"),
    (bias_scarf, 1, ".207106781186548"),
    (bias_scarf, 5, ".0495097567963924"),
    (bias_scarf, 10, ".0249378105604451"),
    (bias_scarf, 100, ".0024999375031248"),
]


def test_constants_are_the_reference(subtests: pytest.Subtests) -> None:
    """K(lam), the tail constants and Scarf's biases must have the printed digits."""
    for function, argument, value in REFERENCE_CONSTANTS:
        with subtests.test(function=function, argument=argument, value=value):
            assert function(argument) == as_printed(value)


def moved_by(law: TwoPoints, c: float) -> float:
    """By how much clipping at c above the mean moves it."""
    return math.fsum(p * max(t - c, 0.0) for t, p in law)


@given(
    moment=st.one_of(st.just(2.0), st.floats(2, 12)),
    distance=st.floats(0.05, 300),
)
def test_worst_laws_are_in_the_class_and_within_the_bounds(moment: float, distance: float) -> None:
    """Mean 0 and moment 1 must hold, and the bias stay below K(lam) / c^(lam - 1) and Scarf's."""
    law = worst_law(moment, distance)
    assert math.fsum(p for _, p in law) == pytest.approx(1, rel=1e-15)
    assert math.fsum(t * p for t, p in law) == pytest.approx(0, abs=1e-13)
    assert math.fsum(abs(t) ** moment * p for t, p in law) == pytest.approx(1, rel=1e-11)
    bias = moved_by(law, distance)
    assert 0 < bias <= bias_clipped(moment, distance) * (1 + 1e-9)
    assert bias <= bias_scarf(distance) * (1 + 1e-9)  # the variance is at most 1


@given(moment=st.floats(2, 12), distance=st.floats(0.05, 30), q=st.floats(1e-6, 0.99))
def test_no_two_points_are_worse(moment: float, distance: float, q: float) -> None:
    """No other law of the family may be moved farther, to a relative 1e-9."""
    other = moved_by(moment_law(moment, q), distance)
    assert other <= moved_by(worst_law(moment, distance), distance) * (1 + 1e-9)


@pytest.mark.parametrize("distance", [0.5, 1, 10, 100])
def test_scarf_is_attained(distance: float) -> None:
    """At variance 1 the worst law must attain the bound exactly."""
    found = moved_by(worst_law(2, distance), distance)
    assert found == pytest.approx(bias_scarf(distance), rel=1e-12)


@pytest.mark.parametrize(
    ("moment", "beta", "exact"),
    [
        (2, 0.2, "0.0495097568"),
        (2, 0.1, "0.0249378106"),
        (2, 0.01, "0.00249993750"),
        (3, 0.1, "0.0148134902"),
        (4, 0.1, "0.0105468401"),
        (10, 0.01, "0.000387420489"),
    ],
)
def test_bias_of_the_printed_margin(moment: int, beta: float, exact: str) -> None:
    """It must be as measured, at most K(lam) beta and nearly that; the printed beta is far off."""
    c = printed_margin(beta, moment)
    bound = bias_clipped(moment, c)
    found = moved_by(worst_law(moment, c), c)
    assert found == as_printed(exact)
    assert bound == pytest.approx(clipping_constant(moment) * beta, rel=1e-13)
    assert 0.99 * bound < found <= bound * (1 + 1e-12)
    assert found < beta / 4 * (1 + 1e-12)


def clipped_error(n: int, epsilon: float, beta: float) -> tuple[float, float]:
    """Exact error of the clipped mean on the worst law with mu = b = 1, and its bias."""
    c = printed_margin(beta, 2)
    law = [(max(min(t, c), -1 - c), p) for t, p in worst_law(2, c)]
    bias = math.fsum(t * p for t, p in law)
    variance = math.fsum((t - bias) ** 2 * p for t, p in law)
    return variance / n + bias**2 + 2 * ((1 + 2 * c) / (epsilon * n)) ** 2, bias


@pytest.mark.parametrize(
    ("n", "epsilon", "beta", "exact", "ratio"),
    [
        (1000, 1, 0.1, ".0017538944", ".70"),
        (1000, 0.1, 0.1, ".0890718944", ".99"),
        (100_000, 1, 0.1, "6.24482596e-4", ".98"),
        (1_000_000, 1, 0.01, "6.58048952e-6", ".90"),
    ],
)
def test_error_on_the_worst_law(
    n: int, epsilon: float, beta: float, exact: str, ratio: str
) -> None:
    """It must be as measured and below the bound, which bias beta / 4 makes nearly tight."""
    found, bias = clipped_error(n, epsilon, beta)
    assert found == as_printed(exact)
    assert bias == pytest.approx(-bias_scarf(1 / beta), rel=1e-12)
    bound = mse_clipped(n, epsilon, beta)
    assert found < bound
    tighter = bound - beta**2 + (beta / 4) ** 2
    assert found / tighter == as_printed(ratio)


@pytest.mark.parametrize(
    ("psi", "moment", "c"), [(1.0, 3.0, 0.5), (0.8, 4.0, 2.0), (2.0, 6.0, 7.0)]
)
def test_tail_constant_is_attained(psi: float, moment: float, c: float) -> None:
    """A law with an excess at c lam / (lam - 2) alone must attain the sharp term of 3.0.3."""
    t = c * moment / (moment - 2)
    q = (psi / t) ** moment
    excess = q * (t - c) ** 2
    bound = tail_constant(moment) * psi**moment / c ** (moment - 2)
    assert excess == pytest.approx(bound, rel=1e-12)
    arguments = (50, 2, "1/100", psi, moment, 0, 1, c)
    exact = mse_combined_exact(50, 2, "1/100", 1 + 2 * c, 1, excess)
    assert mse_combined_sharp(*arguments) == pytest.approx(exact, rel=1e-12)


def test_sharp_bounds_are_below_the_printed(subtests: pytest.Subtests) -> None:
    """The own forms must never be worse than the thesis' at the same parameters."""
    for moment in [2.5, 4, 9]:
        for delta in ["1e-8", "1e-4", "1/2"]:
            with subtests.test(moment=moment, delta=delta):
                for n, epsilon in ((100, "0.1"), (100_000, 2)):
                    assert mse_combined_sharp(n, epsilon, delta, 1, moment) < mse_combined(
                        n, epsilon, delta, 1, moment
                    )
                    for beta in ("1/100", "1/3"):
                        sharp = mse_clipped(n, epsilon, beta, moment, constant="sharp")
                        assert sharp < mse_clipped(n, epsilon, beta, moment)


@pytest.mark.parametrize(
    ("delta", "printed", "sharp", "named"),
    [
        ("1e-4", ".00761242", ".00462062", ".447"),
        ("1e-6", ".0199869", ".0110607", "4.47"),
        ("1e-8", ".0617635", ".0336114", "44.7"),
    ],
)
def test_root_mean_square_errors_of_the_trade_off(
    delta: str, printed: str, sharp: str, named: str
) -> None:
    """TRI section 5, n = 1e5, epsilon = 1/2, psi = 1, lam = 4: the printed digits must come out.

    Name-and-shame at the worst mean: (1 + (1 - delta)) / (delta n).
    """
    n = 100_000
    for found, value in (
        (mse_combined(n, "1/2", delta), printed),
        (mse_combined_sharp(n, "1/2", delta), sharp),
        (mse_name_and_shame(n, delta, 1, 1), named),
    ):
        assert math.sqrt(found) == as_printed(value)
