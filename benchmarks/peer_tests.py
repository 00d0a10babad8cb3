"""Tests of other tools, written anew from their publications, on one given pair and direction.

Each decides whether the loss on a pair is certainly above the claim, at level .05, from a budget of
draws of both data sets together, half of each. What a tool leaves to its user is a *tuning* (for
which draws are made anew) or a *reading* (another conclusion from the same draws); each is tried,
and the best one counts.

*DP-Sniper* (Bichsel, Steffen, Bogunovic, Vechev, S&P 2021): a classifier on a part of the draws;
the event is that its score is above the threshold that the other data set exceeds with probability
c, ties broken by a coin; Clopper-Pearson limits at half the level each on the rest. Readings: c.
*Classifier audit* (Jagielski, Ullman, Oprea, NeurIPS 2020; Lu, Munoz, Fuchs, LeBlond, Zaresky-
Williams, Raff, Ferraro, Testa, NeurIPS 2022): as before, but the threshold is the one that looks
best on training draws.
*StatDP* (Ding, Wang, Wang, Zhang, Kifer, CCS 2018): of many simple events the one that looks worst
on a sixth of the draws; on the rest the hits of the likelier data set are thinned by e^-epsilon and
compared by the hypergeometric test, the p-value averaged over thinnings.
*Mixture*: the classifier's event with StatDP's test. It is no published tool, and only says what
the published parts could do together.
*Kernel test* (Gonzalez, Dulce-Rubio, Ramdas, Ribero, arXiv 2509.07055): `benchmarks.kernel_bets`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from scipy.stats import hypergeom

from benchmarks.kernel_bets import PublishedTest, median_distance
from benchmarks.peer_cases import Given
from benchmarks.peer_classifiers import Features, Score, fit

__all__ = ["PEERS", "Peer", "clopper_pearson", "thinned_p_value"]

Array = NDArray[np.float64]
Arms = tuple[NDArray[Any], NDArray[Any]]
Found = dict[str, bool]

ALPHA = 0.05
MASSES = (0.01, 0.05, 0.1)
"""The constant c of DP-Sniper: probability of the event on the other data set."""
SHARES = (0.1, 0.2, 0.5)
"""Of the draws that train. One half is the usual one; less serves simple classifiers better."""
FOR_THRESHOLD = 1 / 3
"""Of the training draws of an audit with a flexible classifier: its scores of the draws that it was
trained on are too good."""
EVENT_SHARE, THINNINGS = 1 / 6, 200
MOST_VALUES, FEWEST_HITS = 200, 5
PARTS = (12, 24, 48)
"""Equal parts of a number's law between which StatDP's intervals end."""
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


def sniper(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """DP-Sniper's event for every c."""
    name, share = _parts(tuning)
    train, test = split(given.arms(budget // 2, rng), share)
    score = fit(name, *train)
    scores, draws = [score(arm) for arm in test], len(test[0])
    reference = np.sort(score(train[1]))[::-1]
    found = {}
    for mass in MASSES:
        place = min(int(mass * reference.size), reference.size - 1)
        threshold = reference[place]
        above, ties = (reference > threshold).sum(), (reference == threshold).sum()
        coin = float(np.clip((mass * reference.size - above) / ties, 0, 1))
        hits, other = (
            int((s > threshold).sum()) + int(rng.binomial(int((s == threshold).sum()), coin))
            for s in scores
        )
        found[f"c = {mass:g}"] = limits_exceed(hits, other, draws, given.epsilon)
    return found


def classifier_audit(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """The event above the threshold that is best on training draws."""
    hits, other, draws = _audited(given, tuning, budget, rng)
    return {"": limits_exceed(hits, other, draws, given.epsilon)}


def mixture(given: Given, tuning: str, budget: int, rng: np.random.Generator) -> Found:
    """The same event, tested as StatDP tests."""
    hits, other, draws = _audited(given, tuning, budget, rng)
    return {"": thinned_p_value(hits, other, draws, given.epsilon, rng) < ALPHA}


def _audited(
    given: Given, tuning: str, budget: int, rng: np.random.Generator
) -> tuple[int, int, int]:
    """Hits of the chosen event on both data sets, and draws of each."""
    name, share = _parts(tuning)
    train, test = split(given.arms(budget // 2, rng), share)
    choice = train
    if name != "logistic":
        choice, train = split(train, FOR_THRESHOLD)
    score = fit(name, *train)
    threshold = best_threshold(score, choice, given.epsilon)
    hits, other = (int((score(arm) >= threshold).sum()) for arm in test)
    return hits, other, len(test[0])


def _parts(tuning: str) -> tuple[str, float]:
    """Classifier and share of the draws that train."""
    name, share = tuning.split(", ")
    return name, float(share)


def best_threshold(score: Score, arms: Arms, epsilon: float) -> float:
    """The threshold with the largest gap beyond the claim, in standard errors."""
    x, y = (np.sort(score(arm))[::-1] for arm in arms)
    values = np.unique(np.concatenate([x, y]))
    values = values[np.unique(np.linspace(0, values.size - 1, 400).astype(int))]
    hits, other = (np.searchsorted(-s, -values, side="right") for s in (x, y))
    return float(values[int(np.argmax(gap(hits, other, len(x), epsilon)))])


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


def _tunings(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}, {share:g}" for name in names for share in SHARES)


PEERS: dict[str, Peer] = {
    "sniper": Peer("DP-Sniper", sniper, _tunings("logistic", "network")),
    "classifier": Peer(
        "classifier audit", classifier_audit, _tunings("logistic", "network", "trees")
    ),
    "statdp": Peer("StatDP", statdp, tuple(map(str, PARTS))),
    "mixture": Peer(
        "classifier and StatDP's test",
        mixture,
        _tunings("logistic", "network", "trees"),
        published=False,
    ),
    "kernel": Peer("kernel test", kernel, stops_early=True, most=2 * MOST_OF_KERNEL),
}
"""By the name that `--peers` takes."""
