"""Adversarial pairs: neighbors within the bounds, on which sums in machine numbers go wrong."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.draws.settings import Settings
from audit.engine.loop import rounds
from audit.engine.run_state import Run
from audit.levels import grid_of
from audit.pairs.adversarial.generate import adversarial_pairs
from audit.pairs.adversarial.public import ENOUGH, MOST_RECORDS
from audit.pairs.worst_cases import Pair, check_pairs, worst_case_pairs
from audit.request.configuration import find_config
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument
from tests.audit.engine.samplers import claim, target
from tests.slow import by_default

BOUNDS = {
    "unit": ("0", "1"),
    "symmetric": ("-1", "1"),
    "negative": ("-1", "0"),
    "decimals": ("0.1", "0.7"),
    "not dyadic": ("0", "0.7"),
    "mixed": ("-5", "3"),
    "percent": ("0", "100"),
    "far from 0": ("1125899906842624", "1125899906842625"),
    "years": ("1900", "2020"),
    "huge": ("-8e307", "8e307"),
    "subnormal": ("0", "1e-320"),
    "nearly one-sided": ("-3", "1e-9"),
}
RELATIONS = (Relation.ADD_REMOVE, Relation.SWAP)
CASES = list(product(BOUNDS, RELATIONS, Order))
MOST_PAIRS = 40
UNIT = Domain(Relation.ADD_REMOVE, bounds=(Fraction(0), Fraction(1)), records=Declared.DECLARED)


@cache
def pairs_for(name: str, relation: Relation, order: Order, **words: Any) -> list[Pair]:
    """The pairs of named bounds."""
    low, high = map(Fraction, BOUNDS[name])
    return adversarial_pairs(Domain(relation, order, (low, high), **words))


def one_by_one(records: NDArray[Any], kind: type[Any] = np.float32) -> float:
    """Sum in a loop, each step rounded: the plain twin of a running sum."""
    total = kind(0)
    with np.errstate(over="ignore"):
        for record in records:
            total = kind(total + kind(record))
    return float(total)


@pytest.mark.parametrize(("name", "relation", "order"), by_default(CASES[::3], CASES))
def test_pairs_are_neighbors_within_the_bounds(name: str, relation: Relation, order: Order) -> None:
    """It must hold that the claim is about every pair, that pairs are few, and never two alike."""
    pairs = pairs_for(name, relation, order)
    check_pairs(pairs)
    low, high = (float(Fraction(bound)) for bound in BOUNDS[name])
    for pair in pairs:
        Domain(relation, order).check(pair.label, pair.data, pair.neighbor)
        assert pair.generated
        for side in (pair.data, pair.neighbor):
            assert len(side) <= MOST_RECORDS + 1
            assert side.size == 0 or (low <= side.min() and side.max() <= high)
    assert len({pair.label for pair in pairs}) == len(pairs) <= MOST_PAIRS


@pytest.mark.parametrize(("name", "relation", "order"), CASES[::5])
def test_the_same_pairs_are_made_again(name: str, relation: Relation, order: Order) -> None:
    """It must hold that pairs are a function of the domain."""
    made = [make(name, relation, order) for make in (pairs_for, pairs_for.__wrapped__)]
    first, again = ([(p.label, p.data.tobytes(), p.neighbor.tobytes()) for p in m] for m in made)
    assert first == again


@pytest.mark.long
@pytest.mark.parametrize("name", ["unit", "symmetric", "not dyadic", "percent"])
@pytest.mark.parametrize("relation", RELATIONS)
def test_two_orders_of_the_same_records_differ_in_single_precision(
    name: str, relation: Relation
) -> None:
    """It must hold that reordering moves a sum by several sensitivities, where order is free."""
    low, high = (float(Fraction(bound)) for bound in BOUNDS[name])
    sensitivity = high - low if relation is Relation.SWAP else max(abs(low), abs(high))
    pairs = pairs_for(name, relation, Order.FREE)
    moved = [pair for pair in pairs if pair.label.startswith("another order")]
    gaps = [abs(one_by_one(pair.data) - one_by_one(pair.neighbor)) for pair in moved]
    assert max(gaps) >= ENOUGH * sensitivity
    for pair in moved:
        assert math.fsum(pair.data) == math.fsum(pair.neighbor)
    fixed = pairs_for(name, relation, Order.FIXED)
    assert not any(pair.label.startswith("another order") for pair in fixed)


@pytest.mark.long
@pytest.mark.parametrize("name", ["unit", "symmetric", "negative", "not dyadic", "mixed"])
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_one_record_moves_a_rounded_sum_by_several_sensitivities(
    name: str, relation: Relation, kind: type[Any]
) -> None:
    """It must hold that rounding multiplies the sensitivity, whatever the order means."""
    low, high = (float(Fraction(bound)) for bound in BOUNDS[name])
    sensitivity = high - low if relation is Relation.SWAP else max(abs(low), abs(high))
    gaps = [
        (
            abs(one_by_one(pair.data, kind) - one_by_one(pair.neighbor, kind)),
            abs(math.fsum(pair.data) - math.fsum(pair.neighbor)),
        )
        for pair in pairs_for(name, relation, Order.FIXED)
        if pair.label.startswith("rounding in")
    ]
    assert all(exact <= 1.001 * sensitivity for _, exact in gaps)
    assert max(rounded for rounded, _ in gaps) >= ENOUGH * sensitivity


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (-5, 3), (0, 1000), (-(2**52), 2**52)])
def test_integer_types_wrap_on_one_side_only(low: int, high: int, relation: Relation) -> None:
    """It must hold that each type within reach has a pair whose sum passes its limit."""
    pairs = adversarial_pairs(Domain(relation, Order.FIXED, (Fraction(low), Fraction(high))))
    reached = set()
    for pair in pairs:
        kind, _, name = pair.label.partition(":")[0].partition(" of ")
        if kind != "overflow" or not name.lstrip("u").startswith("int"):
            continue
        assert pair.data.dtype == pair.neighbor.dtype == np.int64
        sums = [sum(side.tolist()) for side in (pair.data, pair.neighbor)]
        limits = np.iinfo(name)
        fits = [limits.min <= total <= limits.max for total in sums]
        assert fits == [True, False]
        reached.add((name, sums[1] > 0))
    for kind in ("int8", "uint8", "int16", "int32", "int64"):
        within_reach = high <= np.iinfo(kind).max < high * MOST_RECORDS
        assert ((kind, True) in reached) == within_reach
    assert not any(p.data.dtype.kind == "i" for p in pairs_for("decimals", relation, Order.FREE))


def saturating(records: NDArray[Any], kind: str) -> int:
    """Sum in a loop that stops at the limits of an integer type."""
    total, limits = 0, np.iinfo(kind)
    for record in records.tolist():
        total = min(max(total + record, limits.min), limits.max)
    return total


@pytest.mark.parametrize("name", ["symmetric", "mixed"])
def test_saturating_sums_depend_on_the_order(name: str) -> None:
    """It must hold that what a saturating sum cuts off is not given back."""
    low, high = (int(bound) for bound in BOUNDS[name])
    found = 0
    for pair in pairs_for(name, Relation.SWAP, Order.FREE):
        kind, _, word = pair.label.partition(":")[0].partition(" of ")
        if kind == "saturation":
            found += 1
            sums = [saturating(side, word) for side in (pair.data, pair.neighbor)]
            assert abs(sums[0] - sums[1]) >= ENOUGH * (high - low)
    assert found >= 2


def test_sums_near_the_largest_double_overflow_on_one_side() -> None:
    """It must hold that near the end of the range a record, or the order, decides on infinity."""
    pairs = pairs_for("huge", Relation.ADD_REMOVE, Order.FREE)
    overflowing = [pair for pair in pairs if "double precision" in pair.label]
    assert len(overflowing) == 2
    for pair in overflowing:
        sides = (pair.data, pair.neighbor)
        ends = [math.isfinite(one_by_one(side, np.float64)) for side in sides]
        assert len(set(ends)) == 2


@pytest.mark.parametrize("relation", RELATIONS)
def test_one_pass_variance_is_negative_on_one_side(relation: Relation) -> None:
    """It must hold that a mean of squares less a squared mean cancels below 0 on one side."""
    pairs = [
        pair
        for pair in pairs_for("unit", relation, Order.FIXED)
        if pair.label.startswith("cancellation") and "double" in pair.label
    ]
    assert pairs
    for pair in pairs:
        negative = [
            one_by_one(side**2, np.float64) / side.size
            < (one_by_one(side, np.float64) / side.size) ** 2
            for side in (pair.data, pair.neighbor)
        ]
        assert negative[0] != negative[1]


def test_an_exact_sum_leaves_nothing_to_find() -> None:
    """It must hold that no double-precision pair of narrow data is more than one record apart."""
    for pair in pairs_for("unit", Relation.ADD_REMOVE, Order.FREE):
        if pair.data.dtype == np.float64:
            gap = abs(one_by_one(pair.data, np.float64) - one_by_one(pair.neighbor, np.float64))
            assert gap <= 1 + 1e-9


def test_small_pairs_are_left_out() -> None:
    """It must hold that no side has fewer records than asked for, and that others are kept."""
    pairs = pairs_for("unit", Relation.SWAP, Order.FREE, min_size=100)
    assert pairs
    assert all(min(len(pair.data), len(pair.neighbor)) >= 100 for pair in pairs)


def test_there_is_nothing_to_make_without_room() -> None:
    """It must hold that one allowed record gives no pair, and listed neighbors are an error."""
    assert adversarial_pairs(Domain(Relation.SWAP, bounds=(Fraction(1), Fraction(1)))) == []
    with pytest.raises(InvalidArgument, match="'listed' has no adversarial pairs"):
        adversarial_pairs(Domain(Relation.LISTED, bounds=(Fraction(0), Fraction(1))))


# Through the audit


def noisy(total: Any) -> Any:
    """A sum of records of [0, 1] with Laplace noise of scale 1: epsilon = 1 for real numbers."""
    return target(lambda data, size, rng: total(data) + rng.laplace(size=size))


def refuted(mechanism: Any, pairs: list[Pair], settings: Settings) -> bool:
    """Whether a run refutes epsilon = 1; nothing is shrunk or concluded."""
    grid = grid_of(claim(1), coarse=True)
    return rounds(Run.start(mechanism, claim(1), pairs, settings, grid, None, 1.0))[0] == "refuted"


def single(data: NDArray[Any], kind: type[Any] = np.float32) -> float:
    """Sum one after the other in single precision."""
    records = np.asarray(data, kind)
    return float(np.add.accumulate(records)[-1]) if records.size else 0.0


def half(data: NDArray[Any]) -> float:
    """Sum one after the other in half precision."""
    return single(data, np.float16)


def wrapping(data: NDArray[Any], kind: type[Any] = np.int16) -> float:
    """Sum in 16 bits."""
    return float(np.asarray(data).astype(kind).sum(dtype=kind))


def bytewise(data: NDArray[Any]) -> float:
    """Sum in 8 bits."""
    return wrapping(data, np.int8)


def careful(data: NDArray[Any]) -> float:
    """Sum without error."""
    return math.fsum(np.asarray(data, float))


SUMS = pytest.mark.parametrize("total", [single, wrapping], ids=["single precision", "16 bits"])


@pytest.mark.long
@pytest.mark.parametrize("total", [half, bytewise])
@pytest.mark.parametrize("order", list(Order))
def test_the_audit_finds_a_sum_that_goes_wrong(total: Any, order: Order) -> None:
    """It must hold that a violation that floats or integers bring is found by some pair."""
    pairs = pairs_for("unit", Relation.ADD_REMOVE, order)
    short = [pair for pair in pairs if len(pair.data) < 1000]
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=40_000)
    assert refuted(noisy(total), short, settings)


@pytest.mark.slow
@SUMS
@pytest.mark.parametrize("order", list(Order))
def test_the_audit_finds_a_long_sum_that_goes_wrong(total: Any, order: Order) -> None:
    """It must hold that the same is true where it takes thousands of records."""
    pairs = pairs_for("unit", Relation.ADD_REMOVE, order)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=40_000)
    assert refuted(noisy(total), pairs, settings)


@pytest.mark.slow
@SUMS
def test_the_usual_pairs_do_not_find_it(total: Any) -> None:
    """It must hold that the same sums keep their claim on pairs of few records."""
    settings = Settings(seed=1, ideal=True, budget_samples=40_000, false_alarm=1e-6)
    pairs = worst_case_pairs(UNIT)
    assert not refuted(noisy(total), pairs, settings)


@pytest.mark.long
def test_the_audit_finds_nothing_in_a_sum_without_error() -> None:
    """It must hold that an exact sum keeps its claim on the same pairs (error rate 1e-6)."""
    pairs = pairs_for("unit", Relation.ADD_REMOVE, Order.FREE)
    settings = Settings(seed=2, ideal=True, budget_samples=40_000, false_alarm=1e-6)
    assert not refuted(noisy(careful), pairs, settings)


TARGET = "ksw.shifted-laplace"


def test_pairs_join_the_others() -> None:
    """It must hold that --adversarial adds to generated pairs, and to those of files."""
    usual = plan_audit(Request(TARGET), stated_in="test").pairs
    both = plan_audit(Request(TARGET, adversarial=True), stated_in="test").pairs
    added = adversarial_pairs(UNIT)
    assert {pair.label for pair in both} == {pair.label for pair in (*usual, *added)}
    assert len(both) == len(usual) + len(added)


def test_pairs_join_those_of_files(tmp_path: Path) -> None:
    """It must hold that a pair file replaces the usual pairs, not the adversarial ones."""
    path = tmp_path / "p.json"
    path.write_text('{"data": [0], "neighbor": [0, 1]}')
    planned = plan_audit(Request(TARGET, pair=(str(path),), adversarial=True), stated_in="test")
    added = adversarial_pairs(UNIT)
    assert len(planned.pairs) == 1 + len(added)


def test_the_configuration_asks_for_them(tmp_path: Path) -> None:
    """It must hold that the key reaches the request, and the command that repeats it."""
    (tmp_path / "touchstone.toml").write_text(
        f'[[audit]]\ntarget = "{TARGET}"\nadversarial = true\n'
    )
    (entry,) = find_config(tmp_path).entries
    assert entry.request.adversarial


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (
            Request("ksw.swap-laplace", budgets=("1", "2"), adversarial=True),
            "no adversarial pairs are made for a personalized claim",
        ),
        (Request("corpus.svt-1", adversarial=True), "are made for a claim about listed pairs"),
        (
            Request("corpus.svt-1", relation="listed", adversarial=True),
            "leave out --generate, --adversarial and --data",
        ),
    ],
    ids=["personalized", "own pairs", "listed"],
)
def test_where_none_can_be_made_it_is_an_error(request_: Request, message: str) -> None:
    """It must hold that a request for adversarial pairs is never dropped silently."""
    with pytest.raises(InvalidArgument, match=message):
        plan_audit(request_, stated_in="test")
