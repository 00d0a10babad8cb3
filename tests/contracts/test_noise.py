"""Contracts that every registered noise law keeps (parametrized over the registry)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import ContinuousNoise, ExactLaw, Noise
from mechanisms.registry import NOISES, build_noise
from tests.calibrated import ALPHA, assert_law, assert_not_law, draws_for, law_distance

Cdf = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_STEPS: list[dict[str, Any]] = [
    {},
    {"epsilon": "1/20"},
    {"epsilon": 5},
    {"epsilon": 50},
    {"gamma": 1},
    {"epsilon": 2, "gamma": "1/5"},
]
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "laplace": [{}, {"epsilon": "1/3", "sensitivity": 2}],
    "geometric": [{}, {"epsilon": "1/2", "sensitivity": 3}, {"epsilon": 2}],
    "gaussian": [{}, {"sigma": 3}],
    "discrete-gaussian": [{}, {"sigma": "2/3"}, {"sigma": "5/2", "sensitivity": 2}, {"sigma": 20}],
    "staircase": [*_STEPS, {"epsilon": "1e-3"}, {"epsilon": 5, "sensitivity": "1/3"}],
    "l1-staircase": [*_STEPS, {"epsilon": 2, "sensitivity": 3}],
    "hourglass": _STEPS,
    "discrete-hourglass": [
        {},
        {"grid": 1},
        {"grid": 7, "level0": 2},
        {"epsilon": 2, "grid": 16},
        {"epsilon": "1/20", "grid": 3, "level0": 3},
    ],
}
"""Arguments tried for each law; a law that is not listed is tried at its defaults."""

CASES = [(name, arguments) for name in NOISES for arguments in VARIANTS.get(name, [{}])]
each_case = pytest.mark.parametrize(
    ("name", "arguments"),
    CASES,
    ids=[f"{name}-{'-'.join(map(str, given.values())) or 'default'}" for name, given in CASES],
)
each_law = pytest.mark.parametrize("name", NOISES)


def on_lattice(law: Any) -> bool:
    """Whether the law has a pmf."""
    return hasattr(law, "pmf")


def unit(law: Any) -> float:
    """Distance of two lattice points in the unit of the variance."""
    return 1 / getattr(law, "grid", 1)


def cdf_of(law: Any) -> Cdf:
    """Return the cdf of one coordinate, in the unit of the variance."""
    cdf: Cdf = law.marginal_cdf if law.dimension == 2 else law.cdf
    if not on_lattice(law):
        return cdf
    return lambda z: cdf(np.rint(z / unit(law)))  # z lies on the lattice


def coordinates(law: Any, draws: NDArray[Any]) -> list[NDArray[np.float64]]:
    """Split draws into (z1,) or (z1, z2); hourglasses draw (z1, t) with z2 = t - z1."""
    if law.dimension == 1:
        return [draws.astype(np.float64)]
    first, second = draws[:, 0], draws[:, 1]
    if hasattr(law, "total_pmf"):
        second = second * getattr(law, "grid", 1) - first
    return [first * unit(law), second * unit(law)]


def edges(law: Any) -> NDArray[np.float64]:
    """Points from 0 to far out in the tail between which a coordinate has one closed form."""
    far = 12 * math.sqrt(law.variance())
    if hasattr(law, "epsilon"):
        far = float(getattr(law, "sensitivity", 1)) * (50 / float(law.epsilon) + 4)
    inner = law.exact_law().breakpoints(Fraction(0), Fraction(far))
    if len(inner) < 2:  # one smooth formula
        return np.linspace(0, far, 300)
    return np.unique(np.concatenate(([0.0], [float(p) for p in inner])))


def integrate(f: Cdf, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Integral of f from the first edge to each of the others (Gauss-Legendre on each cell)."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    cells = (f(middle[:, None] + half[:, None] * nodes) * weights).sum(axis=1) * half
    return np.asarray(np.cumsum(cells))


def test_is_a_noise_law(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """It must hold that a law offers the Protocol and one of the four kinds tested here."""
    for name, arguments in CASES:
        with subtests.test(name=name, arguments=arguments):
            law = build_noise(name, **arguments)
            assert isinstance(law, Noise)
            assert isinstance(law.exact_law(), ExactLaw)
            draws = law.sample(1, rng=dp_rng)
            assert draws.shape == ((1,) if law.dimension == 1 else (1, 2))
            if law.dimension == 1:
                assert isinstance(law, ContinuousNoise) != hasattr(law, "pmf")
            else:
                assert hasattr(law, "marginal_cdf")
            assert hash(law) == hash(build_noise(name, **arguments))


@each_case
def test_density_integrates_to_the_cdf(name: str, arguments: dict[str, Any]) -> None:
    """It must hold that density or pmf add up to the cdf, and to one."""
    law = build_noise(name, **arguments)
    points = edges(law)
    density = first_coordinate(law, points[-1])
    if on_lattice(law):
        k = np.arange(math.floor(points[-1] / unit(law)))
        total = np.cumsum(density(k)) - density(np.zeros(1, dtype=np.int64)) / 2
        cdf = (law.marginal_cdf if law.dimension == 2 else law.cdf)(k)
    else:
        total = integrate(density, points)
        cdf = cdf_of(law)(points[1:])
    np.testing.assert_allclose(total + 0.5, cdf, rtol=0, atol=2e-12)
    assert abs(cdf[-1] - 1) < 1e-12


def first_coordinate(law: Any, far: float) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
    """Density or pmf of the first coordinate: a two-dimensional one is summed over the second."""
    density: Callable[..., NDArray[np.float64]] = law.pmf if on_lattice(law) else law.density
    if law.dimension == 1:
        return density
    if hasattr(law, "total_pmf"):
        reach = math.ceil(50 / float(law.epsilon)) + 1
        level = law.level if on_lattice(law) else law.marginal().level
        gaps = range(-reach, reach + 1)
        return lambda z1: np.sum([density(z1, level(z1) + d) for d in gaps], axis=0)
    rings = [0.0, *map(float, law.exact_law().breakpoints(Fraction(0), Fraction(2 * far)))]

    def over_rings(z1: NDArray[np.float64]) -> NDArray[np.float64]:
        size, total = np.abs(z1), np.zeros(z1.shape)
        for low, high in itertools.pairwise(rings):
            length = np.maximum(high - size, 0) - np.maximum(low - size, 0)
            total += 2 * length * density(np.full(z1.shape, (low + high) / 2), 0)
        return total

    return over_rings


def test_quantile_inverts_the_cdf(subtests: pytest.Subtests) -> None:
    """It must hold that the quantile is the inverse of the cdf (its least point, on a lattice)."""
    for name, arguments in CASES:
        with subtests.test(name=name, arguments=arguments):
            law = build_noise(name, **arguments)
            if law.dimension == 2:
                assert not hasattr(law, "quantile")
                continue
            p = np.concatenate((np.linspace(0.001, 0.999, 999), [1e-12, 1e-7, 1 - 1e-7]))
            z = law.quantile(p)
            if on_lattice(law):
                assert np.all(law.cdf(z) >= p)
                assert np.all(law.cdf(z - 1) < p)
                k = np.arange(-20, 20)[law.cdf(np.arange(-20, 20)) < 1 - 1e-9]
                np.testing.assert_array_equal(law.quantile(law.cdf(k)), k)
            else:
                np.testing.assert_allclose(law.cdf(z), p, rtol=1e-11, atol=1e-15)
                np.testing.assert_allclose(law.quantile(law.cdf(z)), z, rtol=1e-7, atol=1e-12)


def test_symmetric(subtests: pytest.Subtests) -> None:
    """It must hold that Z and -Z have one law."""
    for name, arguments in CASES:
        with subtests.test(name=name, arguments=arguments):
            law = build_noise(name, **arguments)
            cdf = cdf_of(law)
            z = edges(law)
            if on_lattice(law):
                z = np.unique(np.rint(z / unit(law)) * unit(law))
                np.testing.assert_allclose(cdf(-z - unit(law)), 1 - cdf(z), rtol=0, atol=1e-15)
            else:
                np.testing.assert_allclose(cdf(-z), 1 - cdf(z), rtol=0, atol=1e-15)
            if isinstance(law, ContinuousNoise):
                np.testing.assert_array_equal(law.density(-z), law.density(z))


def test_moments_match_the_cdf(subtests: pytest.Subtests) -> None:
    """It must hold that E|Z|^p = integral of p t^(p - 1) P(|Z| > t), p = 1, 2, 4."""
    for name, arguments in CASES:
        with subtests.test(name=name, arguments=arguments):
            law = build_noise(name, **arguments)
            cdf, points = cdf_of(law), edges(law)
            for p, moment in (
                (1, law.mean_absolute()),
                (2, law.variance()),
                (4, law.fourth_moment()),
            ):
                if on_lattice(law):
                    k = np.arange(1, math.floor(points[-1] / unit(law))) * unit(law)
                    value = ((k**p - (k - unit(law)) ** p) * 2 * cdf(-k)).sum()
                else:
                    value = integrate(
                        lambda t, p=p, cdf=cdf: p * t ** (p - 1) * 2 * cdf(-t), points
                    )[-1]
                assert value == pytest.approx(moment, rel=2e-12, abs=0)


@each_law
def test_moments_match_samples(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold that the mean square of draws is the variance, and is not 5 % beside it."""
    law = build_noise(name)
    limit = math.sqrt(2 * math.log(2 / ALPHA))  # of a standardized mean, by its normal limit
    spread = math.sqrt(law.fourth_moment() - law.variance() ** 2)
    n = math.ceil((2 * limit * spread / (0.05 * law.variance())) ** 2)
    for z in coordinates(law, law.sample(n, rng=dp_rng)):
        seen = float((z**2).mean())
        assert abs(seen - law.variance()) < limit * spread / math.sqrt(n)
        assert abs(1.05 * seen - law.variance()) > limit * spread / math.sqrt(n)


@each_case
def test_sampler_has_the_cdf(
    name: str, arguments: dict[str, Any], dp_rng: np.random.Generator
) -> None:
    """It must hold that draws follow the cdf, and that a scale 5 % beside it is rejected."""
    law = build_noise(name, **arguments)
    cdf, grid = cdf_of(law), np.linspace(0, 5, 5001) * law.mean_absolute()
    wrong, step = law, 0.0
    if on_lattice(law):
        step = unit(law)
        scale = "sigma" if hasattr(law, "sigma") else "epsilon"
        other = law.sigma * Fraction("1.05") if scale == "sigma" else law.epsilon / Fraction("1.05")
        wrong = build_noise(name, **{**arguments, scale: other})
        grid = np.unique(np.rint(grid / step) * step)
        distance = law_distance(cdf, cdf_of(wrong), grid)
    else:
        distance = law_distance(cdf, lambda z: cdf(z / 1.05), grid)

    def left(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return cdf(z - step)

    n = draws_for(distance)
    draws, wrong_draws = law.sample(n, rng=dp_rng), wrong.sample(n, rng=dp_rng)
    for z, z_wrong in zip(coordinates(law, draws), coordinates(wrong, wrong_draws), strict=True):
        assert_law(z, cdf, distance, left_cdf=left)
        stretched = z_wrong if on_lattice(law) else 1.05 * z_wrong
        assert_not_law(stretched, cdf, distance, left_cdf=left)


@each_law
@pytest.mark.parametrize("epsilon", ["1e-9", "1e-3", 50, 500])
def test_works_at_both_ends_of_epsilon(
    name: str, epsilon: str | int, dp_rng: np.random.Generator
) -> None:
    """It must hold that draws and moments stay finite and agree over the range of epsilon."""
    if name == "discrete-gaussian":  # below 1/10 its variance is no normal double
        law = build_noise(name, sigma={"1e-9": "1/10", "1e-3": "1/5", 500: 10_000}.get(epsilon, 50))
    elif name == "gaussian":
        law = build_noise(name, sigma=epsilon)
    else:
        law = build_noise(name, epsilon=epsilon)
    moments = law.mean_absolute(), law.variance(), law.fourth_moment()
    assert all(0 < m < math.inf for m in moments)
    n = 20_000
    limit = math.sqrt(2 * math.log(2 / ALPHA) * law.variance() / n)
    for z in coordinates(law, law.sample(n, rng=dp_rng)):
        assert np.isfinite(z).all()
        assert abs(np.abs(z).mean() - law.mean_absolute()) < limit


@each_law
def test_same_seed_same_draws(name: str) -> None:
    """It must hold that a seed fixes the draws, and that the next draws differ."""
    law = build_noise(name)
    first, second = np.random.default_rng(7), np.random.default_rng(7)
    draws = law.sample(70_000, rng=first)
    np.testing.assert_array_equal(draws, law.sample(70_000, rng=second))
    assert not np.array_equal(draws, law.sample(70_000, rng=first))


@each_law
def test_size_must_be_a_positive_integer(name: str) -> None:
    """It must hold that a wrong size raises InvalidArgument naming it."""
    for size in [0, -1, 1.0, True, "3", None]:
        with pytest.raises(InvalidArgument, match=r"^size must be an integer of at least 1"):
            build_noise(name).sample(size, rng=np.random.default_rng(1))


@each_law
def test_wrong_parameters_are_named(name: str) -> None:
    """It must hold that a wrong epsilon (or sigma) raises InvalidArgument naming it."""
    for value in [0, -1, "nan", float("inf"), None, "one"]:
        parameter = "sigma" if name.endswith("gaussian") else "epsilon"
        with pytest.raises(InvalidArgument, match=rf"^{parameter} must be .*got {parameter}="):
            build_noise(name, **{parameter: value})


@pytest.mark.parametrize("name", ["staircase", "l1-staircase", "hourglass"])
def test_gamma_lies_in_the_unit_interval(name: str) -> None:
    """It must hold that gamma outside (0, 1] is refused, also where it is 0 as a double."""
    for gamma in [0, -0.1, 1.0001, "1e-400", "x"]:
        with pytest.raises(InvalidArgument, match=r"^gamma must be "):
            build_noise(name, gamma=gamma)


def test_exact_law_is_the_density(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """It must hold that the law stated as data gives the density or pmf at exact points."""
    for name, arguments in CASES:
        with subtests.test(name=name, arguments=arguments):
            law = build_noise(name, **arguments)
            exact = law.exact_law()
            points = law.sample(200, rng=dp_rng)
            density = law.pmf if on_lattice(law) else law.density
            if law.dimension == 1:
                stated = [exact.log_density(Fraction(float(z)), FLOATS) for z in points]
                expected = density(points)
            else:
                pairs = [tuple(Fraction(float(c)) for c in row) for row in points]
                stated = [exact.log_density(pair, FLOATS) for pair in pairs]
                expected = density(points[:, 0], points[:, 1])
            np.testing.assert_allclose(np.exp(stated), expected, rtol=1e-9)


@each_case
def test_breakpoints_cut_the_law_into_pieces(name: str, arguments: dict[str, Any]) -> None:
    """It must hold that breakpoints are exact, ascending, and where the law changes."""
    law = build_noise(name, **arguments)
    exact, scale = law.exact_law(), Fraction(law.mean_absolute() / unit(law))
    lower, upper = -3 * scale - 3, 5 * scale + 3
    points = exact.breakpoints(lower, upper)
    assert all(isinstance(p, Fraction) and lower <= p <= upper for p in points)
    assert all(p < q for p, q in itertools.pairwise(points))
    assert exact.breakpoints(upper, upper + Fraction(1, 10**9)) in ((), (upper,))
    atoms = exact.atoms(FLOATS)
    if on_lattice(law):
        assert points == tuple(map(Fraction, range(math.ceil(lower), math.floor(upper) + 1)))
        for atom in itertools.islice(atoms, 50):
            value = law.pmf(*([atom] if law.dimension == 1 else map(int, atom)))
            assert atoms[atom] == pytest.approx(float(value), rel=1e-9, abs=0)
        outside = Fraction(1, 2) if law.dimension == 1 else (Fraction(1, 2), Fraction(0))
        assert outside not in atoms
        return
    assert not atoms
    if name in ("staircase", "l1-staircase", "hourglass"):

        def at(z: Fraction) -> float:
            point = z if law.dimension == 1 else (z, Fraction(0))
            value: float = exact.log_density(point, FLOATS)
            return value

        gaps = [q - p for p, q in itertools.pairwise(points)]
        near = min(*gaps, *map(abs, points)) / 100
        for p, q in itertools.pairwise(points):
            assert at(p + near) == at(q - near)
            assert at(p - near) != at(p + near)
            assert at(p) == at(p + near if p > 0 else p - near)
