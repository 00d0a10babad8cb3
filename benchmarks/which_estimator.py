"""Errors of the private means, medians and quantiles at equal total privacy, on a few laws.

Run: python -m benchmarks.which_estimator (about a minute). An error is |release - m|, with m the
mean (median, quantile) of the records as they are, unclipped; it is averaged over RUNS data sets
with DRAWS releases of each. So it is the price of privacy, to be seen beside the error of m itself
("sampling"). What each estimator is given:

    all      epsilon in total: the subset means have epsilon / 3 a step; DELTA for the last three;
    ksw, sub [low, high], the range of the records; the subset means gamma = s / 10;
    tri      [low, high], the range of the mean, and a bound s of the standard deviation. The margin
             of the clipped mean has beta = sqrt(1 / (2 epsilon n)), which balances its bias and its
             noise; that of the combined one has psi = s; the symmetric mean reads no range, has
             bins of 10 s and about twice the records that the fuller bin needs.

The tables of bias and of the root mean square show what a mean absolute error hides: coins that
seldom show heads. Their squares are taken from the closed form, given the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.registry import build_mechanism
from mechanisms.trilemma.coarse_rule import coarse_rule
from mechanisms.trilemma.symmetric_settings import clip_distance

Array = NDArray[np.float64]
Release = Callable[[Array, int, np.random.Generator], Array]
SEED, RUNS, DRAWS = 1, 100, 25
DELTA = Fraction(1, 10**6)
SIZES = ((1_000, Fraction(1)), (10_000, Fraction(1)), (1_000, Fraction(1, 10)),
         (10_000, Fraction(1, 10)))  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A law, the public bounds, and a public bound of the standard deviation."""

    law: str
    low: int
    high: int
    spread: Fraction

    @property
    def words(self) -> str:
        """Law and bounds."""
        return f"{self.law} in [{self.low}, {self.high}]"

    def data(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n records."""
        return {
            "N(0, 1)": lambda: rng.normal(size=n),
            "t_3": lambda: rng.standard_t(3, size=n),
            "lognormal": lambda: rng.lognormal(size=n),
            "Bernoulli(.1)": lambda: (rng.random(n) < 0.1).astype(float),
            "all .3": lambda: np.full(n, 0.3),
        }[self.law]()


ONE, TWO, HALF = Fraction(1), Fraction(11, 5), Fraction(1, 2)
SETTINGS = (
    Setting("N(0, 1)", -5, 5, ONE),
    Setting("N(0, 1)", -1000, 1000, ONE),
    Setting("t_3", -20, 20, TWO),
    Setting("t_3", -1000, 1000, TWO),
    Setting("lognormal", 0, 10, TWO),
    Setting("lognormal", 0, 50, TWO),
    Setting("lognormal", 0, 1000, TWO),
    Setting("Bernoulli(.1)", 0, 1, HALF),
    Setting("all .3", 0, 1, HALF),
    Setting("all .3", -1000, 1000, HALF),
)


def plain(name: str, share: int = 1) -> Callable[[Setting, int, Fraction], Release]:
    """Make a mean on [low, high] with a share of epsilon."""

    def make(setting: Setting, n: int, epsilon: Fraction) -> Release:
        rest: dict[str, object] = {}
        if name.startswith("sub.subset"):
            rest["gamma"] = setting.spread / 10
        if name.endswith("public-size"):
            rest["expected_size"] = n
        low, high = setting.low, setting.high
        chosen = build_mechanism(name, epsilon=epsilon / share, low=low, high=high, **rest)
        return lambda data, size, rng: chosen.sample(data, size, rng=rng)

    return make


def hardened(setting: Setting, n: int, epsilon: Fraction) -> Release:
    """Make the hardened mean, with bits that the seed decides."""
    del n

    def release(data: Array, size: int, rng: np.random.Generator) -> Array:
        chosen = build_mechanism(
            "ksw.release-mean", epsilon=epsilon, low=setting.low, high=setting.high, bits=rng.bytes
        )
        return np.asarray(chosen.sample(data, size, rng=rng))

    return release


def clipped(setting: Setting, n: int, epsilon: Fraction) -> Release:
    """Make the clipped mean, whose unit is the standard deviation."""
    unit, beta = setting.spread, math.sqrt(1 / (2 * epsilon * n))
    chosen = build_mechanism(
        "tri.clipped-mean",
        epsilon=epsilon,
        low=setting.low / unit,
        high=setting.high / unit,
        beta=beta,
        constant="sharp",
    )
    scale = float(unit)
    return lambda data, size, rng: scale * chosen.sample(data / scale, size, rng=rng)


def combined(setting: Setting, n: int, epsilon: Fraction) -> Release:
    """Make the combined mean."""
    del n
    chosen = build_mechanism(
        "tri.combined",
        epsilon=epsilon,
        delta=DELTA,
        low=setting.low,
        high=setting.high,
        psi=setting.spread,
    )
    return lambda data, size, rng: chosen.sample(data, size, rng=rng)


def symmetric(setting: Setting, n: int, epsilon: Fraction) -> Release:
    """Make the symmetric mean; it reads no bounds."""
    needed = coarse_rule(epsilon, DELTA).threshold
    first = min(n // 2, math.ceil(2 * (float(needed) + 10 / epsilon)))
    second = n - first
    chosen = build_mechanism(
        "tri.symmetric-mean",
        epsilon=epsilon,
        delta=DELTA,
        scale=10 * setting.spread,
        distance=float(setting.spread) * clip_distance(float(epsilon), second, 1, 4),
        first=first,
        second=second,
    )
    return lambda data, size, rng: chosen.sample(data, size, rng=rng)[:, 1]


def named(setting: Setting, n: int, epsilon: Fraction) -> Release:
    """Make name-and-shame, which has delta alone."""
    del setting, n, epsilon
    chosen = build_mechanism("tri.name-and-shame", delta=DELTA)
    return lambda data, size, rng: chosen.sample(data, size, rng=rng)


MEANS = {
    "ksw.release-mean": hardened,
    "ksw.transformed-hourglass": plain("ksw.transformed-hourglass"),
    "ksw.transformed-laplace": plain("ksw.transformed-laplace"),
    "ksw.shifted-laplace": plain("ksw.shifted-laplace"),
    "sub.bounded-mean": plain("sub.bounded-mean"),
    "sub.subset-mean-public-size": plain("sub.subset-mean-public-size", 3),
    "sub.subset-mean-noisy-size": plain("sub.subset-mean-noisy-size", 3),
    "ksw.swap-laplace": plain("ksw.swap-laplace"),
    "tri.clipped-mean": clipped,
    "tri.combined": combined,
    "tri.symmetric-mean": symmetric,
    "tri.name-and-shame": named,
}
