"""What a witness may draw: half of the samples of the run, or few; the law and real audits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.sequential import Settings, audit
from audit.engine.witness.allowance import FLOOR, allowance, fresh_after, search_allowance
from audit.engine.witness.confirm import FEWEST, LineRule, fresh_draws
from audit.engine.witness.written_witness import FreshPlan
from audit.pairs.worst_cases import pairs_from_records
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.domain import Domain
from audit.targets.target import Calls
from mechanisms.claims import Relation
from tests.audit.engine.samplers import claim, target
from tests.slow import one_in

BOUNDS = (Fraction(0), Fraction(1))
CHANCES = st.tuples(st.floats(0.001, 0.999), st.floats(0.001, 0.999))


@given(
    samples=st.one_of(st.integers(16, 10_000), st.integers(16, 10**9)),
    found=CHANCES,
    told=CHANCES,
    known=st.tuples(st.integers(4, 10_000), st.integers(4, 10_000)),
    alpha=st.sampled_from([0.05, 1e-3, 1e-6]),
    spends=st.floats(0, 1),
)
def test_search_and_fresh_draws_are_half_of_the_run_or_few(
    samples: int,
    found: tuple[float, float],
    told: tuple[float, float],
    known: tuple[int, int],
    alpha: float,
    spends: float,
) -> None:
    """It must hold of any run and any needs, and that what the pair wanted is left to its draws."""
    rule = LineRule(1.0, 0.0)
    most = max(512, samples / 2)
    wanted = fresh_draws(rule, found, alpha, samples, known_by=known[0])
    may_search = search_allowance(samples, wanted)
    assert 0 <= may_search <= most
    spent = int(spends * may_search)
    own = fresh_draws(rule, told, alpha, samples, known_by=known[1])
    fresh = fresh_after(samples, spent, wanted, own)
    assert spent + 2 * fresh <= most
    assert search_allowance(samples, wanted, 40_000) == max(40_000, may_search)
    assert fresh_after(samples, spent + 10**9, wanted, own) <= fresh
    assert fresh_after(samples, 10**9, wanted) >= min(wanted, FEWEST)
    assert fresh >= max(FEWEST, min(max(wanted, own), 1.4 * wanted, 256))


def test_a_short_run_has_room_for_both() -> None:
    """It must hold that 28 draws of each arm leave 32 fresh ones and a few attempts."""
    assert allowance(56) == FLOOR == 512
    assert search_allowance(56, 32) == 416
    assert search_allowance(56, 256) == 0
    assert search_allowance(100_000, 25_000) == 25_000  # half of what is allowed


def noisy_sum(scale: float) -> Any:
    """Sum of the records plus Laplace noise."""
    return lambda data, size, rng: np.sum(data) + rng.laplace(scale=scale, size=size)


def leak(data: Any, size: int, rng: np.random.Generator) -> Any:
    """The number of records, all but bare."""
    return len(data) + 0.4 * rng.random(size)


def fails(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Calls of many draws fail from eight records on."""
    if len(data) >= 8 and size > 1:
        raise FloatingPointError
    return leak(data, size, rng)


@pytest.mark.long
@pytest.mark.parametrize("records", one_in(2, [5, 300]))
@pytest.mark.parametrize(
    ("draw", "false_alarm"),
    [(leak, 1e-3), (fails, 1e-3), (noisy_sum(0.1), 1e-3), (noisy_sum(0.6), 0.05)],
    ids=["leak", "fails", "little noise", "some noise"],
)
def test_an_audit_draws_no_more_for_its_witness(
    draw: Any, false_alarm: float, records: int
) -> None:
    """It must hold of what the report counts, and of the draws that were made."""
    result = audited(draw, records, false_alarm)
    found = result.samples - result.witness_samples
    assert result.witness_samples <= max(512, found / 2)
    assert result.witness is not None
    assert result.witness.draws >= FEWEST


def audited(draw: Any, records: int, false_alarm: float) -> AuditResult:
    """Audit on the pairs of some records, which a witness need not have."""
    own = np.random.default_rng(5).random(records)
    pairs = pairs_from_records(own, Domain(Relation.ADD_REMOVE, bounds=BOUNDS))
    settings = Settings(
        seed=1, ideal=True, false_alarm=false_alarm, budget_samples=200_000, budget_seconds=1e5
    )
    bounded = replace(target(draw), bounds=BOUNDS, calls=Calls.ONE)
    result = audit(bounded, claim(1, relation=Relation.ADD_REMOVE), pairs, settings)
    assert result.verdict is Verdict.REFUTED
    return result


@pytest.mark.long
@pytest.mark.parametrize("draw", [leak, noisy_sum(0.1)], ids=["leak", "little noise"])
def test_the_witness_of_a_short_run_is_small(draw: Any) -> None:
    """It must hold that what shows without any record is told so, within a few hundred samples."""
    result = audited(draw, 300, 1e-3)
    assert result.witness is not None
    assert len(result.witness.data) + len(result.witness.neighbor) == 1


def test_a_smaller_pair_that_wants_more_draws_costs_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold where the search was allowed by the few draws that the pair found wanted."""
    asked = iter([FEWEST])
    monkeypatch.setattr(FreshPlan, "wanted", lambda *_: next(asked, FLOOR // 2))
    result = audited(leak, 300, 1e-3)
    assert result.witness is not None
    assert result.witness.shrunk_from is not None
    assert result.witness_samples <= max(FLOOR, (result.samples - result.witness_samples) / 2)
