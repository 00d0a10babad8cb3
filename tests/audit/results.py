"""Audit results made by hand, and an engine that returns them without drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.engine.sequential import Settings
from audit.pairs.worst_cases import Pair
from audit.request.privacy_plan import PrivacyPlan
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult, Detectable, Upper, WiderClass
from audit.results.screened_pairs import Screening
from audit.results.verdict import Limits, Verdict
from audit.screening.choice import Choice
from audit.targets.target import Target
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TotalVariationDP,
    TradeOff,
    ZeroConcentratedDP,
)
from tests.unforked import unforked

CLAIM = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "command line"))

WITNESS = Witness(
    pair="10 records at low; one more at high",
    data=np.zeros(10),
    neighbor=np.append(np.zeros(10), 1.0),
    event="output > 0.2313",
    expression="number(z) > 0.2313",
    feature="value",
    likelier="neighbor",
    hits=8123,
    other_hits=310,
    draws=10_000,
    epsilon_lower=3.0751,
    confirmed=True,
    lower=3.0751,
    allowed=1.0,
    rerun="print('a script')\n",
)

SHAPES = (
    *("2 intervals", "3 intervals", "5 intervals", "box in 2 of 2", "box in 2 of 10"),
    *("checkerboard in 2 of 2", "checkerboard in 2 of 10"),
    *("residue mod 3", "residue mod 10", "residue mod 256"),
)
POWER = Detectable(
    masses=(0.5, 0.1, 0.01, 1e-3, 1e-4),
    epsilons=(1.05, 1.2, 1.9, 4.4, float("inf")),
    draws=12_345,
    pairs=60,
    limit=1.5,
    classes=(("single value", "tail", "one interval"),) * 2 + (("single value", "tail"),) * 3,
    wider=(WiderClass(0.5, 1.123, SHAPES), WiderClass(0.1, 1.789, SHAPES)),
)

UPPER = Upper(
    masses=(0.5, 0.1, 0.01),
    epsilons=(1.1, 1.4, float("inf")),
    events=1_234,
    draws=1_543,
    pairs=60,
)

CONSISTENT = AuditResult(
    target="ksw.shifted-laplace",
    verdict=Verdict.CONSISTENT,
    claim=CLAIM,
    order=Order.FREE,
    false_alarm=0.05,
    samples=2_000_000,
    seconds=12.34,
    seed=7,
    reproducible=True,
    ideal=True,
    pairs=60,
    limits=Limits.of(epsilon=0.9, delta=0.0),
    reason="no violation found on the pairs tried",
    detectable=POWER,
    upper=UPPER,
    planned=2_000_000,
)

REFUTED = replace(
    CONSISTENT,
    verdict=Verdict.REFUTED,
    samples=50_800,
    seconds=1.5,
    limits=Limits.of(epsilon=2.0, delta=0.25),
    witness_samples=20_000,
    reason="output > 0.2313: too likely on the neighbor",
    witness=WITNESS,
    detectable=None,
    upper=None,
    stopped_by="refuted",
)

FLOATING_POINT = replace(
    REFUTED,
    ideal=False,
    limits=Limits.of(epsilon=float("inf"), delta=0.25),
    reason="output has bits below 2^-53: too likely on the data",
    witness=replace(
        WITNESS,
        data=0.0,
        neighbor=float("nan"),
        event="output has bits below 2^-53",
        feature="floating-point lattice",
        likelier="data",
        other_hits=0,
        shrunk_from="the data (2983 records); one more at high",
    ),
)

FAILED = replace(
    CONSISTENT,
    verdict=Verdict.INCONCLUSIVE,
    reproducible=False,
    samples=48_000,
    limits=Limits.of(epsilon=0.0, delta=0.0),
    reason="the mechanism fails on every input tried (raises ValueError)",
    detectable=None,
    upper=None,
    stopped_by="failure",
)

COARSE = replace(
    CONSISTENT,
    verdict=Verdict.INCONCLUSIVE,
    samples=123_456,
    reason="the run is too coarse",
    notes=("--budget-samples 120000 repeats this run",),
    stopped_by="seconds",
    stopped_by_time=True,
    repeat_samples=120_000,
)

ALL = {
    "consistent": CONSISTENT,
    "refuted": REFUTED,
    "floating-point": FLOATING_POINT,
    "failed": FAILED,
    "coarse": COARSE,
}


NOTHING = Limits()


def about(level: Level, limits: Limits = NOTHING, **others: Any) -> AuditResult:
    """A consistent result about another level, with that level's limits only."""
    claim = replace(CLAIM, level=level, relation=Relation.SWAP)
    others = {"upper": None, **others}
    return replace(CONSISTENT, claim=claim, order=Order.FIXED, limits=limits, **others)


BY_LEVEL = {
    "pure": about(
        PureDP("1/3"),
        Limits.of(epsilon=0.2, delta=0.0),
        profile=((0.0, 0.153), (0.25, 0.05), (1.0, 0.0)),
    ),
    "approximate": about(ApproxDP(1, "1e-5"), Limits.of(epsilon=0.9, delta=1e-6)),
    "zero-concentrated": about(ZeroConcentratedDP("0.1"), Limits.of(rho=0.08)),
    "renyi": about(RenyiDP(2, 1), Limits.of(renyi_epsilon=0.91)),
    "gaussian": about(GaussianDP(1), Limits.of(mu=0.9)),
    "total-variation": about(TotalVariationDP("1/10"), Limits.of(tv=0.08)),
    "trade-off": about(TradeOff(((0, 1), ("1/2", "1/4"), (1, 0)))),
    "personalized": about(
        PersonalizedDP((1, "1/2")), Limits.of(budget_factor=0.85), detectable=replace(POWER, user=1)
    ),
}
"""One result for each level of a claim."""

GAUSSIAN_REFUTED = replace(
    BY_LEVEL["gaussian"],
    verdict=Verdict.REFUTED,
    limits=Limits.of(mu=1.25),
    reason=REFUTED.reason,
    witness=replace(WITNESS, epsilon_lower=0.72, lower=0.72, allowed=0.5, delta=0.1269),
    detectable=None,
    stopped_by="refuted",
)


def fake_engine(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[Target, Settings], AuditResult]
) -> list[Settings]:
    """Put `answer` in the engine's place; returns the settings of the calls, as they come."""
    from audit.engine import sequential

    calls: list[Settings] = []
    unforked(monkeypatch)

    def audit(
        target: Target,
        claim: PrivacyClaim,
        pairs: Sequence[Pair],
        settings: Settings,
        *,
        progress: Any = None,
        source: Any = None,
        log: Any = None,
        carried: Any = None,
    ) -> AuditResult:
        calls.append(settings)
        if progress is not None:
            progress(4_200, 0.5)
        return replace(
            answer(target, settings),
            target=target.name,
            claim=claim,
            seed=settings.seed,
            false_alarm=settings.false_alarm,
            pairs=len(pairs),
        )

    def screened(plan: PrivacyPlan, **_: Any) -> tuple[PrivacyPlan, Choice]:  # no call, and no time
        return plan, Choice(told=Screening("coupled", 0, 0, 0, ()))

    monkeypatch.setattr(sequential, "audit", audit)
    monkeypatch.setattr("audit.runs.privacy_run.screened", screened)
    return calls
