"""Tracing: a lower limit on epsilon from how much a release follows its records.

The fingerprinting argument of TRI (proof of Theorem 2.1.1), run as an auditor. The n records are
independent, v with probability p and otherwise 0. With the release M clipped to [vp - B, vp + B],

    W = M - vp,    S = sum of (X_i / v - p),    E = e^epsilon,

    E[W S] <= n p (1 - p) (k+ E[W+] + k- E[W-] + 2 delta B),
    k+ = (E - 1) / (1 + p (E - 1)),    k- = (E - 1) / (1 + (1 - p) (E - 1)),

if M is (epsilon, delta)-private for one record replaced. For let Q1 and Q0 be the laws of W given
X_i = v and X_i = 0. Then E[W (X_i / v - p)] = p (1 - p) (Q1[W] - Q0[W]). With a = Q1[W+] and
b = Q0[W+], a <= E b + delta B, as each tail {W > x} has Q1 <= E Q0 + delta and x <= B; so that

    a - b - k+ (p a + (1 - p) b) = (a - E b) / (1 + p (E - 1)) <= delta B,

and likewise for W-, with Q1 and Q0 exchanged. One record and W = +-B by randomized response attain
it for delta = 0. The thesis has 2 sinh(epsilon) for k+ and k-, neither of which is above E - 1.

The test. With c = 2 n p (1 - p) delta B the variable

    D = W S - n p (1 - p) (k+ W+ + k- W-) - c >= -n B (1 + delta / 2)

has mean at most 0 under the claim. Its lower limit: for W > 0, W S >= -n p W and
p + p (1 - p) k+ <= 1, likewise for W < 0, and c <= n B delta / 2. For stakes s that keep 1 + s D
above 0 the mean over some of them, fixed, of the products of 1 + s D over independent draws is an
e-value: it exceeds 1 / false_alarm with at most that probability. D decreases in epsilon at every
draw, and so does the e-value; what is refuted is an interval that begins at 0, and its end is above
the true epsilon with probability at most false_alarm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import CLIP, mixture
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Mechanism
from mechanisms.validation import Number, check_fraction, check_integer, shown

__all__ = [
    "CallFailed",
    "TracingLaw",
    "TracingResult",
    "draw_pairs",
    "excess",
    "largest_shares",
    "trace",
]

Array = NDArray[np.float64]

_VALUES = 2**22
"""Records that are held at a time."""


@final
@dataclass(frozen=True, slots=True)
class TracingLaw:
    """Records that are v with probability p and otherwise 0, and the clip of the release.

    Parameters
    ----------
    value, p : float
        v and p.
    records : int
        Number n of records.
    bound : float
        B.
    """

    value: float
    p: float
    records: int
    bound: float


class CallFailed(Exception):
    """A call for several draws raised."""


def draw_pairs(
    mechanism: Mechanism, law: TracingLaw, draws: int, rng: np.random.Generator, *, single: bool
) -> tuple[Array, Array]:
    """Draw S and the release, NaN where it is no number, shape (draws,) each."""
    outputs, s = np.empty(draws), np.empty(draws)
    size = max(1, _VALUES // law.records)
    for start in range(0, draws, size):
        part = slice(start, min(start + size, draws))
        bits = rng.random((part.stop - start, law.records)) < law.p
        counts = bits.sum(axis=1)
        s[part] = counts - law.records * law.p
        if mechanism.order is Order.FREE:  # equal counts then mean equal data
            bits = np.arange(law.records) < counts[:, None]
        if single:
            outputs[part] = [_one(mechanism, law.value * row, rng) for row in bits]
        else:
            outputs[part] = _many(mechanism, law.value, bits, rng)
    return s, outputs


def _one(mechanism: Mechanism, data: Array, rng: np.random.Generator) -> float:
    """Release once; NaN where the mechanism raises, which is an outcome."""
    try:
        drawn = mechanism.sample(data, 1, rng=rng)
    except (InvalidArgument, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - the mechanism's failure is an outcome
        return math.nan
    return float(_numbers(drawn, 1)[0])


def _many(
    mechanism: Mechanism, value: float, bits: NDArray[np.bool_], rng: np.random.Generator
) -> Array:
    """Release once for each row of bits; equal rows share a call."""
    keys = np.packbits(bits, axis=1)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    ranks = place.ravel()
    groups = np.split(np.argsort(ranks, kind="stable"), np.cumsum(np.bincount(ranks))[:-1])
    outputs = np.empty(len(bits))
    for row, group in zip(bits[first], groups, strict=True):
        try:
            drawn = mechanism.sample(value * row, group.size, rng=rng)
        except (InvalidArgument, MemoryError):
            raise
        except Exception as failure:
            raise CallFailed from failure
        outputs[group] = _numbers(drawn, group.size)
    return outputs


def _numbers(outputs: Any, size: int) -> Array:
    """Read releases as doubles, one a draw; what is no number is NaN."""
    try:
        numbers = np.asarray(outputs, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(z) for z in outputs])
    if numbers.shape != (size,):
        msg = f"mechanism must release one number a draw, got shape {numbers.shape} for {size}"
        raise InvalidArgument(msg)
    return numbers


def _number(release: Any) -> float:
    try:
        return float(release)
    except (TypeError, ValueError, OverflowError):
        return math.nan


MOST = Fraction(10) ** 75
"""Largest value and bound, and 1 / MOST the smallest: the products below are ordinary doubles."""

MOST_COUNTED = 2**53
"""Draws and records: doubles count no further."""

EPSILON_MOST = 64.0
"""Above every lower limit that draws could give."""

STAKES: Array = CLIP * 0.5 ** np.arange(12.0)
"""Shares of the largest stake that the e-value is the mean over."""

SPARE = 0.05
"""Share of the wealth kept for draws one by one, for the case that a call raises.

Which of its draws failed is then not known, so that everything is drawn again. The e-value is that
of the first draws times 1 - SPARE if no call raised, and that of the second times SPARE otherwise;
its mean is still at most 1. False alarms of the interval are shared alike.
"""

_STEPS = 24


@final
@dataclass(frozen=True, slots=True)
class TracingResult:
    """What tracing found.

    Parameters
    ----------
    epsilon_lower : float
        Lower confidence limit on epsilon at `delta`, for one record replaced; 0 where nothing is
        refuted. A claim of a smaller epsilon is refuted.
    delta : Fraction
        The delta at which it holds.
    false_alarm : float
        Probability that the limit is above the true epsilon: at most this.
    statistic : float
        Mean over the draws of the sum of `(M - vp)(X_i / v - p)`, M clipped.
    interval : tuple of float
        Confidence interval of its expectation at level 1 - false_alarm, by itself.
    reference : float
        v p (1 - p): what it is for the mean of the records, with any noise but without the clip.
    deviation : float
        Mean of `|M - vp|`.
    draws : int
        Number of draws.
    failures : int
        Releases that were no number, or an exception.
    """

    epsilon_lower: float
    delta: Fraction
    false_alarm: float
    statistic: float
    interval: tuple[float, float]
    reference: float
    deviation: float
    draws: int
    failures: int


def trace(
    mechanism: Mechanism,
    *,
    value: Number,
    probability: Number,
    records: int,
    draws: int,
    bound: Number,
    delta: Number = 0,
    false_alarm: float = 0.05,
    rng: np.random.Generator,
) -> TracingResult:
    """Draw records and releases, and bound epsilon from below.

    Parameters
    ----------
    mechanism : Mechanism
        Releases one number a draw. A release that is no number, or an exception, counts as vp.
    value, probability : int, float, str or Fraction
        v from 1e-75 to 1e75, p in (0, 1): each record is v with probability p, otherwise 0.
    records : int
        Number n of records.
    draws : int
        Number of data sets, each with one release; at least 2.
    bound : int, float, str or Fraction
        B from 1e-75 to 1e75: releases are clipped to [vp - B, vp + B]. A few times the usual
        `|M - vp|` is best.
    delta : int, float, str or Fraction
        In [0, 1]: epsilon is bounded for this delta.
    false_alarm : float
        Probability of too large a limit, in (0, 1).
    rng : numpy.random.Generator
        Source of randomness; advanced by the call.

    Returns
    -------
    TracingResult

    Raises
    ------
    InvalidArgument
        If a parameter is out of its domain, or the mechanism does not release one number a draw.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, proof of Theorem 2.1.1 (TRI-A.TRACE, TRI-EA.3-up); the bound
       with k+ and k- is ours.

    Examples
    --------
    >>> import numpy as np
    >>> from audit.tracing import trace
    >>> from mechanisms.registry import build_mechanism
    >>> mean = build_mechanism("ksw.swap-laplace", epsilon=2)
    >>> result = trace(
    ...     mean, value=1, probability="1/2", records=1, draws=20_000, bound=1,
    ...     rng=np.random.default_rng(1),
    ... )
    >>> 1 < result.epsilon_lower < 2
    True
    """
    law = TracingLaw(
        value=_check_scale(value, "value"),
        p=float(check_fraction(probability, "probability", above=0, below=1)),
        records=check_integer(records, "records", at_least=1),
        bound=_check_scale(bound, "bound"),
    )
    draws = check_integer(draws, "draws", at_least=2)
    for number, name in ((draws, "draws"), (records, "records")):
        check_fraction(number, name, at_most=MOST_COUNTED)
    exact_delta = check_fraction(delta, "delta", at_least=0, at_most=1)
    alarm = float(check_fraction(false_alarm, "false_alarm", above=0, below=1))
    if not callable(getattr(mechanism, "sample", None)):
        msg = f"mechanism must have sample(data, size, *, rng), got mechanism={shown(mechanism)}"
        raise InvalidArgument(msg)
    if not callable(getattr(rng, "random", None)):
        msg = f"rng must be a generator of numpy, got rng={shown(rng)}"
        raise InvalidArgument(msg)
    try:
        s, outputs = draw_pairs(mechanism, law, draws, rng, single=False)
        share = 1 - SPARE
    except CallFailed:
        s, outputs = draw_pairs(mechanism, law, draws, rng, single=True)
        share = SPARE
    w = np.clip(outputs - law.value * law.p, -law.bound, law.bound)
    failed = np.isnan(w)
    w[failed] = 0.0
    least = -math.log(alarm) - math.log(share)
    return TracingResult(
        epsilon_lower=_largest_refuted(w, s, law, float(exact_delta), least),
        delta=exact_delta,
        false_alarm=alarm,
        statistic=float((w * s).mean()),
        interval=_interval(
            w * s, 2 * law.records * law.bound * max(law.p, 1 - law.p), share * alarm
        ),
        reference=law.value * law.p * (1 - law.p),
        deviation=float(np.abs(w).mean()),
        draws=draws,
        failures=int(np.count_nonzero(failed)),
    )


def largest_shares(growth: Any, p: Any) -> tuple[Any, Any]:
    """Give k+ and k- for growth = e^epsilon - 1 and p: floats, Fractions or balls."""
    return growth / (1 + p * growth), growth / (1 + (1 - p) * growth)


def _check_scale(value: Number, name: str) -> float:
    return float(check_fraction(value, name, above=0, at_least=1 / MOST, at_most=MOST))


def excess(w: Any, s: Any, law: TracingLaw, growth: Any, delta: Any) -> Any:
    """Give D of draws: its mean is at most 0 under (epsilon, delta), growth = e^epsilon - 1.

    Parameters
    ----------
    w, s : ndarray, shape (draws,)
        The clipped release less vp, and the sum of X_i / v - p.
    law : TracingLaw
        Of the records.
    growth, delta : float or Fraction
        The claim.

    Returns
    -------
    ndarray, shape (draws,)
    """
    up, down = largest_shares(growth, law.p)
    allowed = up * np.maximum(w, 0) + down * np.maximum(-w, 0) + 2 * delta * law.bound
    return w * s - law.records * law.p * (1 - law.p) * allowed


def _log_e(w: Array, s: Array, law: TracingLaw, epsilon: float, delta: float) -> float:
    """Logarithm of the e-value against (epsilon, delta)."""
    largest = 1 / (law.records * law.bound * (1 + delta / 2))
    shares = largest * excess(w, s, law, math.expm1(epsilon), delta)
    logs = np.array([np.log1p(stake * shares).sum() for stake in STAKES])
    return float(mixture(logs, np.full(STAKES.size, 1 / STAKES.size)))


def _largest_refuted(w: Array, s: Array, law: TracingLaw, delta: float, least: float) -> float:
    """Find the end of the interval of epsilons that are refuted, from below; 0 if there is none."""
    low, high = 0.0, EPSILON_MOST
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _log_e(w, s, law, middle, delta) >= least:
            low = middle
        else:
            high = middle
    return low


def _interval(values: Array, width: float, alarm: float) -> tuple[float, float]:
    """Bound the mean of values in a range of this width (Maurer and Pontil 2009, Theorem 4)."""
    n, log = values.size, math.log(4 / alarm)
    half = math.sqrt(2 * float(values.var(ddof=1)) * log / n) + 7 * width * log / (3 * (n - 1))
    return float(values.mean()) - half, float(values.mean()) + half
