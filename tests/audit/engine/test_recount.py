"""The script of a counterexample counts what the report counts."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from mechanisms.errors import InvalidArgument
from tests.slow import one_in
from tests.user_files import imports_restored

RELEASES = """\
import numpy as np
from decimal import Decimal


def total(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(scale=0.5, size=size)


def one(data, rng):
    return float(np.sum(np.clip(np.nan_to_num(data), 0, 1)) + rng.laplace(scale=0.4))


def vector(data, size, rng):
    return np.nansum(np.clip(data, 0, 1)) + rng.normal(scale=0.5, size=(size, 3))


def keyed(data, rng):
    n = len(data)
    return {"n": n + rng.laplace(scale=0.3), "more": rng.random()}


def form(data, rng):
    return {"a": 1, "b": 2} if len(data) and rng.random() < 0.9 else {"a": 1}


def text(data, rng):
    return "quoted 'yes' \\\\n" if rng.random() < 0.05 + 0.9 * bool(len(data)) else "no"


def failing(data, size, rng):
    if rng.random() < 0.02 + 0.3 * bool(len(data)):
        raise OverflowError("x")
    return rng.normal(size=size)


def failing_once(data, rng):
    if rng.random() < 0.02 + 0.6 * bool(len(data)):
        raise ValueError("no")
    return rng.normal()


def last_bits(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


def labels(data, rng):
    return [f"n{len(data)}", rng.random() < 0.5]


def exactly(data, rng):
    return Decimal(len(data)) + Decimal(round(4 * rng.laplace(scale=0.4))) / 4


def same_always(data, rng):
    return len(data)


def rows(table, rng):
    return len(table) + rng.laplace(scale=0.3)


def budgeted(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(scale=0.3, size=size)


class Stated:
    def __init__(self, epsilon=1, k=2):
        self.epsilon, self.k = float(epsilon), k

    def sample(self, data, size, *, rng):
        shown = np.clip(np.nan_to_num(data), 0, 1).sum()
        return shown + rng.laplace(scale=0.3 / self.epsilon, size=(size, self.k))
"""

COMMAND = """\
import json, random, sys
asked = json.loads(input())
rng = random.Random(asked["seed"])
for _ in range(asked["size"]):
    print(json.dumps(len(asked["data"]) + rng.expovariate(3) - rng.expovariate(3)))
"""

SCHEMA = {
    "takes": "pandas",
    "columns": {
        "age": {"type": "int", "low": 0, "high": 9},
        "born": {"type": "date", "low": date(2000, 1, 1), "high": date(2001, 1, 1)},
        "note": {"type": "category", "values": ["a", "b"]},
    },
}

NUMBERS = {"relation": "add-remove", "low": 0, "high": 1}

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "scalar": ("total", NUMBERS),
    "one draw a call": ("one", NUMBERS),
    "vector": ("vector", NUMBERS),
    "keyed": ("keyed", NUMBERS),
    "form": ("form", NUMBERS),
    "text": ("text", NUMBERS),
    "a call for many fails": ("failing", NUMBERS),
    "one draw fails": ("failing_once", NUMBERS),
    "last bits": ("last_bits", {**NUMBERS, "ideal": False}),
    "labels": ("labels", NUMBERS),
    "decimals": ("exactly", NUMBERS),
    "deterministic": ("same_always", NUMBERS),
    "swap": ("total", {"relation": "swap", "low": 0, "high": 2}),
    "listed": ("total", {"relation": "listed", "pair": {"data": [0.0], "neighbor": [1.0, 1.0]}}),
    "bound": ("total", {**NUMBERS, "mode": "bound", "budget_samples": 40_000}),
    "timeout": ("total", {**NUMBERS, "timeout": 17.5, "memory": 900}),
    "parameters": ("Stated", {**NUMBERS, "param": {"epsilon": "1/2", "k": 3}}),
    "tables": ("rows", {"relation": "add-remove", "schema": SCHEMA}),
    "records": ("rows", {"relation": "add-remove", "schema": SCHEMA, "takes": "records"}),
    "structured": ("rows", {"relation": "add-remove", "schema": SCHEMA, "takes": "numpy"}),
    "registered": ("corpus.laplace", {"param": {"epsilon": 3}, "relation": "listed"}),
    "printed": ("sub.threshold-as-printed", {"epsilon": None, "budget_samples": 400_000}),
    "mutant": ("tri.coarse-mutant", {"epsilon": None, "budget_samples": 400_000}),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with releases."""
    (tmp_path / "releases.py").write_text(RELEASES)
    (tmp_path / "program.py").write_text(COMMAND)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def counted(result: Any) -> list[int]:
    """Counts on the data and on the neighbor, by a report."""
    witness = result.witness
    assert witness is not None, result
    told = [witness.hits, witness.other_hits]
    return told if witness.likelier == "data" else told[::-1]


def rerun(source: str) -> list[int]:
    """Counts by a script."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "script", "exec"), {})
    return [int(n) for n in re.findall(r"(\d+) of", printed.getvalue())]


def audited(target: Any, words: dict[str, Any], seed: int) -> Any:
    """An audit of a claim that its target breaks."""
    usual = {"epsilon": "0.8", "ideal": True, "budget_samples": 60_000, "false_alarm": 0.01}
    words = {**usual, **words}
    if isinstance(target, str) and "." not in target:
        target = f"releases.py:{target}"
    return audit.audit(target, seed=seed, **words)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_a_script_counts_what_the_report_counts(kind: str, seed: int, folder: Path) -> None:
    """It must hold to the digit, of each kind of output, call, data set and claim."""
    result = audited(*KINDS[kind], seed)
    source = result.witness.rerun
    assert rerun(source) == counted(result)
    assert "pickle" not in source
    assert source.startswith("# Counts the output of the counterexample on the report's own new")
    assert source.endswith(f"  # {counted(result)[0]} and {counted(result)[1]}\n")


def test_a_script_is_short_and_runs_by_itself(folder: Path) -> None:
    """It must hold of a number that a sum shows."""
    result = audited("total", NUMBERS, 1)
    (folder / "script.py").write_text(result.witness.rerun)
    assert len(result.witness.rerun.splitlines()) == 17  # one imports `number`
    done = subprocess.run(
        [sys.executable, "script.py"],
        env={"PYTHONPATH": f"{Path(audit.__file__).parents[1]}"},
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = counted(result)
    draws = result.witness.draws
    assert done.stdout == f"{first} of {draws} draws on D, {second} of {draws} on D'\n"


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_the_script_of_a_command_counts_what_the_report_counts(seed: int, folder: Path) -> None:
    """It must hold of a program that goes by its seed."""
    result = audited([sys.executable, "program.py"], {**NUMBERS, "budget_samples": 6_000}, seed)
    assert rerun(result.witness.rerun) == counted(result)


@pytest.mark.long
def test_the_script_of_an_object_counts_what_the_report_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a function that a script imports."""
    monkeypatch.syspath_prepend(str(folder))
    import releases  # type: ignore[import-not-found]

    try:
        result = audited(releases.total, NUMBERS, 3)
        assert "from releases import total as mechanism" in result.witness.rerun
        assert rerun(result.witness.rerun) == counted(result)
    finally:
        sys.modules.pop("releases")


@pytest.mark.long
def test_the_script_of_a_personalized_claim_counts_what_the_report_counts(folder: Path) -> None:
    """It must hold of pairs with budgets beside the records."""
    words = {**NUMBERS, "relation": "swap", "epsilon": None, "budgets": "1/2, 1, 1/4"}
    result = audited("budgeted", words, 1)
    assert result.witness.user is not None
    assert rerun(result.witness.rerun) == counted(result)


@pytest.mark.long
def test_a_target_without_a_seed_says_that_its_draws_are_others(folder: Path) -> None:
    """It must hold, since the counts then differ; the script runs all the same."""
    (folder / "own.py").write_text(
        "import numpy as np\nRNG = np.random.default_rng()\n\n\n"
        "def total(data):\n    return np.nansum(data) + RNG.laplace(scale=0.2)\n"
    )
    result = audited("own.py:total", NUMBERS, 1)
    source = result.witness.rerun
    assert "draws of its own" in source.splitlines()[0]
    assert "the target does not follow a seed" in source
    assert len(rerun(source)) == 2


def shift(data: float, size: int, rng: np.random.Generator) -> Any:
    """Far enough apart that no draw is on the other side."""
    return data + rng.laplace(size=size)


def test_recount_counts_by_seed_and_one_by_one() -> None:
    """It must hold that equal seeds count equal draws, and others others."""

    def event(z: float) -> bool:
        return bool(z > 0)

    counts = [audit.recount(shift, 0.0, 1.0, event, draws=300, seed=s) for s in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]
    single = audit.recount(shift, 0.0, 99.0, event, draws=20, seed=1, one_a_call=True)
    assert single[1] == 20 > single[0] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"draws": 0}, "draws must be an integer of at least 1"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"seed": 2**64}, "seed must be at most 18446744073709551615"),
        ({"timeout": -1}, "timeout must be"),
        ({"memory": 0}, "memory must be"),
        ({"event": 3}, "event must be a function of an output, got event=3"),
    ],
)
def test_recount_says_what_is_wrong(words: dict[str, Any], message: str) -> None:
    """It must hold before anything is drawn."""
    told = {"draws": 10, "seed": 1, **words}
    event = told.pop("event", bool)
    with pytest.raises(InvalidArgument, match=message):
        audit.recount(shift, 0.0, 1.0, event, **told)
