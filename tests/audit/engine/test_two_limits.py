"""The two limits of a refutation: each is wrong at its rate, the larger of them more often.

Of randomized response with loss 1, claimed as 1/4: every event has the same loss, so a limit above
1 is wrong.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from tests.audit.engine.samplers import claim, target

RATE, RUNS = 0.1, 400
TRUTH = 1.0
MOST_WRONG = int(binom.ppf(1 - 1e-6, RUNS, RATE))
"""Of so many runs, with a probability of at most a millionth that a right limit is wrong more
often; one that is wrong at twice the rate is, with a probability of .86."""


def response(data: float, size: int, rng: np.random.Generator) -> Any:
    """Says the bit with probability e / (1 + e)."""
    keeps = math.exp(TRUTH) / (1 + math.exp(TRUTH))
    return np.where(rng.random(size) < keeps, data, 1 - data)


@pytest.mark.slow
def test_each_limit_is_wrong_at_its_rate() -> None:
    """It must hold of the limit of the run, and of that of the new draws, apart."""
    wrong, shown = [0, 0], 0
    for seed in range(RUNS):
        settings = Settings(seed=seed, false_alarm=RATE, budget_samples=40_000, ideal=True)
        result = audit(target(response), claim("1/4"), [Pair("a bit", 0.0, 1.0)], settings)
        if result.verdict is Verdict.REFUTED and result.witness is not None:
            shown += 1
            wrong[0] += result.limits["epsilon"] > TRUTH
            wrong[1] += result.witness.lower > TRUTH
    assert shown > 0.9 * RUNS
    assert max(wrong) <= MOST_WRONG, wrong
