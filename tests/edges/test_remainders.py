"""Outputs that give a record away by a remainder, a zero, a NaN or one value: what is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.results.refutation import Witness
from audit.results.verdict import Verdict
from audit.targets.load import load_target
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
from tests.edges.seeds import SEEDS

ROOT = Path(__file__).parents[2]
CLAIM = PrivacyClaim(PureDP(1), Relation.LISTED, Source("test", "stated"))
EDGES = {
    "cents": ((0.0, 4e6), (0.0, 4e6, 9_999_999.0), True, {"output mod 5 is 4"}),
    "parity": ((), (1.0,), True, {"output mod 2 is 1"}),
    "signed_zero": ((), (1.0,), False, {"output is -0", "output is 0"}),  # either tells all
    "nan_payload": (
        (),
        (1.0,),
        False,
        {"output is NaN with payload 0x1", "output is NaN with payload 0x2"},
    ),
    "one_percent_exact": ((), (1.0,), True, {"output == 0.0", "output == 1.0"}),
}
"""Data set, neighbor, `ideal`, and what the witness may say."""


def witness_of(name: str, seed: int) -> Witness:
    """Of an audit of one pair, at a rate of 0.001."""
    data, neighbor, ideal, _ = EDGES[name]
    settings = Settings(seed=seed, false_alarm=0.001, ideal=ideal, budget_samples=200_000)
    target = load_target(f"tests/edges/targets.py:{name}")
    result = audit(target, CLAIM, [Pair("a pair", np.array(data), np.array(neighbor))], settings)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    return result.witness


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EDGES)
def test_the_witness_says_what_gives_the_record_away(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold for each seed; its script finds it again, and JSON holds its words."""
    monkeypatch.chdir(ROOT)
    found = witness_of(name, seed)
    assert found.event in EDGES[name][3]
    assert json.loads(json.dumps(found.event)) == found.event
    exec(compile(found.rerun, "witness", "exec"), {})
    counts = [int(n) for n in re.findall(r"(\d+) of", capsys.readouterr().out)]
    told = [found.hits, found.other_hits]
    assert counts == (told if found.likelier == "data" else told[::-1])
    assert found.other_hits == 0


@pytest.mark.long
def test_tokens_are_never_proved_and_the_statement_leaves_them_out() -> None:
    """A class of 2,000 names is outside of what a power statement is about."""
    target = load_target(f"{ROOT}/tests/edges/targets.py:token")
    settings = Settings(seed=1, false_alarm=0.001, ideal=True, budget_samples=60_000)
    result = audit(target, CLAIM, [Pair("a pair", np.empty(0), np.ones(1))], settings)
    kinds = set() if result.detectable is None else set(sum(result.detectable.classes, ()))
    assert kinds <= {"single value", "tail", "one interval"}
    assert result.verdict is not Verdict.PROVED
