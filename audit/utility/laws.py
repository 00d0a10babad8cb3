"""Laws of one record that a user can name: a point, uniform, normal, Bernoulli, points, tilted.

What the words mean:

    point X               X itself
    uniform A B           uniform between A and B
    normal MU SIGMA       Gauss's law
    bernoulli P           1 with probability P, else 0
    points X:P X:P ...    X with probability P; the probabilities add up to 1
    tilted ETA            density (1 - ETA^2) / 2 e^(-|x| + ETA x), whose sign has the mean ETA
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_fraction, exact

__all__ = ["KINDS", "Law", "Normal", "PointLaw", "Tilted", "Uniform", "WithBudgets", "read_law"]

Array = NDArray[np.float64]
Function = Callable[[float], float]

KINDS = (
    "point X, uniform A B, normal MU SIGMA, bernoulli P, points X:P X:P ..., or tilted ETA "
    "(density proportional to e^(-|x| + ETA x))"
)
"""What `read_law` reads."""

FAR = 40.0
"""Beyond so many scales a density with an exponential tail is below 1e-17 of the whole."""

SCANNED = 101
"""Places where the size of an integrand is looked at."""


class Law(Protocol):
    """What the audit asks of a law: moments for bounds, and draws."""

    @property
    def mean(self) -> float:
        """Its mean."""
        ...

    @property
    def variance(self) -> float:
        """Its variance."""
        ...

    @property
    def median(self) -> float:
        """The middle of its medians."""
        ...

    @property
    def symmetric(self) -> bool:
        """Whether it is symmetric about its mean."""
        ...

    @property
    def normal(self) -> bool:
        """Whether it is Gauss's law."""
        ...

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        ...

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        ...

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw `size` independent records."""
        ...


@final
@dataclass(frozen=True, slots=True)
class PointLaw:
    """Finitely many values with exact probabilities; one value is a constant."""

    atoms: tuple[tuple[Fraction, Fraction], ...]
    """Values and probabilities: values different and ascending, probabilities greater than 0,
    adding up to 1."""

    def __post_init__(self) -> None:
        """Check the probabilities."""
        total = sum((chance for _, chance in self.atoms), Fraction(0))
        if total != 1 or any(chance <= 0 for _, chance in self.atoms):
            msg = f"probabilities must be positive and add up to 1, they add up to {total}"
            raise InvalidArgument(msg)

    @property
    def mean(self) -> float:
        """Its mean."""
        return float(self._exact_mean)

    @property
    def _exact_mean(self) -> Fraction:
        return sum((value * chance for value, chance in self.atoms), Fraction(0))

    @property
    def variance(self) -> float:
        """Its variance."""
        mean = self._exact_mean
        return float(sum((chance * (value - mean) ** 2 for value, chance in self.atoms)))

    @property
    def median(self) -> float:
        """The middle of its medians."""
        below, ends = Fraction(0), []
        for value, chance in self.atoms:
            if below <= Fraction(1, 2) <= below + chance:
                ends.append(value)
            below += chance
        return float((ends[0] + ends[-1]) / 2)

    @property
    def symmetric(self) -> bool:
        """Whether it is symmetric about its mean."""
        center = 2 * self._exact_mean
        return dict(self.atoms) == {center - value: chance for value, chance in self.atoms}

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        return self.expectation(lambda x: abs(x - self.mean) ** order)

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:  # noqa: ARG002
        """Mean of any function."""
        return math.fsum(float(chance) * function(float(value)) for value, chance in self.atoms)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        reached = np.cumsum([float(chance) for _, chance in self.atoms])
        values = np.array([float(value) for value, _ in self.atoms])
        places = np.searchsorted(reached, rng.random(size), side="right")
        return np.asarray(values[np.minimum(places, values.size - 1)])


@final
@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform between two numbers, low < high."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        """Its variance."""
        return (self.high - self.low) ** 2 / 12

    @property
    def median(self) -> float:
        """The middle."""
        return self.mean

    @property
    def symmetric(self) -> bool:
        """It is."""
        return True

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        return float(((self.high - self.low) / 2) ** order / (order + 1))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        width = self.high - self.low
        return _integral(lambda x: function(x) / width, (self.low, self.high), kinks)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        return rng.uniform(self.low, self.high, size)


@final
@dataclass(frozen=True, slots=True)
class Normal:
    """Gauss's law with a mean and a standard deviation greater than 0."""

    mu: float
    sigma: float

    @property
    def mean(self) -> float:
        """Its mean."""
        return self.mu

    @property
    def variance(self) -> float:
        """Its variance."""
        return self.sigma**2

    @property
    def median(self) -> float:
        """Its mean."""
        return self.mu

    @property
    def symmetric(self) -> bool:
        """It is."""
        return True

    @property
    def normal(self) -> bool:
        """It is."""
        return True

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order = sigma^order 2^(order / 2) Gamma((order + 1) / 2) / sqrt(pi)."""
        log = order / 2 * math.log(2) + math.lgamma((order + 1) / 2) - math.log(math.pi) / 2
        return float(self.sigma**order * math.exp(log))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""

        def weighted(x: float) -> float:
            z = (x - self.mu) / self.sigma
            return function(x) * math.exp(-z * z / 2) / (self.sigma * math.sqrt(2 * math.pi))

        reach = FAR / 4 * self.sigma
        return _integral(weighted, (self.mu - reach, self.mu + reach), (self.mu, *kinks))

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        return rng.normal(self.mu, self.sigma, size)


@final
@dataclass(frozen=True, slots=True)
class Tilted:
    """Density (1 - eta^2) / 2 e^(-|x| + eta x), -1 < eta < 1."""

    eta: float

    @property
    def mean(self) -> float:
        """The derivative of -log(1 - eta^2)."""
        return 2 * self.eta / (1 - self.eta**2)

    @property
    def variance(self) -> float:
        """Its second derivative."""
        square = self.eta**2
        return 2 * (1 + square) / (1 - square) ** 2

    @property
    def median(self) -> float:
        """Where half of the mass lies below."""
        size = abs(self.eta)
        return math.copysign(math.log1p(size) / (1 - size), self.eta)

    @property
    def symmetric(self) -> bool:
        """Only without a tilt."""
        return self.eta == 0

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        center = self.mean
        return self.expectation(lambda x: abs(x - center) ** order, (center,))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        weight = (1 - self.eta**2) / 2

        def weighted(x: float) -> float:
            return function(x) * weight * math.exp(-abs(x) + self.eta * x)

        ends = -FAR / (1 + self.eta), FAR / (1 - self.eta)
        return _integral(weighted, ends, (0.0, *kinks))

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records: a sign, and an exponential variate of its side."""
        right = rng.random(size) < (1 + self.eta) / 2
        length = rng.standard_exponential(size)
        return np.where(right, length / (1 - self.eta), -length / (1 + self.eta))


@final
@dataclass(frozen=True, slots=True)
class WithBudgets:
    """Records of a law, each beside a budget: rows (record, budget) for each user."""

    records: Law
    """Of each record."""
    budgets: tuple[float, ...]
    """One for each row, in their order."""

    @property
    def mean(self) -> float:
        """That of the records."""
        return self.records.mean

    @property
    def variance(self) -> float:
        """That of the records."""
        return self.records.variance

    @property
    def median(self) -> float:
        """That of the records."""
        return self.records.median

    @property
    def symmetric(self) -> bool:
        """Whether the records are."""
        return self.records.symmetric

    @property
    def normal(self) -> bool:
        """Whether the records are."""
        return self.records.normal

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order of a record."""
        return self.records.central_moment(order)

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function of a record that is smooth except at the kinks."""
        return self.records.expectation(function, kinks)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw `size` rows, as many as there are budgets."""
        return np.column_stack((self.records.sample(size, rng=rng), self.budgets))


def _integral(function: Function, ends: tuple[float, float], kinks: tuple[float, ...]) -> float:
    """Integral over an interval, to about 12 digits of the integral of its size."""
    from scipy.integrate import quad

    lower, upper = ends
    cuts = sorted({lower, upper, *(k for k in kinks if lower < k < upper)})
    places = np.linspace(lower, upper, SCANNED)
    size = float(np.mean([abs(function(float(x))) for x in places])) * (upper - lower)
    parts = (
        quad(function, a, b, epsabs=1e-13 * size, epsrel=1e-12, limit=400)[0]
        for a, b in pairwise(cuts)
    )
    return math.fsum(parts)


def read_law(text: str) -> Law:
    """Read a law in words.

    `text`: such as "normal 0 1"; numbers as 1, 0.1 or 1/10. Raises InvalidArgument if it is none of
    `KINDS`, or a parameter is out of its domain.

    Examples
    --------
    >>> from audit.utility.laws import read_law
    >>> read_law("points 0:9/10 10:1/10").mean
    1.0
    """
    name, *words = text.split() or [""]
    try:
        return _KINDS[name](words)
    except (KeyError, ValueError) as exc:
        reason = f": {exc}" if isinstance(exc, InvalidArgument) else ""
        msg = f"law must be one of {KINDS}, got {text!r}{reason}"
        raise InvalidArgument(msg) from exc


def _point(words: list[str]) -> Law:
    (value,) = words
    return PointLaw(((exact(value, "X"), Fraction(1)),))


def _uniform(words: list[str]) -> Law:
    low, high = words
    lower = exact(low, "A")
    return Uniform(float(lower), float(check_fraction(high, "B", above=lower)))


def _normal(words: list[str]) -> Law:
    mu, sigma = words
    return Normal(float(exact(mu, "MU")), float(check_fraction(sigma, "SIGMA", above=0)))


def _bernoulli(words: list[str]) -> Law:
    (chance,) = words
    one = check_fraction(chance, "P", at_least=0, at_most=1)
    pairs = ((Fraction(0), 1 - one), (Fraction(1), one))
    return PointLaw(tuple(pair for pair in pairs if pair[1]))


def _points(words: list[str]) -> Law:
    atoms: dict[Fraction, Fraction] = {}
    for word in words:
        value, chance = word.split(":")
        place = exact(value, "X")
        atoms[place] = atoms.get(place, Fraction(0)) + exact(chance, "P")
    return PointLaw(tuple(sorted(atoms.items())))


def _tilted(words: list[str]) -> Law:
    (eta,) = words
    return Tilted(float(check_fraction(eta, "ETA", above=-1, below=1)))


_KINDS: dict[str, Callable[[list[str]], Law]] = {
    "point": _point,
    "uniform": _uniform,
    "normal": _normal,
    "bernoulli": _bernoulli,
    "points": _points,
    "tilted": _tilted,
}
