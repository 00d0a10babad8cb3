"""The tracing auditor: its limit is close, and rarely too large; failures are outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta

from audit.tracing import TracingResult, trace
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.errors import InvalidArgument

F = Fraction
FAILURE = RuntimeError("no answer")


def claim(epsilon: float, delta: float = 0) -> PrivacyClaim:
    """A claim for one record replaced."""
    return PrivacyClaim(ApproxDP(epsilon, delta), Relation.SWAP, Source("test", "here"))


@final
@dataclass(frozen=True)
class LaplaceMean:
    """The mean of records in [0, high] with Laplace noise; without noise for epsilon = 0."""

    epsilon: float = 1.0
    high: float = 1.0
    order: Order = Order.FREE

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim(self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw means."""
        values = np.clip(data, 0, self.high)
        if self.epsilon == 0:
            return np.full(size, values.mean())
        scale = self.high / (self.epsilon * values.size)
        return np.asarray(values.mean() + rng.laplace(0, scale, size))


@final
@dataclass(frozen=True)
class Response:
    """Randomized response to the last record: 0 or 1, and told as it is with probability delta."""

    epsilon: float = 1.0
    delta: float = 0.0
    order: Order = Order.FIXED
    failing: str = "never"

    @property
    def claim(self) -> PrivacyClaim:
        """Approximate."""
        return claim(self.epsilon, self.delta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """Draw answers; an answer of 1/2 is a failure of the stated kind."""
        rate = (1 - self.delta) / (1 + math.exp(self.epsilon))
        answers = np.abs(data[-1] - (rng.random(size) < rate)).astype(float)
        if self.failing == "never":
            return answers
        failed = rng.random(size) < 0.1
        if self.failing == "raises" and failed.any():
            raise FAILURE
        other = {"NaN": math.nan, "None": None, "exception": FAILURE}
        return [other.get(self.failing) if f else x for f, x in zip(failed, answers, strict=True)]


@final
@dataclass(frozen=True)
class Scripted:
    """Releases by a function of the data and the number of draws."""

    releases: Callable[[Any, int], Any]
    order: Order = Order.FREE

    @property
    def claim(self) -> PrivacyClaim:
        """Nothing private at all."""
        return claim(0)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:  # noqa: ARG002
        """Draw nothing."""
        return self.releases(data, size)


def run(mechanism: Any, rng: np.random.Generator, **arguments: Any) -> TracingResult:
    """Trace one record, a coin, with the outputs of randomized response unclipped."""
    usual: dict[str, Any] = {
        "value": 1,
        "probability": "1/2",
        "records": 1,
        "draws": 20_000,
        "bound": "1/2",
    }
    return trace(mechanism, **{**usual, **arguments}, rng=rng)


@pytest.mark.parametrize(
    ("value", "p", "reference"), [(10, "0.01", "0.099"), (2, "0.5", "0.5"), (5, "0.1", "0.45")]
)
def test_statistic_of_a_mean_is_the_reference(
    value: int, p: str, reference: str, dp_rng: np.random.Generator
) -> None:
    """The sum for a mean must be v p (1 - p), TRI-A.TRACE: inside the interval, not 1.3 of it."""
    mechanism = LaplaceMean(4, value)
    result = trace(
        mechanism,
        value=value,
        probability=p,
        records=2,
        draws=200_000,
        bound=2 * value,
        false_alarm=1e-6,
        rng=dp_rng,
    )
    assert f"{result.reference:.12g}" == reference
    lower, upper = result.interval
    assert lower < result.reference < upper < 1.3 * result.reference
    assert lower < result.statistic < upper


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_limit_is_close_for_randomized_response(
    epsilon: float, dp_rng: np.random.Generator
) -> None:
    """The limit must be below the true epsilon, and above 0.88 of it after 100,000 draws."""
    result = run(Response(epsilon), dp_rng, draws=100_000, false_alarm=1e-6)
    assert 0.88 * epsilon < result.epsilon_lower <= epsilon


@pytest.mark.long
def test_limit_is_close_for_the_laplace_mean(dp_rng: np.random.Generator) -> None:
    """One record: above 0.9 for epsilon = 1; a fifth less noise must be refuted."""
    private = run(LaplaceMean(1), dp_rng, bound=2, draws=200_000, false_alarm=1e-6)
    assert 0.9 < private.epsilon_lower <= 1
    broken = run(LaplaceMean(1.25), dp_rng, bound=2, draws=100_000, false_alarm=1e-6)
    assert broken.epsilon_lower > 1
    several = run(LaplaceMean(1.5), dp_rng, records=2, bound=1, draws=100_000, false_alarm=1e-6)
    assert 1 < several.epsilon_lower <= 1.5


@pytest.mark.parametrize(("records", "p", "least"), [(1, "1/2", 5), (5, "1/50", 2)])
def test_mean_without_noise_is_refuted(
    records: int, p: str, least: float, dp_rng: np.random.Generator
) -> None:
    """A limit far above every usual epsilon must come out, more with one record than with five."""
    result = run(LaplaceMean(0), dp_rng, records=records, probability=p, draws=100_000)
    assert result.epsilon_lower > least


def test_delta_is_allowed_for(dp_rng: np.random.Generator) -> None:
    """Telling the record with probability delta must cost epsilon only where it is not stated."""
    mechanism = Response(1, 0.2)
    stated = run(mechanism, dp_rng, delta="1/5", draws=50_000)
    less = run(mechanism, dp_rng, delta="1/10", draws=50_000)
    without = run(mechanism, dp_rng, draws=50_000)
    assert stated.epsilon_lower <= 1 < without.epsilon_lower
    assert stated.epsilon_lower < less.epsilon_lower < without.epsilon_lower
    assert stated.delta == F(1, 5)


@pytest.mark.parametrize("failing", ["NaN", "None", "exception", "raises"])
def test_failures_are_outcomes(failing: str, dp_rng: np.random.Generator) -> None:
    """A tenth of failures must be counted as such and leave a limit below the true epsilon."""
    result = run(Response(1.5, failing=failing), dp_rng, draws=5_000, false_alarm=1e-6)
    assert 350 < result.failures < 650
    assert 0.8 < result.epsilon_lower <= 1.5
    assert result.deviation == pytest.approx((5_000 - result.failures) / 10_000)


def test_infinite_releases_are_clipped(dp_rng: np.random.Generator) -> None:
    """An infinite release must act as one at the clip."""
    result = run(
        Scripted(lambda data, size: np.full(size, math.inf if data[0] else -math.inf)),
        dp_rng,
        draws=1_000,
    )
    assert (result.failures, result.deviation) == (0, 0.5)
    assert result.epsilon_lower > 3


def test_order_of_the_records_is_kept_where_it_counts(dp_rng: np.random.Generator) -> None:
    """The last of several records must be traced; were the data sorted, it would hardly vary."""
    result = run(Response(2), dp_rng, records=4, probability="1/5", bound=1)
    lower, upper = result.interval
    assert lower < 4 / 25 * math.tanh(1) < upper < 0.2
    assert 0.3 < result.epsilon_lower <= 2


def test_seed_fixes_the_result() -> None:
    """The same seed must give the same result, in all its fields."""
    first, second = (run(LaplaceMean(1), np.random.default_rng(5), records=3) for _ in range(2))
    assert first == second
    assert first.draws == 20_000


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"value": 0}, "value=0"),
        ({"value": math.inf}, "value=inf"),
        ({"value": "1e76"}, "value=1e76"),
        ({"probability": 0}, "probability=0"),
        ({"probability": 1}, "probability=1"),
        ({"records": 0}, "records=0"),
        ({"draws": 1}, "draws=1"),
        ({"bound": -1}, "bound=-1"),
        ({"bound": "1e-400"}, "bound=1e-400"),
        ({"delta": "1.1"}, "delta=1.1"),
        ({"false_alarm": 0}, "false_alarm=0"),
        ({"false_alarm": 1}, "false_alarm=1"),
    ],
)
def test_bad_arguments_raise(
    arguments: dict[str, Any], named: str, dp_rng: np.random.Generator
) -> None:
    """An argument out of its domain must be named with its value."""
    with pytest.raises(InvalidArgument) as caught:
        run(LaplaceMean(), dp_rng, **arguments)
    assert named in str(caught.value)


@pytest.mark.parametrize("release", [np.zeros((10, 2)), np.zeros(3), 0.0], ids=["pairs", "3", "0"])
def test_releases_of_another_shape_raise(release: Any, dp_rng: np.random.Generator) -> None:
    """What does not release one number a draw must be refused."""
    with pytest.raises(InvalidArgument, match="one number a draw"):
        run(Scripted(lambda _, __: release), dp_rng, draws=20)


RUNS = 400


def most_shown(runs: int) -> int:
    """Alarms up to which the exact 95 % upper limit of the rate is at most 0.05."""
    return max(k for k in range(runs) if beta.ppf(0.95, k + 1, runs - k) <= 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [(Response(1), 0), (Response(1, 0.1), "1/10"), (Response(1, failing="raises"), 0)],
    ids=["pure", "approximate", "failing"],
)
def test_true_epsilon_is_rarely_exceeded(
    mechanism: Response, delta: Any, dp_rng: np.random.Generator
) -> None:
    """Of 400 runs at equality hardly any limit may be above the truth; nearly all see 1.3 of it.

    With a rate of 0.005 (about 0.001 is usual) more than 12 are seen with probability 2e-7; with
    one of 0.05 at most 12 are, with probability 0.04.
    """
    draws = 300 if mechanism.failing == "raises" else 5_000
    above = sum(
        run(mechanism, dp_rng, delta=delta, draws=draws).epsilon_lower > 1 for _ in range(RUNS)
    )
    print(f"{above} of {RUNS} above the true epsilon")
    assert above <= most_shown(RUNS)
    if delta == 0 and mechanism.failing == "never":
        seen = sum(run(Response(1.3), dp_rng, draws=5_000).epsilon_lower > 1 for _ in range(50))
        assert seen > 45
