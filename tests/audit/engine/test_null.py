"""False alarms: mechanisms exactly at their claim, counted against the stated rate.

300 seeds each, false-alarm rate 0.05, 2e4 draws of each data set: at most 8 of 300 may be refuted
(the exact 95 % upper limit of 8 in 300 is 0.0478).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from audit.engine.neighbors import Pair
from audit.engine.sequential import Settings, audit
from audit.targets import Target, load_target
from audit.verdict import Verdict
from mechanisms.claims import Relation
from mechanisms.registry import build_noise
from tests.audit.engine.samplers import claim, target

SEEDS = 300
MOST = 8
DRAWS = 20_000


def noisy_scalar(name: str) -> Target:
    """A scalar with a registered noise law added."""
    noise = build_noise(name)
    return target(lambda data, size, rng: data + noise.sample(size, rng=rng))


NULLS: dict[str, tuple[Any, Pair]] = {
    "Laplace": (lambda: noisy_scalar("laplace"), Pair("0 and 1", 0.0, 1.0)),
    "geometric": (lambda: noisy_scalar("geometric"), Pair("0 and 1", 0.0, 1.0)),
    "hourglass mean": (
        lambda: load_target("ksw.transformed-hourglass"),
        Pair("ten zeros, and a one more", np.zeros(10), np.append(np.zeros(10), 1.0)),
    ),
}


def refuted(name: str, seed: int) -> bool:
    """One run at the exact claim epsilon = 1."""
    make, pair = NULLS[name]
    settings = Settings(seed=seed, ideal=True, budget_samples=2 * DRAWS, budget_seconds=600)
    result = audit(make(), claim(1, relation=Relation.LISTED), [pair], settings)
    assert result.samples >= 2 * DRAWS or result.verdict is Verdict.REFUTED
    return result.verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_false_alarms_stay_below_the_stated_rate(name: str) -> None:
    """At most 8 of 300 runs at the exact claim are refuted."""
    alarms = sum(refuted(name, seed) for seed in range(SEEDS))
    print(f"{name}: {alarms} of {SEEDS} refuted at 0.05")
    assert alarms <= MOST


def test_eight_of_300_bounds_the_rate() -> None:
    """The exact 95 % upper limit of 8 in 300 is below 0.05, of 9 it is not."""
    assert beta.ppf(0.95, MOST + 1, SEEDS - MOST) <= 0.05
    assert beta.ppf(0.95, MOST + 2, SEEDS - MOST - 1) > 0.05
