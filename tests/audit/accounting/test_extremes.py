"""Plans and claims at the edges of what is read: no wrong verdict, and no fault of ours."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.accounting.account_sentences import rounded
from audit.cli import main
from audit.results.verdict import Verdict
from mechanisms.errors import InvalidArgument
from proofs_check.composition.laws import Gaussian
from proofs_check.composition.nodes import ONE
from proofs_check.composition.parts import Part
from proofs_check.composition.sums import lattice_of, steps_of
from tests.audit.accounting.plans import GAUSSIAN, SAMPLED

PROVED, REFUTED, OPEN = Verdict.PROVED, Verdict.REFUTED, Verdict.INCONCLUSIVE

Words = dict[str, Any]
HUGE = GAUSSIAN | {"sigma": "1/1000", "count": 10**9}
"""mu^2 is 4e15 under swap, so is about twice its total epsilon."""
NOTHING = {"event": "approx-dp", "epsilon": 0, "delta": 1}
RESPONSE = {"event": "randomized-response", "keep": "1/2"}
THIRDS = {"event": "law", "p": ["2/3", "1/3"], "q": ["1/3", "2/3"]}
NEVER, ALWAYS = SAMPLED | {"q": 0, "count": 10**9}, SAMPLED | {"q": 1}
TEN = {"event": "laplace", "scale": 10, "sensitivity": 1, "count": 10}
LOST = {"event": "approx-dp", "epsilon": 0, "delta": "1e-8", "count": 100}

EDGES: dict[str, tuple[list[Words], str, str, str, Verdict]] = {
    "so far that losses are no balls": ([HUGE], "swap", "1e-5", "1e6", REFUTED),
    "and a claim beyond": ([HUGE], "swap", "1e-5", "1e300", PROVED),
    "far above the total": ([GAUSSIAN], "swap", "1e-5", "1e5", PROVED),
    "all is lost": ([NOTHING], "swap", "0.9999999999", "1e300", REFUTED),
    "all is lost, never": ([NOTHING | {"count": 0}], "swap", "0", "0", PROVED),
    "more is lost": ([LOST], "swap", "9.99999504e-7", "1e300", REFUTED),
    "as much is lost": ([LOST], "swap", "9.9999951e-7", "0", PROVED),
    "below ln 3": ([RESPONSE], "swap", "0", "1.09861228866810969", REFUTED),
    "above ln 3": ([RESPONSE], "swap", "0", "1.09861228866810970", PROVED),
    "below ln 3, nearly no delta": (
        [RESPONSE],
        *("swap", "1e-300", "1.09861228866810969", REFUTED),
    ),
    "a delta of a third": ([THIRDS], "listed", f"0.{'3' * 30}", "0", REFUTED),
    "a delta of a third and more": ([THIRDS], "listed", f"0.{'3' * 29}4", "0", PROVED),
    "no delta to speak of": ([GAUSSIAN | {"sigma": 1}], "add-remove", "1e-300", "37.4488", REFUTED),
    "and a little more": ([GAUSSIAN | {"sigma": 1}], "add-remove", "1e-300", "37.4489", PROVED),
    "nearly the largest loss": ([TEN], "add-remove", "1e-300", "0.999", REFUTED),
    "rates of 0 and 1": ([NEVER, ALWAYS], "swap", "1e-5", "9.99725", REFUTED),
    "rates of 0 and 1 once more": ([NEVER, ALWAYS], "swap", "1e-5", "9.99726", PROVED),
    "nearly a rate of 1": (
        [SAMPLED | {"q": f"0.{'9' * 30}"}],
        *("add-remove", "1e-5", "4.3771", REFUTED),
    ),
    "and more": ([SAMPLED | {"q": f"0.{'9' * 30}"}], "add-remove", "1e-5", "4.3772", PROVED),
}


LONG = ("so far that losses are no balls", "and a claim beyond", "nearly the largest loss")
"""Five seconds of one processor each."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in EDGES]
)
def test_edges_are_decided(name: str) -> None:
    """It must hold of claims that are barely false and barely true."""
    steps, relation, delta, claim, verdict = EDGES[name]
    found = audit.account({"step": steps}, relation=relation, delta=delta, claim=claim)
    assert found.verdict is verdict


EQUAL: dict[str, tuple[list[Words], str, str, str]] = {
    "a third": ([THIRDS], "listed", "1/3", "0"),
    "all is lost": ([LOST], "swap", str(1 - (1 - Fraction(1, 10**8)) ** 100), "0"),
}


@pytest.mark.parametrize("name", EQUAL)
def test_what_is_equal_is_not_refuted(name: str) -> None:
    """It must hold of a claim that is exactly the total, which balls do not tell from it."""
    steps, relation, delta, claim = EQUAL[name]
    found = audit.account({"step": steps}, relation=relation, delta=delta, claim=claim)
    assert found.verdict in (PROVED, OPEN)


@pytest.mark.long
def test_a_replaced_record_moves_answers_at_most_twice() -> None:
    """It must hold: removing and adding it says so, and both ends would exclude each other."""
    wrong = GAUSSIAN | {"sensitivity": 0, "swap_sensitivity": 1, "count": 1000}
    with pytest.raises(InvalidArgument, match="at most twice the sensitivity"):
        audit.account({"step": [wrong, SAMPLED]}, relation="swap", delta="1e-5", claim=3)
    right = GAUSSIAN | {"sensitivity": "1/2", "swap_sensitivity": 1, "count": 1000}
    found = audit.account({"step": [right, SAMPLED]}, relation="swap", delta="1e-5", claim=3)
    assert found.verdict is REFUTED


@pytest.mark.parametrize("claim", ["200", "1e5", "1e300"])
def test_a_delta_that_is_no_double_is_told(
    claim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold in words and in JSON: the upper end is above it, and not 0."""
    monkeypatch.chdir(tmp_path)
    words = "".join(f"{key} = {value!r}\n" for key, value in GAUSSIAN.items())
    Path("p.toml").write_text(f'relation = "swap"\ndelta = "1e-5"\n[[step]]\n{words}')
    assert main(["account", "p.toml", "--claim", claim, "--report", "json=o"]) == 0
    assert "delta between 0 and 1e-300" in capsys.readouterr().out
    assert json.loads(Path("o").read_text())["delta"] == {"lower": 0.0, "upper": 1e-300}


def test_losses_that_are_known_too_badly_are_not_put_on_nodes() -> None:
    """It must hold of those so far from 0 that balls of a cell are wider than 1; not of others."""
    for square, is_known in ((10**5, True), (4 * 10**15, False)):
        parts = [Part(Gaussian(Fraction(square)), 1)]
        step = next(iter(steps_of(parts, 40.0)))
        found = lattice_of(parts, step, 40.0)
        assert (found is not None) is is_known
        assert found is None or ONE <= found.upper.total < ONE + ONE // 2**40


def test_ends_are_rounded_outward_however_small() -> None:
    """It must hold also of numbers that have more digits than are counted."""
    for number in (Fraction(1, 3), Fraction(1, 10**299), Fraction(1, 7**9000), Fraction(0)):
        assert Fraction(rounded(number, math.floor)) <= number
        assert Fraction(rounded(number, math.ceil)) >= number
    assert rounded(Fraction(0), math.ceil) == "0"
