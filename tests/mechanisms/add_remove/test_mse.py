"""Exact mean squared errors of the add-remove means (KSW-X2 to X5) against reference values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.add_remove import mse
from mechanisms.add_remove.independent_mean import IndependentMean
from mechanisms.add_remove.mse import (
    mse_independent_laplace,
    mse_shifted_laplace,
    mse_transformed_laplace,
)
from mechanisms.add_remove.mse_hourglass import mse_transformed_hourglass
from mechanisms.add_remove.shifted_mean import ShiftedMean
from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.noise.hourglass import Hourglass
from tests.calibrated import ALPHA

# epsilon, mean, then the error of Algorithm 1, 2, 3 with Laplace noise and of Algorithm 3 with
# hourglass noise at its gamma of least variance; n = 1000, width 1 (KSW section 5).
TABLE = [
    (0.1, 0, 0.000400967812914558, 0.000186496433758758, 9.43912178825644e-5, 9.43518712855129e-5),
    (
        0.1,
        0.01,
        0.000437413881153473,
        0.000217399322011228,
        0.000118937979843529,
        0.000118888391661522,
    ),
    (
        0.1,
        0.1,
        0.000793864778695682,
        0.00032998298665772,
        0.000164591994072703,
        0.000164523402200003,
    ),
    (
        0.1,
        0.5,
        0.0010048751185448,
        0.000200483906457279,
        0.000100301695323306,
        0.000100259934988981,
    ),
    (0.1, 1, 0.00074598573503503, 0.000186496433758758, 9.43912178825644e-5, 9.43518712855129e-5),
    (0.5, 0, 1.60015364918507e-5, 7.88262270354654e-6, 3.95266218188966e-6, 3.91165488631776e-6),
    (0.5, 0.01, 2.74092836935269e-5, 1.50158856100129e-5, 7.67839838206483e-6, 7.59873832337848e-6),
    (0.5, 0.1, 3.23232574455651e-5, 1.31237197281863e-5, 6.56103321507256e-6, 6.4929758167351e-6),
    (0.5, 0.5, 4.00076846747342e-5, 8.00076824592534e-6, 4.00048010755873e-6, 3.95898475553977e-6),
    (0.5, 1, 3.15304908141862e-5, 7.88262270354654e-6, 3.95266218188966e-6, 3.91165488631776e-6),
    (1, 0, 4.00009600768129e-6, 1.98516593022265e-6, 9.94041690615769e-7, 9.53326323559077e-7),
    (1, 0.01, 7.83927967758964e-6, 3.9178107209515e-6, 1.95997574692384e-6, 1.8797173311155e-6),
    (1, 0.1, 8.0802035376673e-6, 3.28023236071621e-6, 1.64006456398438e-6, 1.57290670368742e-6),
    (1, 0.5, 1.00004800729807e-5, 2.00004800384065e-6, 1.00003000168015e-6, 9.59080807527342e-7),
    (1, 1, 7.94066372089059e-6, 1.98516593022265e-6, 9.94041690615769e-7, 9.53326323559077e-7),
    (5, 0, 1.60000153600492e-7, 7.98802681299596e-8, 3.99520671003286e-8, 1.48316205976057e-8),
    (5, 0.01, 3.20032307327531e-7, 1.56832519356106e-7, 7.84161309788888e-8, 2.91228221312541e-8),
    (5, 0.1, 3.23200325633131e-7, 1.31200371714605e-7, 6.5600103296255e-8, 2.43630997139337e-8),
    (5, 0.5, 4.00000768004669e-7, 8.00000768002458e-8, 4.00000480001075e-8, 1.48555393297731e-8),
    (5, 1, 3.19521072519838e-7, 7.98802681299596e-8, 3.99520671003286e-8, 1.48316205976057e-8),
    (10, 0, 4.00000096000077e-8, 1.99850167790307e-8, 9.99400419688264e-9, 4.23024558932236e-10),
    (10, 0.01, 8.00080192115354e-8, 3.92080324595792e-8, 1.96040081861651e-8, 8.30437110590922e-10),
    (10, 0.1, 8.08000203520177e-8, 3.28000232320407e-8, 1.6400006456004e-8, 6.94713632637214e-10),
    (10, 0.5, 1.00000048000073e-7, 2.00000048000038e-8, 1.00000030000017e-8, 4.23605561818321e-10),
    (10, 1, 7.99400671161227e-8, 1.99850167790307e-8, 9.99400419688264e-9, 4.23024558932236e-10),
]
LAPLACE: list[Callable[[float, float], float]] = [
    mse_independent_laplace,
    mse_shifted_laplace,
    mse_transformed_laplace,
]
NAMES = ["independent", "shifted", "transformed"]

counts = st.floats(min_value=0, max_value=1e4)
means = st.floats(min_value=0, max_value=1)


def tail_error(
    N: float, p: float, tail: Callable[[Any, Any, Any], Any], points: list[float]
) -> float:
    """Integral of 2 (x - p) P(X > x) + p^2 by adaptive quadrature at 30 digits, pieces as given."""
    with mpmath.workdps(30):
        n, m = mpmath.mpf(N), mpmath.mpf(p)
        cuts = sorted({mpmath.mpf(0), mpmath.mpf(1), m, *map(mpmath.mpf, points)})
        integral = mpmath.quad(lambda x: 2 * (x - m) * tail(x, n, m), cuts, maxdegree=8)
        return float(integral + m**2)


def two_scale_tail(tau: Any, al: Any, be: Any) -> Any:
    """P(al L1 + be L2 > tau) as printed (KSW-X1)."""
    if tau < 0:
        return 1 - two_scale_tail(-tau, al, be)
    if al == be:
        return (1 + tau / (2 * al)) * mpmath.exp(-tau / al) / 2
    smaller = be**2 * mpmath.exp(-tau / be) if be else mpmath.mpf(0)
    larger = al**2 * mpmath.exp(-tau / al) if al else mpmath.mpf(0)
    return (larger - smaller) / (2 * (al**2 - be**2))


def test_reference_table(subtests: pytest.Subtests) -> None:
    """It must hold that all 100 reference values are met to relative 1e-12."""
    for row in TABLE:
        with subtests.test(row=row):
            for column in range(4):
                epsilon, mean, *values = row
                if column < 3:
                    seen = LAPLACE[column](1000 * epsilon, mean)
                else:
                    seen = mse_transformed_hourglass(1000, mean, epsilon)
                assert seen == pytest.approx(values[column], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("N", "p", "transformed", "shifted", "independent"),
    [
        (0.5, 0.3, 0.194020874997995, 0.188611195699009, 0.187923032059509),
        (1, 0.5, 0.145803767287092, 0.144313236637847, 0.202422976023315),
        (3, 0.3, 0.0826468959825942, 0.116010118674571, 0.161321448256109),
        (20, 0.02, 0.00202920551391298, 0.00386759264259234, 0.0110410843711434),
    ],
)
def test_small_data(
    N: float, p: float, transformed: float, shifted: float, independent: float
) -> None:
    """It must hold that the reference values for few records are met to relative 1e-12."""
    values = (independent, shifted, transformed)
    for error, value in zip(LAPLACE, values, strict=True):
        assert error(N, p) == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("n", "p", "epsilon", "value"),
    [
        (3, 0.3, 1, 0.0685839726915743),
        (1, 0, 1, 0.256682515281616),
        (10, 0, 1, 0.00630790788183214),
        (2, 0.5, 6, 0.00264990469052724),
    ],
)
def test_hourglass_small_data(n: int, p: float, epsilon: float, value: float) -> None:
    """It must hold that a zero count gives 1/2 and the reference values to relative 1e-12."""
    assert mse_transformed_hourglass(n, p, epsilon) == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize("p", [0, 0.1, 0.5, 0.77, 1])
def test_limit_without_records(p: float) -> None:
    """It must hold that N = 0 and N near 0 give p^2 - p + 5/12 (atoms 1/4, 1/4, uniform)."""
    limit = p**2 - p + 5 / 12
    assert mse_transformed_laplace(0, p) == pytest.approx(limit, rel=1e-14, abs=0)
    assert mse_transformed_laplace(1e-13, p) == pytest.approx(limit, rel=1e-12, abs=0)


@pytest.mark.parametrize("N", [1, 5, 8])
def test_closed_form_at_one_half(N: float) -> None:
    """It must hold that p = 1/2 is the exponential-integral formula of KSW-X2."""
    with mpmath.workdps(30):
        inner = mpmath.expint(4, -mpmath.mpf(N) / 2) - mpmath.expint(4, -mpmath.mpf(N)) / 8
        outer = mpmath.exp(N) / 8 * mpmath.expint(4, N) + mpmath.exp(-N) / 12
        value = float(mpmath.exp(-N) * mpmath.re(inner) - outer)
    assert mse_transformed_laplace(N, 0.5) == pytest.approx(value, rel=1e-13, abs=0)


@pytest.mark.parametrize(("N", "p"), [(0.5, 0.9), (4, 0.5), (4, 0.4999), (30, 0.01), (2, 0)])
def test_transformed_against_quadrature(N: float, p: float) -> None:
    """It must hold that adaptive quadrature of the printed tail, x = 1/2 included, agrees."""

    def tail(x: Any, n: Any, m: Any) -> Any:
        rest = mpmath.exp(-n) * (1 - 2 * x + n * (1 - 2 * m)) / 4
        return two_scale_tail(n * (x - m), 1 - x, x) + rest

    value = tail_error(N, p, tail, [0.25, 0.75])
    assert mse_transformed_laplace(N, p) == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize(("N", "p"), [(0.5, 0.9), (4, 0.5), (4, 0.4999), (30, 0.01), (2, 0)])
def test_independent_against_quadrature(N: float, p: float) -> None:
    """It must hold that adaptive quadrature of the printed tail agrees for Algorithm 1."""

    def tail(x: Any, n: Any, m: Any) -> Any:
        rest = mpmath.exp(-n / 2) / 4 * (2 - mpmath.exp(-n * m / 2) / (0.5 + x / 2))
        return two_scale_tail(n * (x - m), mpmath.mpf(2), 2 * x) - rest

    value = tail_error(N, p, tail, [p / 2, 0.01, 0.1])
    assert mse_independent_laplace(N, p) == pytest.approx(value, rel=1e-12, abs=0)


def test_quadrature_resolves_layers_and_singularities(subtests: pytest.Subtests) -> None:
    """It must hold that twice as many finer panels change nothing: the integrand is resolved."""
    for p in [0.5, 0.5 + 1e-9, 0.5 - 1e-6, 0.4999, 0.3, 0.01, 0]:
        for N in [0, 1e-6, 0.3, 4, 60, 1e4]:
            with subtests.test(p=p, N=N):
                usual = [error(N, p) for error in LAPLACE]
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(mse, "_NODES", 48)
                    patch.setattr(mse, "_HALVINGS", 90)
                    mse._unit_panels.cache_clear()
                    fine = [error(N, p) for error in LAPLACE]
                mse._unit_panels.cache_clear()
                assert usual == pytest.approx(fine, rel=1e-13, abs=0)


@given(N=counts, p=means)
def test_mirrored_data_have_the_same_error(N: float, p: float) -> None:
    """It must hold that p and 1 - p have the same error where the algorithm is symmetric."""
    q = 1 - p
    for error in (mse_shifted_laplace, mse_transformed_laplace):
        assert error(N, 1 - q) == pytest.approx(error(N, q), rel=1e-10, abs=0)


@given(N=st.floats(min_value=0.125, max_value=1e9), p=means)
def test_worst_case_bounds_hold_for_every_size(N: float, p: float) -> None:
    """It must hold that N^2 MSE is below 2 (Algorithm 3) and 4 (Algorithm 2), KSW-T1'."""
    assert N**2 * mse_transformed_laplace(N, p) < 2
    assert N**2 * mse_shifted_laplace(N, p) < 4


@pytest.mark.parametrize("N", [1e3, 1e6, 1e9])
def test_second_order_for_large_data(N: float) -> None:
    """It must hold that N^2 MSE is its leading constant plus the next term (KSW-H5)."""
    p, q = 0.3, 0.21
    d = p - 0.5
    rest = 1e5 / N**4 + 1e-12
    first = 8 * (1 + p**2) + (192 + 1152 * p**2) / N**2
    assert N**2 * mse_independent_laplace(N, p) == pytest.approx(first, rel=rest)
    second = 2 + 8 * d**2 + (48 + 1152 * d**2) / N**2
    assert N**2 * mse_shifted_laplace(N, p) == pytest.approx(second, rel=rest)
    third = 2 - 4 * q + 3 * (28 - 72 * q) / N**2
    assert N**2 * mse_transformed_laplace(N, p) == pytest.approx(third, rel=rest)


@pytest.mark.parametrize("c", [0, 0.5, 3])
def test_layer_at_the_end_of_the_interval(c: float) -> None:
    """It must hold that p = c / N gives N^2 MSE near 2 - (1 + c) e^-c for large N."""
    N = 1e9
    assert N**2 * mse_transformed_laplace(N, c / N) == pytest.approx(
        2 - (1 + c) * math.exp(-c), rel=1e-7
    )


@pytest.mark.parametrize(
    ("N", "at_end", "at_middle"),
    [
        (0.1, 0.9721, 0.9219),
        (1, 1.1499, 0.9898),
        (2, 1.467, 1.109),
        (5, 2.593, 1.489),
        (10, 2.461, 1.867),
        (100, 1.976, 1.999),
    ],
)
def test_factor_two_fails_for_little_data(N: float, at_end: float, at_middle: float) -> None:
    """It must hold that Algorithm 2 over 3 is not twice, and below 1 for tiny N (KSW-ER10)."""
    for p, ratio in ((0, at_end), (0.5, at_middle)):
        seen = mse_shifted_laplace(N, p) / mse_transformed_laplace(N, p)
        assert seen == pytest.approx(ratio, abs=10 ** -(len(str(ratio)) - 2) / 2)


@pytest.mark.parametrize(
    ("N", "p"),
    [
        (0.330666432, 0),
        (0.409184967767, 0.1),
        (0.714601087, 0.3),
        (1.095162276408, 0.5),
    ],
)
def test_algorithms_change_places(N: float, p: float) -> None:
    """It must hold that Algorithm 2 is better just below the stated N and worse just above."""
    for factor, sign in ((1 - 1e-8, -1), (1 + 1e-8, 1)):
        gap = mse_shifted_laplace(N * factor, p) - mse_transformed_laplace(N * factor, p)
        assert sign * gap > 0


def test_bounds_of_one_data_set_fail() -> None:
    """It must hold that the bound without 1 + o(1) is exceeded by the stated ratios (KSW-ER11)."""
    assert mse_transformed_laplace(5, 0.5) == pytest.approx(0.0463141584464897, rel=1e-13, abs=0)
    assert mse_transformed_laplace(8, 0.5) * 64 == pytest.approx(1.30122612420117, rel=1e-13, abs=0)
    worst = 7.93061477173464
    assert mse_transformed_laplace(worst, 0.5) * worst**2 == pytest.approx(
        1.30127313880259, rel=1e-13
    )
    assert mse_shifted_laplace(10, 0.5) * 50 == pytest.approx(1.18791221526269, rel=1e-13, abs=0)
    hourglass = mse_transformed_hourglass(2, 0.5, 6) / 0.00176322292335002
    assert hourglass == pytest.approx(1.5029, abs=5e-5)


@pytest.mark.parametrize(("epsilon", "n"), [(0.5, 7), (2, 5), (7, 2)])
def test_hourglass_against_a_plain_sum(epsilon: float, n: int) -> None:
    """It must hold that a loop over lines and fine midpoints, from the density, agrees."""
    p, law = 0.3, Hourglass(epsilon=epsilon)
    span = math.ceil(30 / epsilon)
    cells, total = 400, 0.0
    gamma = float(law.gamma)
    # Midpoints on pieces that end at levels' ends and at clip points: the rest is smooth.
    for t in range(-span, span + 1):
        steps = [k + side for k in range(-span, span) for side in (gamma, 1 - gamma)]
        cuts = np.unique([*steps, -n * p, n + t - n * p])
        left, width = cuts[:-1, None], np.diff(cuts)[:, None]
        z = left + width * (np.arange(cells) + 0.5) / cells
        ratio = np.clip((n * p + z) / (n + t), 0, 1) if n + t else np.full_like(z, 0.5)
        density = law.density(z, np.full_like(z, t))
        total += float(np.sum((ratio - p) ** 2 * density * width / cells))
    assert mse_transformed_hourglass(n, p, epsilon) == pytest.approx(total, rel=1e-5, abs=0)


def test_hourglass_gamma_is_used() -> None:
    """It must hold that the default is the gamma of least variance and another one is not it."""
    gamma = float(Hourglass(epsilon=1).gamma)
    default = mse_transformed_hourglass(50, 0, 1)
    assert mse_transformed_hourglass(50, 0, 1, gamma=gamma) == default
    assert mse_transformed_hourglass(50, 0, 1, gamma=0.9) > 1.05 * default


def bernstein_draws(error: float, largest: float, margin: float) -> int:
    """Draws after which a mean of squared errors in [0, largest] is off by less than margin.

    Bernstein's inequality with the variance limit error (largest - error), error rate ALPHA.
    """
    variance = error * (largest - error)
    return math.ceil(2 * math.log(2 / ALPHA) * (variance + largest * margin / 3) / margin**2)


SIMULATIONS = [
    pytest.param(
        IndependentMean(epsilon=1),
        [0.1, 0.2, 0.6],
        lambda: mse_independent_laplace(3, 0.3),
        id="A1",
    ),
    pytest.param(
        ShiftedMean(epsilon=1), [0.1, 0.2, 0.6], lambda: mse_shifted_laplace(3, 0.3), id="A2"
    ),
    pytest.param(
        ShiftedMean(epsilon="1/2", low=-2, high=4),
        [-2, 4],
        lambda: 36 * mse_shifted_laplace(1, 0.5),
        id="A2-bounds",
    ),
    pytest.param(
        TransformedMean(epsilon=1, noise="laplace"),
        [0.1, 0.2, 0.6],
        lambda: mse_transformed_laplace(3, 0.3),
        id="A3",
    ),
    pytest.param(
        TransformedMean(epsilon=1, low=-1, high=1, noise="laplace"),
        [-0.2] * 5,
        lambda: 4 * mse_transformed_laplace(5, 0.4),
        id="A3-bounds",
    ),
    pytest.param(
        TransformedMean(epsilon=1, noise="hourglass"),
        [0.1, 0.2, 0.6],
        lambda: mse_transformed_hourglass(3, 0.3, 1),
        id="hourglass",
    ),
    pytest.param(
        TransformedMean(epsilon=1, noise="hourglass"),
        [0.0],
        lambda: mse_transformed_hourglass(1, 0, 1),
        id="hourglass-zero",
    ),
]


@pytest.mark.parametrize(("mechanism", "data", "exact"), SIMULATIONS)
def test_simulation_agrees_to_five_percent(
    mechanism: Any, data: list[float], exact: Callable[[], float], dp_rng: np.random.Generator
) -> None:
    """It must hold that the mechanism's error is the exact one and not one 5 % off (Bernstein)."""
    value, mean = exact(), math.fsum(data) / len(data)
    largest = max(mean - float(mechanism.low), float(mechanism.high) - mean) ** 2
    margin = 0.025 * value
    draws = mechanism.sample(data, bernstein_draws(value, largest, margin), rng=dp_rng)
    seen = float(np.mean((draws - mean) ** 2))
    assert abs(seen - value) < margin
    assert abs(seen - 1.05 * value) > margin
    assert abs(seen - 0.95 * value) > margin
