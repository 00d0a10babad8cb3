"""Tests of other tools, written anew from their publications, on one given pair and direction.

Each decides whether the loss on a pair is certainly above the claim, at level .05, from a budget of
draws of both data sets together, half of each. What a tool leaves to its user is a *tuning* (for
which draws are made anew) or a *reading* (another conclusion from the same draws); each is tried,
and the best one counts.

*DP-Sniper* (Bichsel, Steffen, Bogunovic, Vechev, S&P 2021): a classifier on a part of the draws;
the event is that its score is above the threshold that the other data set exceeds with probability
c, ties broken by a coin; Clopper-Pearson limits at half the level each on the rest. Readings: c.
*Classifier audit* (Jagielski, Ullman, Oprea, NeurIPS 2020; Lu, Munoz, Fuchs, LeBlond, Zaresky-
Williams, Raff, Ferraro, Testa, NeurIPS 2022): as before with boosted trees too, other rates, and
the threshold that looks best on training draws.
*StatDP* (Ding, Wang, Wang, Zhang, Kifer, CCS 2018): of many simple events the one that looks worst
on a sixth of the draws; on the rest the hits of the likelier data set are thinned by e^-epsilon and
compared by the hypergeometric test, the p-value averaged over thinnings.
*Mixture*: the classifier's events with StatDP's test. It is no published tool, and only says what
the published parts could do together.
*Kernel test* (Gonzalez, Dulce-Rubio, Ramdas, Ribero, arXiv 2509.07055): `benchmarks.kernel_bets`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from scipy.stats import hypergeom

from benchmarks.kernel_bets import PublishedTest, median_distance
from benchmarks.peer_cases import Given
from benchmarks.peer_classifiers import Features, fit

__all__ = ["PEERS", "Peer", "clopper_pearson", "thinned_p_value"]

Array = NDArray[np.float64]
Arms = tuple[NDArray[Any], NDArray[Any]]
Found = dict[str, bool]

ALPHA = 0.05
MASSES = (0.01, 0.05, 0.1)
"""The constant c of DP-Sniper: probability of the event on the other data set."""
RATES = (0.05, 0.1, 0.2, 0.35)
"""The same of an audit by a classifier, beside the threshold that looks best."""
SHARES, SHARES_OF_FLEXIBLE = (0.1, 0.2, 0.5), (0.35, 0.5)
"""Of the draws that train. One half is the usual one; less serves simple classifiers better."""
EVENT_SHARE, THINNINGS = 1 / 6, 200
MOST_VALUES, FEWEST_HITS, MOST_COORDINATES = 200, 5, 24
PARTS = (4, 8, 24)
"""Equal parts of a number's law between which StatDP's intervals end: many mislead few draws."""
FIRST_OF_KERNEL, MOST_OF_KERNEL = 20, 3_000
"""Draws that set the bandwidth, and at most of each data set: the time is quadratic."""


def clopper_pearson(hits: int, draws: int, *, upper: bool, alpha: float) -> float:
    """One-sided limit of a probability."""
    if upper:
        return 1.0 if hits == draws else float(betaincinv(hits + 1, draws - hits, 1 - alpha))
    return 0.0 if hits == 0 else float(betaincinv(hits, draws - hits + 1, alpha))


def limits_exceed(hits: int, other: int, draws: int, epsilon: float) -> bool:
    """Whether two Clopper-Pearson limits, each at half the level, exceed the claim."""
    low = clopper_pearson(hits, draws, upper=False, alpha=ALPHA / 2)
    up = clopper_pearson(other, draws, upper=True, alpha=ALPHA / 2)
    return low > math.exp(epsilon) * up


def thinned_p_value(
    hits: int, other: int, draws: int, epsilon: float, rng: np.random.Generator
) -> float:
    """StatDP's p-value of P <= e^epsilon Q from hits of as many draws, averaged over thinnings."""
    thinned = rng.binomial(hits, math.exp(-epsilon), THINNINGS)
    return float(hypergeom.sf(thinned - 1, 2 * draws, draws, thinned + other).mean())


def split(arms: Arms, share: float) -> tuple[Arms, Arms]:
    """The first part of both arms, and the rest."""
    cut = max(2, round(share * len(arms[0])))
    first, rest = zip(*((arm[:cut], arm[cut:]) for arm in arms), strict=True)
    return first, rest


@final
@dataclass(frozen=True, slots=True)
class Cut:
    """An event: a score above a threshold, or at it and a coin says so."""

    threshold: float
    coin: float = 1.0

    def hits(self, scores: Array, rng: np.random.Generator) -> int:
        """Count scores in the event."""
        ties = int((scores == self.threshold).sum())
        return int((scores > self.threshold).sum()) + int(rng.binomial(ties, self.coin))


def cut_at(reference: Array, mass: float) -> Cut:
    """The event that has this probability among the reference's scores."""
    ordered = np.sort(reference)[::-1]
    threshold = ordered[min(int(mass * ordered.size), ordered.size - 1)]
    above, ties = (ordered > threshold).sum(), (ordered == threshold).sum()
    return Cut(float(threshold), float(np.clip((mass * ordered.size - above) / ties, 0, 1)))


def sniper(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """DP-Sniper's event for every c."""
    return {
        reading: limits_exceed(hits, other, draws, given.epsilon)
        for reading, hits, other, draws in _hits(given, tuning, budget, rng, MASSES, best=False)
    }


def classifier_audit(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """The classifier's events at some rates, and at the threshold that looks best."""
    return {
        reading: limits_exceed(hits, other, draws, given.epsilon)
        for reading, hits, other, draws in _hits(given, tuning, budget, rng, RATES, best=True)
    }


def mixture(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """The same events, tested as StatDP tests."""
    return {
        reading: thinned_p_value(hits, other, draws, given.epsilon, rng) < ALPHA
        for reading, hits, other, draws in _hits(given, tuning, budget, rng, RATES, best=True)
    }


def _hits(
    given: Given,
    tuning: str,
    budget: int,
    rng: np.random.Generator,
    masses: Sequence[float],
    *,
    best: bool,
) -> Iterator[tuple[str, int, int, int]]:
    """Hits of each event on both data sets, and draws of each."""
    name, share = tuning.split(", ")
    train, test = split(given.arms(budget // 2, rng), float(share))
    score = fit(name, *train)
    known, fresh = ([score(arm) for arm in arms] for arms in (train, test))
    cuts = {f"c = {mass:g}": cut_at(known[1], mass) for mass in masses}
    if best:
        cuts["best"] = Cut(best_threshold(known[0], known[1], given.epsilon))
    for reading, cut in cuts.items():
        hits, other = (cut.hits(scores, rng) for scores in fresh)
        yield reading, hits, other, len(test[0])


def best_threshold(likelier: Array, other: Array, epsilon: float) -> float:
    """The threshold with the largest gap beyond the claim, in standard errors."""
    x, y = (np.sort(scores)[::-1] for scores in (likelier, other))
    values = np.unique(np.concatenate([x, y]))
    values = values[np.unique(np.linspace(0, values.size - 1, 400).astype(int))]
    above = (np.searchsorted(-scores, -values, side="right") for scores in (x, y))
    return float(values[int(np.argmax(gap(*above, len(x), epsilon)))])


def gap(hits: NDArray[Any], other: NDArray[Any], draws: int, epsilon: float) -> Array:
    """How far counts are beyond the claim, in standard errors; none for the fewest hits."""
    s, (p, q) = math.exp(epsilon), ((h + 0.5) / (draws + 1) for h in (hits, other))
    z = (p - s * q) / np.sqrt((p * (1 - p) + s * s * q * (1 - q)) / draws)
    return np.where(hits >= FEWEST_HITS, z, -np.inf)


def statdp(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """The simple event that looks worst on a sixth of the draws, tested on the rest."""
    choice, test = split(given.arms(budget // 2, rng), EVENT_SHARE)
    best, event = -math.inf, None
    for candidate, z in events(choice, given.epsilon, int(tuning)):
        if z > best:
            best, event = z, candidate
    if event is None:
        return {"": False}
    hits, other = (int(event(arm).sum()) for arm in test)
    return {"": thinned_p_value(hits, other, len(test[0]), given.epsilon, rng) < ALPHA}


Event = Callable[[NDArray[Any]], NDArray[np.bool_]]


def statistics(outputs: NDArray[Any]) -> dict[str, Callable[[NDArray[Any]], NDArray[Any]]]:
    """Functions of an output that events are made of.

    Of one coordinate the value; of several each of them, sum, largest, smallest, where the largest
    is, how many differ from the commonest row, and rows of small integers as they are.
    """
    if outputs.ndim == 1:
        return {"value": lambda z: z}
    usual = np.array([_commonest(column) for column in outputs.T])
    found: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
        "sum": lambda z: z.astype(float).sum(axis=1),
        "largest": lambda z: z.max(axis=1),
        "smallest": lambda z: z.min(axis=1),
        "where largest": lambda z: z.argmax(axis=1),
        "differing": lambda z: (z != usual).sum(axis=1),
        "row": _row_codes,
    }
    found |= {
        f"coordinate {i}": lambda z, i=i: z[:, i]  # type: ignore[misc]
        for i in range(outputs.shape[1])
    }
    return found


def _commonest(column: NDArray[Any]) -> Any:
    values, counts = np.unique(column, return_counts=True)
    return values[counts.argmax()]


def _row_codes(z: NDArray[Any]) -> NDArray[Any]:
    """Rows of small integers as one number each; others have none in common."""
    if z.dtype.kind != "i" or z.shape[1] > 30:
        return np.zeros(len(z))
    return (z.astype(np.int64) + 1) @ 3 ** np.arange(z.shape[1], dtype=np.int64)


def events(arms: Arms, epsilon: float, parts: int) -> Iterator[tuple[Event, float]]:
    """The best event of every kind with its gap: intervals, single values, sets of values."""
    for of in statistics(arms[0]).values():
        x, y = (of(arm) for arm in arms)
        values = np.unique(np.concatenate([x, y]))
        if values.size < 2:
            continue
        if values.size <= min(MOST_VALUES, x.size) or x.dtype.kind in "US":
            yield _best_set(of, values, (x, y), epsilon)
        if x.dtype.kind not in "US":
            yield _best_interval(of, (x, y), epsilon, parts)
    if arms[0].ndim == 2 and arms[0].shape[1] <= MOST_COORDINATES:
        yield _best_rectangle(arms, epsilon)


def _best_interval(of: Any, arms: Arms, epsilon: float, parts: int) -> tuple[Event, float]:
    """Of all intervals between quantiles, tails among them."""
    both, draws = np.concatenate(arms), len(arms[0])
    cuts = np.unique(np.quantile(both, np.arange(1, parts) / parts, method="inverted_cdf"))
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    below = [np.searchsorted(np.sort(arm), edges, side="right") for arm in arms]
    low, high = np.triu_indices(edges.size, 1)
    z = gap(*(b[high] - b[low] for b in below), draws, epsilon)
    place = int(np.argmax(z))
    a, b = edges[low[place]], edges[high[place]]
    return (lambda outputs: (of(outputs) > a) & (of(outputs) <= b)), float(z[place])


def _best_rectangle(arms: Arms, epsilon: float) -> tuple[Event, float]:
    """Of all rectangles between the quarters of two coordinates."""
    cuts = [np.quantile(column, (0.25, 0.5, 0.75)) for column in np.concatenate(arms).T]
    edges = [np.concatenate([[-np.inf], c, [np.inf]]) for c in cuts]
    cells = [[np.digitize(arm[:, i], c, right=True) for i, c in enumerate(cuts)] for arm in arms]
    low, high = np.triu_indices(5, 1)
    best, value = (0, 1, 0, 0), -math.inf
    for i in range(len(cuts)):
        for j in range(i + 1, len(cuts)):
            counts = []
            for of in cells:
                table = np.zeros((5, 5))
                table[1:, 1:] = np.bincount(4 * of[i] + of[j], minlength=16).reshape(4, 4)
                sums = table.cumsum(axis=0).cumsum(axis=1)
                rows = sums[high] - sums[low]
                counts.append(rows[:, high] - rows[:, low])
            z = gap(*counts, len(arms[0]), epsilon)
            a, b = np.unravel_index(int(z.argmax()), z.shape)
            if z[a, b] > value:
                best, value = (i, j, int(a), int(b)), float(z[a, b])
    i, j, a, b = best

    def event(z: NDArray[Any]) -> NDArray[np.bool_]:
        first = (z[:, i] > edges[i][low[a]]) & (z[:, i] <= edges[i][high[a]])
        return first & (z[:, j] > edges[j][low[b]]) & (z[:, j] <= edges[j][high[b]])

    return event, value


def _best_set(of: Any, values: NDArray[Any], arms: Arms, epsilon: float) -> tuple[Event, float]:
    """Of the single values, and of the sets of those that look likeliest, the best."""
    draws = len(arms[0])
    hits, other = (np.bincount(np.searchsorted(values, a), minlength=values.size) for a in arms)
    single = gap(hits, other, draws, epsilon)
    order = np.argsort(-(hits + 0.5) / (other + 0.5), kind="stable")
    prefix = gap(np.cumsum(hits[order]), np.cumsum(other[order]), draws, epsilon)
    chosen = order[: int(np.argmax(prefix)) + 1]
    if single.max() > prefix.max():
        chosen = np.array([int(np.argmax(single))])
    members = values[chosen]
    return (lambda outputs: np.isin(of(outputs), members)), float(max(single.max(), prefix.max()))


def kernel(given: Given, _: str, budget: int, rng: np.random.Generator) -> Found:
    """The published kernel test, looked at after every pair of draws."""
    draws = min(budget // 2, MOST_OF_KERNEL)
    arms = given.arms(draws, rng)
    features = Features.of(np.concatenate(arms))
    x, y = (_points(arm, features) for arm in arms)
    median = median_distance(x[:FIRST_OF_KERNEL], y[:FIRST_OF_KERNEL])
    test = PublishedTest(given.epsilon, 0.0, median)
    stop = test.draws_to_reject(x[FIRST_OF_KERNEL:], y[FIRST_OF_KERNEL:])
    return {"": stop < math.inf}


def _points(outputs: NDArray[Any], features: Features) -> Array:
    """Numbers as they are, labels as unit vectors."""
    if outputs.dtype.kind in "US":
        return features(outputs)
    return outputs.reshape(len(outputs), -1).astype(float)


@final
@dataclass(frozen=True, slots=True)
class Peer:
    """A test that ours is compared with.

    Parameters
    ----------
    name : str
        Its name.
    certify : callable (given, tuning, budget, rng) -> found by reading
        The test.
    tunings : tuple of str
        Its constants, of which the best counts.
    stops_early : bool
        Whether it may stop before its budget is spent.
    most : int or None
        Largest budget that is tried, for its time.
    published : bool
        Whether it is a tool's, and so one that ours is held against.
    """

    name: str
    certify: Callable[[Given, str, int, np.random.Generator], Found]
    tunings: tuple[str, ...] = ("",)
    stops_early: bool = False
    most: int | None = None
    published: bool = True


def _tunings(*flexible: str) -> tuple[str, ...]:
    simple = [f"logistic, {share:g}" for share in SHARES]
    return (*simple, *(f"{name}, {share:g}" for name in flexible for share in SHARES_OF_FLEXIBLE))


PEERS: dict[str, Peer] = {
    "sniper": Peer("DP-Sniper", sniper, _tunings("network")),
    "classifier": Peer("classifier audit", classifier_audit, _tunings("network", "trees")),
    "statdp": Peer("StatDP", statdp, tuple(map(str, PARTS))),
    "mixture": Peer(
        "classifier and StatDP's test",
        mixture,
        _tunings("network", "trees"),
        published=False,
    ),
    "kernel": Peer("kernel test", kernel, stops_early=True, most=2 * MOST_OF_KERNEL),
}
"""By the name that `--peers` takes."""
