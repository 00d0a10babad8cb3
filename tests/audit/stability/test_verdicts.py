"""REFUTED of what is broken, never of what only looks so, and none at all of what draws."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.stability.answers import Answer
from audit.stability.claim import StabilityClaim
from audit.stability.norms import Norm
from audit.stability.properties import Property, measured
from audit.stability.query_calls import QueryCalls, Twice
from audit.stability.sensitivity_audit import PairCandidates, SearchSettings, find_sensitivity
from audit.stability.space import Space
from audit.targets.domain import Domain
from audit.targets.outcomes import OutOfTime
from audit.targets.wrap import target_of
from mechanisms.claims import Order, Relation, Source
from mechanisms.errors import InvalidArgument
from tests.audit.stability.queries import BROKEN, LOOKS_BROKEN, RANDOM, clipped_sum, no_clip
from tests.slow import all_but

TRAPS = ("-0.0", "integers beyond 2^53", "mutation of its data", "order-free data")
"""What only looks broken, of each kind one; the others are slow."""

PLACES: dict[str, Any] = {"low": 0, "high": 1, "relation": "add-remove", "norm": "l1", "seed": 1}
QUICK = {"budget_pairs": 250}


QUICKEST = ("half the claim", "no records", "two rows", "32 bits")
"""Broken claims that few pairs show; the others are searched for until the family that does."""


@pytest.mark.long
@pytest.mark.parametrize("case", all_but(set(BROKEN) - set(QUICKEST), BROKEN))
def test_a_broken_claim_is_refuted(case: str) -> None:
    """It must hold by the property that is broken, with a pair whose distance is exact."""
    query, words, broken = BROKEN[case]
    result = audit.sensitivity(query, **{**PLACES, **(QUICK if case in QUICKEST else {}), **words})
    assert result.verdict == "REFUTED", str(result)
    witness = result.witness
    assert witness is not None
    assert witness.broken == broken or not broken
    assert witness.distance.exceeds(Fraction(words["at_most"]))
    assert witness.bound == Fraction(words["at_most"])
    assert f"({witness.broken})" in result.reason
    assert len(witness.data) + len(witness.neighbor) <= (520 if case == "a size" else 8)


@pytest.mark.long
@pytest.mark.parametrize("case", all_but(set(LOOKS_BROKEN) - set(TRAPS), LOOKS_BROKEN))
def test_what_only_looks_broken_is_not_refuted(case: str) -> None:
    """It must hold, and that the claim is then shown to be tight or to be 0."""
    query, words = LOOKS_BROKEN[case]
    result = audit.sensitivity(query, **{**PLACES, **QUICK, **words})
    assert result.verdict == "CONSISTENT", str(result)
    assert result.ratio == (1 if words["at_most"] else 0) or case == "order that is data"
    assert result.witness is None


@pytest.mark.long
@pytest.mark.parametrize("case", all_but(set(RANDOM) - {"a counter", "seldom random"}, RANDOM))
def test_what_has_no_sensitivity_is_refused(case: str) -> None:
    """It must hold of what draws and of what keeps state: REFUTED would speak of no function."""
    with pytest.raises(InvalidArgument, match="has no sensitivity; `touchstone audit`"):
        audit.sensitivity(RANDOM[case], **{**PLACES, **QUICK}, at_most=10**9)
    with pytest.raises(InvalidArgument, match="has no sensitivity; `touchstone audit`"):
        audit.sensitivity(RANDOM[case], **{**PLACES, **QUICK}, at_most="1/1000")


def sampler(data: Any, size: int) -> Any:
    """It makes many draws a call."""
    return np.zeros(size) + len(data)


def seeded(data: Any, rng: Any) -> Any:
    """It takes a generator."""
    return len(data) + rng.random()


@pytest.mark.parametrize(
    "target",
    [sampler, seeded, "ksw.swap-laplace", "opendp.laplace"],
    ids=["a sampler", "a generator", "a mechanism", "a library"],
)
def test_a_mechanism_is_refused_before_it_is_called(target: Any) -> None:
    """It must hold of whatever takes a number of draws, or a generator."""
    with pytest.raises(InvalidArgument, match="draws at random"):
        audit.sensitivity(target, **PLACES, at_most=1)


@pytest.mark.slow
def test_failures_on_both_sides_are_no_difference() -> None:
    """It must hold whatever is raised; where nothing is answered, nothing is concluded."""

    def picky(data: Any) -> float:
        if not np.isfinite(data).all() or ((data < 0) | (data > 1)).any():
            raise ValueError(str(len(data)))
        return clipped_sum(data)

    def never(_: Any) -> float:
        raise TypeError

    result = audit.sensitivity(never, **{**PLACES, **QUICK}, at_most=1)
    assert (result.verdict, result.reason) == (
        "INCONCLUSIVE",
        "it raises TypeError on every data set",
    )
    refuted = audit.sensitivity(picky, **PLACES, at_most=1)
    assert refuted.verdict == "REFUTED"  # it raises for one of two neighbors
    assert "on a data set with a record outside of [0, 1]" in refuted.reason
    assert audit.sensitivity(picky, **PLACES, at_most=1, domain="declared").verdict == "CONSISTENT"


CLAIM = StabilityClaim(Norm.L1, Fraction(1), Relation.ADD_REMOVE, Source("user", "a test"))
PAIR = (np.array([0.5]), np.array([0.5, 1.0]))


def shown(first: Twice, second: Twice, claim: StabilityClaim = CLAIM) -> list[Property]:
    """What answers to a pair break."""
    from audit.pairs.worst_cases import Pair

    return [one.broken for one in measured(claim, Pair("", *PAIR), first, second) if one.broken]


def twice(value: Any, **words: Any) -> Twice:
    """Two answers that are the same."""
    return Answer(value, **words), Answer(value, **words)


def test_each_property_is_seen_and_no_other() -> None:
    """It must hold of answers that break just one of the five, and of none that break none."""
    failed = Answer(None, "raises ValueError")
    assert shown(twice(0.0), twice(1.0)) == []
    assert shown(twice(0.0), twice(1.0000000000000002)) == [Property.DISTANCE]
    assert shown((failed, failed), twice(1.0)) == [Property.FAILURE]
    assert shown((failed, failed), (failed, Answer(None, "raises TypeError"))) == [
        Property.FUNCTION
    ]
    silent = twice(None, failure="no answer in 30 s")  # of a slow machine, perhaps
    assert shown(silent, twice(0.0)) == []
    assert shown((silent[0], Answer(0.0)), twice(9.0)) == []
    assert shown((failed, Answer(0.0)), twice(0.0)) == [Property.FUNCTION]
    assert shown((Answer(0.0), Answer(0.5)), twice(0.5)) == [Property.FUNCTION]
    assert shown(twice(0.0), twice(0.0, fits=False)) == [Property.RANGE]
    assert shown(twice(0.0, member=False), twice(9.0)) == []
    assert shown(twice(0.0), twice(9.0, member=False)) == []


@pytest.mark.slow
def test_a_distance_that_a_fresh_process_does_not_show_is_none() -> None:
    """It must hold of a query whose answer follows the number of calls of its process."""
    first = audit.sensitivity(clipped_sum, **PLACES, at_most=1, budget_pairs=64)
    calls = [0]

    def later(data: Any) -> float:
        calls[0] += 1
        return clipped_sum(data) * (2.0 if calls[0] > first.calls else 1.0)

    with pytest.raises(InvalidArgument, match="has no sensitivity"):
        audit.sensitivity(later, **PLACES, at_most=1)


def run(query: Callable[[Any], Any], progress: Any = None, deadline: float = 1e18) -> Any:
    """A search in this process."""
    domain = Domain(Relation.ADD_REMOVE, Order.FREE, (Fraction(0), Fraction(1)))
    calls = QueryCalls(target_of(query, "query"), Space(domain), deadline=deadline)
    return find_sensitivity(
        calls,
        CLAIM,
        PairCandidates(),
        SearchSettings(1, 500),
        script=lambda _: "",
        progress=progress,
    )


def test_time_alone_refutes_and_supports_nothing() -> None:
    """It must hold that a search without time is INCONCLUSIVE, and says what would help."""
    result = run(no_clip, deadline=0.0)
    assert (result.verdict, result.reproducible) == ("INCONCLUSIVE", False)
    assert "cut by time after 0 of 500 pairs" in result.reason

    def stop(pairs: int, _: Any) -> None:
        if pairs > 100:
            raise OutOfTime

    assert run(clipped_sum, progress=stop).verdict == "INCONCLUSIVE"
    assert run(clipped_sum).verdict == "CONSISTENT"


@pytest.mark.slow
def test_the_script_of_a_witness_finds_it_again(tmp_path: Path) -> None:
    """It must hold in another process, with public names only."""
    (tmp_path / "q.py").write_text("def total(data):\n    return data.sum()\n")
    command = [sys.executable, "-m", "touchstone_dp", "sensitivity", "q.py:total", "--norm", "l1"]
    command += ["--at-most", "1", "--relation", "swap", "--low", "0", "--high", "1", "--seed", "1"]
    words = {"capture_output": True, "text": True, "cwd": tmp_path, "check": False}
    found = subprocess.run([*command, "--format", "json"], **words)  # type: ignore[call-overload]
    assert found.returncode == 1, found.stderr
    import json

    witness = json.loads(found.stdout)["witnesses"][0]
    source = witness["rerun"]
    assert {line for line in source.splitlines() if line.startswith(("import", "from"))} == {
        "import numpy as np",
        "import audit",
    }
    (tmp_path / "again.py").write_text(source)
    again = subprocess.run([sys.executable, "again.py"], **words)  # type: ignore[call-overload]
    assert again.stdout.startswith("REFUTED: q.py:total"), again.stderr
    assert f"{float(Fraction(witness['distance'])):.6g}" in again.stdout


@pytest.mark.slow
def test_the_same_seed_gives_the_same_search() -> None:
    """It must hold of all that is said, and another seed makes other pairs."""

    def record(seed: int) -> dict[str, Any]:
        words = {**PLACES, "seed": seed, "domain": "declared", "budget_pairs": 1_500}
        found = audit.sensitivity(clipped_sum, **words, at_most=1).to_dict()
        return {k: v for k, v in found.items() if k not in ("seconds", "command", "seed")}

    record(1)  # loads all that is loaded: Hypothesis draws numbers of the modules that it finds
    assert record(1) == record(1)
    assert record(1) != record(2)
