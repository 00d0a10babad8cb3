"""The fourteen cases of the comparison with other tests: mechanism, pure claim, pairs, exact laws.

The exact laws only say which pair, and which of its data sets, a test is given: the pair with the
largest K (`benchmarks.limits`), and the data set on which the violating outputs are likelier, by
the divergence beyond the claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from audit.pairs.worst_cases import Pair
from benchmarks.corpus_laws import largest
from benchmarks.limits import LAWS, Laws, dense_laws
from benchmarks.power_rows import HALVED_MAX, ROWS, SVT_WITHOUT_CUT_OFF, Draw, sampled
from benchmarks.projection import project_on_lines
from mechanisms.claims import PureDP
from mechanisms.corpus.noisy_max import NoisyMax
from mechanisms.corpus.sparse_vector import SparseVector

__all__ = ["CASES", "Case", "Given"]

OUTCOMES = 12
SIGMA = 1.0


@final
@dataclass(frozen=True, slots=True)
class Given:
    """What a test is told: the pair, the likelier data set first, and the loss that is claimed."""

    draw: Draw
    likelier: Any
    other: Any
    epsilon: float

    def arms(self, size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draw as often on either data set."""
        likelier = np.asarray(self.draw(self.likelier, size, rng))
        return likelier, np.asarray(self.draw(self.other, size, rng))


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Parameters
    ----------
    name : str
        Mechanism, true loss and claim.
    draw : callable (data, size, rng) -> outputs
        The sampler.
    epsilon : str
        The claim.
    laws : callable (pair) -> laws
        Probabilities of fine cells on the two data sets of a pair.
    pairs : list of Pair
        Listed neighbors.
    """

    name: str
    draw: Draw
    epsilon: str
    laws: Callable[[Pair], Laws]
    pairs: list[Pair] = field(default_factory=lambda: [Pair("0 and 1", 0.0, 1.0)])

    @property
    def level(self) -> PureDP:
        """The claim."""
        return PureDP(self.epsilon)

    @property
    def best(self) -> Pair:
        """The pair with the largest K."""
        return self.pairs[_best_place(self.name)]

    def given(self) -> Given:
        """The best pair, the likelier data set first."""
        pair, epsilon = self.best, float(self.level.epsilon)
        p, q = self.laws(pair)
        s = math.exp(epsilon)
        forth, back = (np.maximum(u - s * v, 0).sum() for u, v in ((p, q), (q, p)))
        data, neighbor = (pair.data, pair.neighbor)[:: 1 if forth >= back else -1]
        return Given(self.draw, data, neighbor, epsilon)


@cache
def _best_place(name: str) -> int:
    case = CASES[name]
    if len(case.pairs) == 1:
        return 0
    line = [(float(case.level.epsilon), 0.0)]
    rates = []
    for pair in case.pairs:
        p, q = case.laws(pair)
        s = math.exp(line[0][0])
        violated = max(np.maximum(p - s * q, 0).sum(), np.maximum(q - s * p, 0).sum()) > 1e-9
        rates.append(project_on_lines(p, q, line).rate if violated else 0.0)
    return int(np.argmax(rates))


def exponential(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose one of 12 outcomes with weight e^(.75 score): twice the exponent that .75 allows."""
    return rng.choice(OUTCOMES, size, p=exponential_law(data))


def exponential_law(scores: Any) -> NDArray[np.float64]:
    """Probabilities of the outcomes."""
    weights = np.exp(0.75 * (scores - scores.max()))
    return np.asarray(weights / weights.sum())


def clipped(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A number plus N(0, 1), clipped to [0, 1]: the largest loss is that of the ends, 1.148."""
    return np.clip(float(data) + SIGMA * rng.normal(size=size), 0, 1)


def clipped_laws(pair: Pair) -> Laws:
    """Both ends, and cells between."""
    edges = np.concatenate([[-np.inf], np.linspace(0, 1, 1001), [np.inf]])
    p, q = (np.diff(ndtr((edges - float(data)) / SIGMA)) for data in (pair.data, pair.neighbor))
    return p, q


def sum_of_two(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The sum of two coordinates, each the record plus Lap(1): it loses up to 2."""
    return 2 * float(data) + rng.laplace(size=size) + rng.laplace(size=size)


def sum_laws(pair: Pair) -> Laws:
    """Cells of the sum, whose cdf is e^z (2 - z) / 4 for z < 0, and symmetric."""
    edges = np.concatenate([[-np.inf], np.linspace(-20, 22, 4201), [np.inf]])

    def cdf(z: NDArray[np.float64]) -> NDArray[np.float64]:
        finite = np.clip(z, -700, 700)
        tail = np.exp(-np.abs(finite)) * (2 + np.abs(finite)) / 4
        return np.where(finite < 0, tail, 1 - tail)

    p, q = (np.diff(cdf(edges - 2 * float(data))) for data in (pair.data, pair.neighbor))
    return np.maximum(p, 0), np.maximum(q, 0)


def two_of_ten(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Ten coordinates plus Lap(2) each: together a loss of 1 where two of them move by 1."""
    return np.asarray(data + 2 * rng.laplace(size=(size, 10)))


def _of_row(row: str, name: str, epsilon: str) -> Case:
    return Case(name, ROWS[row].draw, epsilon, lambda _: LAWS[row](), ROWS[row].pairs)


def _pairs(mechanism: NoisyMax | SparseVector) -> list[Pair]:
    return [Pair(f"pair {i + 1}", x, y) for i, (x, y) in enumerate(mechanism.pairs)]


def _discrete(name: str, mechanism: NoisyMax | SparseVector, epsilon: str) -> Case:
    def laws(pair: Pair) -> Laws:
        return mechanism.law(pair.data), mechanism.law(pair.neighbor)

    return Case(name, sampled(mechanism), epsilon, laws, _pairs(mechanism))


_LARGEST = NoisyMax(1, value=True)
_LEE_CLIFTON = SparseVector(1, "svt4")
_SCORES = np.linspace(0, 3, OUTCOMES)
_MOVED = _SCORES + np.where(np.arange(OUTCOMES) < 4, 1, -1)
_TWO_MOVE = np.isin(np.arange(10), (3, 7)).astype(float)

_ALL = (
    _of_row("2", "Laplace, 1 / .8", "0.8"),
    _of_row("1", "Laplace, 1 / .9", "0.9"),
    _of_row("5", "geometric, 1 / .9", "0.9"),
    Case(
        "noisy max, value, 2.5 / 1",
        sampled(_LARGEST),
        "1",
        lambda pair: largest(_LARGEST, pair.data, pair.neighbor),
        _pairs(_LARGEST),
    ),
    _discrete("noisy max, index, half noise / 1", HALVED_MAX, "1"),
    _discrete("sparse vector 4, 1.74 / 1", _LEE_CLIFTON, "1"),
    _discrete("sparse vector 6 / 1", SVT_WITHOUT_CUT_OFF, "1"),
    Case(
        "exponential mechanism, 12 outcomes, 1.15 / 1",
        exponential,
        "1",
        lambda pair: (exponential_law(pair.data), exponential_law(pair.neighbor)),
        [Pair("four low scores rise", _SCORES, _MOVED)],
    ),
    Case("Gauss clipped to [0, 1], 1.15 / .9", clipped, "0.9", clipped_laws),
    Case("sum of two noisy coordinates, 2 / 1", sum_of_two, "1", sum_laws),
    Case(
        "Laplace, two of ten coordinates, 1 / .8",
        two_of_ten,
        "0.8",
        lambda _: dense_laws(),
        [Pair("two move", np.zeros(10), _TWO_MOVE)],
    ),
    _of_row("31", "150 names, .724 / .579", "0.579"),
    _of_row("27", "checkerboard in 2 of 3, 1.3 / 1", "1"),
    _of_row("23", "total leak / 1", "1"),
)

CASES: dict[str, Case] = {case.name: case for case in _ALL}
"""By name."""
