"""Errors of the private means, medians and quantiles at equal total privacy, on a few laws.

An error is |release - m|, with m the mean (median, quantile) of the records as they are, unclipped.
It is averaged over RUNS data sets (FEW for quantiles) with DRAWS releases of each. So it is the
price of privacy, to be seen beside the error of m itself, the row "no privacy". What an estimator
is given:

    all       epsilon in total: a subset mean spends epsilon / 3 three times; (epsilon, DELTA) where
              the claim has a delta; of name-and-shame, which has no epsilon, DELTA alone. With
              half of epsilon an add-remove promise is one of epsilon under swap;
    ksw, sub  [low, high], the range of the records; the subset means gamma = s / 10, and N = n;
    tri       [low, high], the range of the mean, and s, a bound of the standard deviation. The
              clipped mean has beta = sqrt(1 / (2 epsilon n)) s, which balances bias and noise; the
              combined one psi = s, and once no margin; the symmetric one reads no range, has bins
              of 10 s and about twice the records that the fuller one of two bins needs, but not
              more than half. That its coarse estimate fails shows only where it happens.

Coins that seldom show heads hardly count in a mean absolute error, so bias and root mean square
follow; where there are such coins, from the closed form given the data. A bias within three
standard errors of 0 is written ~0.

Run: python -m benchmarks.which_estimator
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.registry import MECHANISMS, build_mechanism
from mechanisms.trilemma.coarse.rule import coarse_rule
from mechanisms.trilemma.symmetric.sizes import clip_distance

Array = NDArray[np.float64]
Make = Callable[["Setting", int, Fraction], Any]
Target = Callable[[Array], float]
SEED, RUNS, FEW, DRAWS = 1, 80, 16, 25
DELTA = Fraction(1, 10**6)
SIZES = [(n, epsilon) for epsilon in (Fraction(1), Fraction(1, 10)) for n in (1_000, 10_000)]
LARGE = SIZES[1]
HALF = ", half of epsilon"

LAWS: dict[str, tuple[float, Callable[[np.random.Generator, int], Array]]] = {
    "N(0, 1)": (0, lambda rng, n: rng.normal(size=n)),
    "t_3": (0, lambda rng, n: rng.standard_t(3, size=n)),
    "lognormal": (math.exp(0.5), lambda rng, n: rng.lognormal(size=n)),
    "Bernoulli(.1)": (0.1, lambda rng, n: (rng.random(n) < 0.1).astype(np.float64)),
    "all .3": (0.3, lambda _, n: np.full(n, 0.3)),
}
"""Mean, and how records are drawn."""


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

    def data_sets(self, n: int, runs: int) -> list[Array]:
        """Draw data sets: the same ones for every estimator and whatever the bounds."""
        rng = np.random.default_rng([SEED, n, list(LAWS).index(self.law)])
        return [LAWS[self.law][1](rng, n) for _ in range(runs)]


SETTINGS = (
    Setting("N(0, 1)", -5, 5, Fraction(1)),
    Setting("N(0, 1)", -1000, 1000, Fraction(1)),
    Setting("t_3", -20, 20, Fraction(9, 5)),
    Setting("t_3", -1000, 1000, Fraction(9, 5)),
    Setting("lognormal", 0, 10, Fraction(11, 5)),
    Setting("lognormal", 0, 50, Fraction(11, 5)),
    Setting("lognormal", 0, 1000, Fraction(11, 5)),
    Setting("Bernoulli(.1)", 0, 1, Fraction(1, 2)),
    Setting("all .3", 0, 1, Fraction(1, 2)),
    Setting("all .3", -1000, 1000, Fraction(1, 2)),
)
BIASED = SETTINGS[0], SETTINGS[2], *SETTINGS[4:7]
QUANTILES = SETTINGS[0], SETTINGS[1], SETTINGS[5], SETTINGS[6]
SKEWED = SETTINGS[1], SETTINGS[6]


def bounded(name: str) -> Make:
    """Make a mean of records in [low, high]."""
    return lambda setting, _, epsilon: build_mechanism(
        name, epsilon=epsilon, low=setting.low, high=setting.high
    )


def hardened(setting: Setting, n: int, epsilon: Fraction) -> Any:
    """Make the hardened mean, with bits that the seed decides."""
    return build_mechanism(
        "ksw.release-mean",
        epsilon=epsilon,
        low=setting.low,
        high=setting.high,
        bits=np.random.default_rng([SEED, n]).bytes,
    )


def subset(name: str, **chosen: Any) -> Make:
    """Make a subset-optimal mean, whose three steps share epsilon."""

    def make(setting: Setting, n: int, epsilon: Fraction) -> Any:
        public = {"expected_size": n} if name.endswith("public-size") else {}
        rest = {"low": setting.low, "high": setting.high, "gamma": setting.spread / 10}
        return build_mechanism(name, epsilon=epsilon / 3, **rest, **public, **chosen)

    return make


@dataclass(frozen=True)
class Scaled:
    """A mean with a unit of its own, without the coarse estimate that may be released beside it."""

    mean: Any
    unit: float = 1.0

    def sample(self, data: Array, size: int, *, rng: np.random.Generator) -> Array:
        """Draw releases."""
        found = self.unit * np.asarray(self.mean.sample(data / self.unit, size, rng=rng))
        return found.reshape(size, -1)[:, -1]


def clipped(setting: Setting, n: int, epsilon: Fraction) -> Scaled:
    """Make the clipped mean."""
    mean = build_mechanism(
        "tri.clipped-mean",
        epsilon=epsilon,
        low=setting.low / setting.spread,
        high=setting.high / setting.spread,
        beta=math.sqrt(1 / (2 * epsilon * n)),
        constant="sharp",
    )
    return Scaled(mean, float(setting.spread))


def combined(distance: int | None) -> Make:
    """Make the combined mean."""
    return lambda setting, _, epsilon: build_mechanism(
        "tri.combined",
        epsilon=epsilon,
        delta=DELTA,
        low=setting.low,
        high=setting.high,
        psi=setting.spread,
        distance=distance,
    )


def symmetric(setting: Setting, n: int, epsilon: Fraction) -> Scaled:
    """Make the symmetric mean."""
    rule = coarse_rule(epsilon, DELTA)
    needed = float(rule.offset) + float(rule.slope) * math.log(rule.argument) + 10 / float(epsilon)
    first = min(n // 2, math.ceil(2 * needed))
    distance = float(setting.spread) * clip_distance(float(epsilon), n - first, 1, 4)
    mean = build_mechanism(
        "tri.symmetric-mean",
        epsilon=epsilon,
        delta=DELTA,
        scale=10 * setting.spread,
        distance=distance,
        first=first,
        second=n - first,
    )
    return Scaled(mean)


PUBLIC = "sub.subset-mean-public-size"
MEANS: dict[str, Make] = {
    "ksw.release-mean": hardened,
    "ksw.transformed-hourglass": bounded("ksw.transformed-hourglass"),
    "ksw.transformed-laplace": bounded("ksw.transformed-laplace"),
    "ksw.shifted-laplace": bounded("ksw.shifted-laplace"),
    "sub.bounded-mean": bounded("sub.bounded-mean"),
    PUBLIC: subset(PUBLIC),
    "sub.subset-mean-noisy-size": subset("sub.subset-mean-noisy-size"),
    "ksw.swap-laplace": bounded("ksw.swap-laplace"),
    "ksw.release-mean" + HALF: lambda s, n, e: hardened(s, n, e / 2),
    PUBLIC + HALF: lambda s, n, e: MEANS[PUBLIC](s, n, e / 2),
    "tri.clipped-mean": clipped,
    "tri.combined": combined(None),
    "tri.combined, margin 0": combined(0),
    "tri.symmetric-mean": symmetric,
    "tri.name-and-shame": lambda *_: build_mechanism("tri.name-and-shame", delta=DELTA),
}


def ranked(zeta: float, share: float) -> Make:
    """Make a subset mean with alpha = .001 and rank 1 / e + share (2 / e) log(2 R / (alpha zeta)).

    Here e is epsilon / 3, what a step costs.
    """

    def make(setting: Setting, n: int, epsilon: Fraction) -> Any:
        step, alpha = float(epsilon) / 3, 1e-3
        offset = 2 / step * math.log((setting.high - setting.low) / (alpha * zeta))
        rank = math.ceil(1 / step + share * offset)
        return subset(PUBLIC, alpha=alpha, rank=rank)(setting, n, epsilon)

    return make


RANKS: dict[str, Make] = {
    "as registered": subset(PUBLIC),
    "alpha = .001, zeta = .01": ranked(0.01, 1.0),
    "alpha = .001, zeta = .05, half the offset": ranked(0.05, 0.5),
    "ksw.transformed-hourglass": bounded("ksw.transformed-hourglass"),
}


def selected(name: str, level: Fraction) -> Make:
    """Make a quantile on the grid of step .01."""
    return lambda setting, _, epsilon: build_mechanism(
        name,
        epsilon=epsilon,
        low=setting.low,
        high=setting.high,
        step="1/100",
        statistic="quantile",
        level=level,
    )


SELECTED = ("sub.inverse-sensitivity", "sub.monotone")
LEVELS = Fraction(1, 2), Fraction(9, 10)


def lower_quantile(level: Fraction) -> Target:
    """Return the function x_(ceil(level n)) of records."""
    return lambda data: float(np.sort(data)[math.ceil(level * data.size) - 1])


def average(data: Array) -> float:
    """Return the mean of records."""
    return math.fsum(data) / data.size


def errors(
    make: Make, setting: Setting, size: tuple[int, Fraction], target: Target, runs: int = RUNS
) -> Array:
    """Differences of releases and target, shape (runs, DRAWS)."""
    rng, mechanism = np.random.default_rng([SEED, size[0], 100]), make(setting, *size)
    data_sets = setting.data_sets(size[0], runs)
    return np.array([mechanism.sample(d, DRAWS, rng=rng) - target(d) for d in data_sets])


def named_square(name: str, mechanism: Any, data: Array) -> float:
    """Mean square error of an estimator with coins, given the data, in closed form."""
    n, noise, excess = data.size, 0.0, data
    if name.startswith("tri.combined"):
        lower, upper = mechanism.ends(n)
        noise = 2 * ((upper - lower) / (n * float(mechanism.epsilon))) ** 2
        excess = data - np.clip(data, lower, upper)
    return noise + float((1 / DELTA - 1) * (excess**2).sum()) / n**2


def bias_and_square(name: str, setting: Setting) -> str:
    """Bias and root mean square; the bias of an estimator with coins is 0 on all data."""
    if name.startswith(("tri.combined", "tri.name")):
        mechanism, data_sets = MEANS[name](setting, *LARGE), setting.data_sets(LARGE[0], RUNS)
        squares = [named_square(name, mechanism, data) for data in data_sets]
        return f"0 / {short(math.sqrt(np.mean(squares)))}"
    found = errors(MEANS[name], setting, LARGE, average)
    bias, noise = found.mean(), found.mean(axis=1).std(ddof=1) / math.sqrt(RUNS)
    words = short(bias) if abs(bias) > 3 * noise else "~0"
    return f"{words} / {short(math.sqrt((found**2).mean()))}"


def error(
    make: Make, setting: Setting, size: tuple[int, Fraction], target: Target, runs: int = RUNS
) -> str:
    """Mean absolute error, in words."""
    return short(np.abs(errors(make, setting, size, target, runs)).mean())


def sampling(setting: Setting, n: int) -> str:
    """Mean absolute difference of the mean of the records and that of their law."""
    center = LAWS[setting.law][0]
    return short(np.mean([abs(average(data) - center) for data in setting.data_sets(n, RUNS)]))


def short(value: Any) -> str:
    """Two digits, without an exponent where that is short."""
    if value and abs(value) < 1e-4:
        return f"{value:.1e}"
    return str(np.format_float_positional(value, 2, unique=False, fractional=False, trim="-"))


def table(title: str, columns: Iterable[str], rows: Iterable[list[str]]) -> None:
    """Print a table, whose rows begin with what they are about."""
    names = [title, *columns]
    print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def promise(name: str) -> str:
    """Name, relation, and whether the claim has a delta, as registered."""
    entry = MECHANISMS[name.partition(",")[0]]
    relation = "swap" if name.endswith(HALF) else entry.relation.value
    return f"{name} ({relation}{', delta' if 'delta' in entry.claim else ''})"


def title_of(size: tuple[int, Fraction]) -> str:
    """Number of records and total epsilon."""
    return f"n = {size[0]:,}, epsilon = {float(size[1]):g}"


def main() -> None:
    """Print tables of mean absolute errors, of biases, of rank offsets and of quantiles."""
    print(f"seed {SEED}, {RUNS} data sets, {DRAWS} releases of each, delta = {float(DELTA):g}")
    for size in SIZES:
        rows = [["no privacy", *(sampling(s, size[0]) for s in SETTINGS)]]
        for name, make in MEANS.items():
            rows.append([promise(name), *(error(make, s, size, average) for s in SETTINGS)])
        table(title_of(size), (s.words for s in SETTINGS), rows)
    rows = [[name, *(bias_and_square(name, s) for s in BIASED)] for name in MEANS]
    table(f"bias / root mean square, {title_of(LARGE)}", (s.words for s in BIASED), rows)
    places = [(s, size) for s in SKEWED for size in SIZES[:2]]
    rows = [[name, *(error(make, *p, average) for p in places)] for name, make in RANKS.items()]
    columns = (f"{s.words}, n = {n:,}" for s, (n, _) in places)
    table(f"{PUBLIC}, epsilon = 1", columns, rows)
    print(f"\nQuantiles on a grid of step .01, {FEW} data sets:")
    for level in LEVELS:
        target, rows = lower_quantile(level), []
        for size, name in itertools.product(SIZES, SELECTED):
            make = selected(name, level)
            figures = [error(make, s, size, target, FEW) for s in QUANTILES]
            rows.append([f"{name}, {title_of(size)}", *figures])
        table(f"quantile {float(level):g}", (s.words for s in QUANTILES), rows)


if __name__ == "__main__":
    main()
