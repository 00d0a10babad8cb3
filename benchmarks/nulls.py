"""Mechanisms exactly at their claim: what an auditor must not refute more often than it states.

The one list of null rows, for `benchmarks.calibration` and for the slow tests. Each claim is met
with equality by every pair of its row (by the hourglass mean's noisy pair; the clipped ratio may
lose less). Where the exact level is irrational, the claim is it, rounded up after 6 digits or
more: 2 ln 3 = 2.19722457733622 (RAPPOR, two bits of loss ln 3 each), Phi(-1/2) - e Phi(-3/2) =
0.126936737506644 (a Gaussian at a distance of one standard deviation, epsilon = 1), and
0.910995885744948 (svt1 at epsilon = 1, half of ten answers down by 2, by its `epsilon_exact`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.settings import Settings
from audit.engine.allocation import FEW_PAIRS
from audit.engine.loop import FIRST_RUN_SHARE, rounds
from audit.engine.run_state import Run
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.targets.target import Target
from benchmarks.power_rows import (
    ROWS,
    Draw,
    gauss,
    geometric,
    laplace,
    randomized_response,
    rappor,
    sampled,
    vector_of,
)
from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.corpus.nulls import PersonalizedSum
from mechanisms.corpus.sparse_vector import SparseVector

__all__ = ["DRAWS", "DRAWS_OF_SHORT_RUNS", "NULLS", "SHORT", "Null", "begin", "end_of"]

DRAWS, DRAWS_OF_SHORT_RUNS = 20_000, 1_000
"""Of each arm, in the mean over the pairs."""

SHORT = ("laplace", "randomized-response", "gaussian-approximate")
"""Rows that many short runs are made of."""

STEP = 2.0**-10
"""Of the lattice that discrete noise lives on."""


@final
@dataclass(frozen=True, slots=True)
class Null:
    """A mechanism at its exact claim.

    Parameters
    ----------
    name : str
        Mechanism and claim, in words.
    draw : callable (data, size, rng) -> outputs
        The sampler, vectorized.
    level : Level
        The claim.
    pairs : list of Pair
        Listed neighbors.
    ideal : bool
        Whether the floating-point lattices are left out.
    """

    name: str
    draw: Draw
    level: Level
    pairs: list[Pair] = field(default_factory=lambda: [Pair("0 and 1", 0.0, 1.0)])
    ideal: bool = True


def begin(null: Null, seed: int, draws: int, *, false_alarm: float = 0.05) -> Run:
    """Begin the run that `audit` makes of a row, in the default configuration.

    The same code at the same share of the false-alarm rate; all draws are the run's, where `audit`
    keeps some of its budget for upper limits.

    Parameters
    ----------
    null : Null
        The row.
    seed : int
        Of all streams.
    draws : int
        Of each arm, in the mean over the pairs.
    false_alarm : float
        Stated rate.
    """
    target = Target(name=null.name, draw=null.draw, claim=None, order=Order.FIXED)
    claim = PrivacyClaim(null.level, Relation.LISTED, Source("benchmark", "stated"))
    settings = Settings(
        seed=seed,
        false_alarm=false_alarm,
        ideal=null.ideal,
        budget_samples=2 * draws * len(null.pairs),
        budget_seconds=3600,
    )
    grid = grid_of(claim, user=null.pairs[0].user, coarse=len(null.pairs) > FEW_PAIRS)
    return Run.start(target, claim, null.pairs, settings, grid, None, FIRST_RUN_SHARE)


def end_of(run: Run) -> str:
    """Draw and bet until something stops the run: "refuted" or "samples".

    Raises
    ------
    RuntimeError
        If anything else stopped it: such a run says nothing about the rate.
    """
    stopped_by, reason = rounds(run)
    if stopped_by not in {"refuted", "samples"}:
        msg = f"{run.target.name}, seed {run.settings.seed}: stopped by {stopped_by} {reason}"
        raise RuntimeError(msg)
    return stopped_by


def laplace_on_lattice(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A number plus a multiple of 2^-10, of law proportional to e^-|z|; no rounding anywhere."""
    p = -math.expm1(-STEP)
    return np.asarray(float(data) + STEP * (rng.geometric(p, size) - rng.geometric(p, size)))


def kept_parity(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """An even number, plus a bit that is the data's with probability e / (1 + e)."""
    bit = np.where(rng.random(size) < math.e / (1 + math.e), int(data), 1 - int(data))
    return np.asarray(2 * rng.integers(-(10**6), 10**6, size) + bit)


def _with_user(user: int, data: Any, neighbor: Any) -> Pair:
    return Pair(f"user {user}", data, neighbor, user=user)


_SVT = SparseVector(1, "svt1")
_PERSONAL = PersonalizedSum()
_VECTOR = [Pair("one of ten moves", np.zeros(10), np.eye(10)[0])]
_ONE_MORE = [Pair("ten zeros; a one more", np.zeros(10), np.append(np.zeros(10), 1.0))]

NULLS: dict[str, Null] = {
    "laplace": Null("Laplace, epsilon 1", laplace, PureDP(1)),
    "randomized-response": Null("randomized response, epsilon 1", randomized_response, PureDP(1)),
    "geometric": Null("geometric, epsilon 1", geometric, PureDP(1)),
    "hourglass-mean": Null(
        "hourglass mean (add-remove), epsilon 1",
        sampled(TransformedMean(1, noise="hourglass")),
        PureDP(1),
        _ONE_MORE,
    ),
    "gaussian-approximate": Null("Gaussian, (1, .126937)", gauss, ApproxDP(1, "0.126937")),
    "gaussian-zcdp": Null("Gaussian, zCDP .5", gauss, ZeroConcentratedDP("0.5")),
    "gaussian-gdp": Null("Gaussian, GDP 1", gauss, GaussianDP(1)),
    "rappor": Null(
        "RAPPOR, 20 bits, epsilon 2 ln 3", rappor, PureDP("2.197224578"), ROWS["13a"].pairs
    ),
    "svt": Null(
        "svt1, rows of 10 answers, epsilon .9109959",
        sampled(_SVT),
        PureDP("0.9109959"),
        [Pair("half of the answers", *_SVT.pairs[4])],
    ),
    "laplace-vector": Null(
        "Laplace, 10 coordinates, epsilon 1", vector_of(laplace), PureDP(1), _VECTOR
    ),
    "twelve-pairs": Null(
        "Laplace, 12 pairs, epsilon 1 each",
        laplace,
        PureDP(1),
        [Pair(f"pair {i + 1}", 10.0 * i, 10.0 * i + 1) for i in range(12)],
    ),
    "personalized": Null(
        "sum with budgets 1/2, 1, 2",
        sampled(_PERSONAL),
        _PERSONAL.claim.level,
        [_with_user(user, *pair) for user, pair in enumerate(_PERSONAL.pairs)],
    ),
    "remainders": Null("parity kept with e / (1 + e), epsilon 1", kept_parity, PureDP(1)),
    "lattice": Null(
        "discrete Laplace on 2^-10 Z, epsilon 1, lattices on",
        laplace_on_lattice,
        PureDP(1),
        ideal=False,
    ),
}
"""Rows by name."""
