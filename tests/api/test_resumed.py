"""A saved run is gone on with for the same object only, and what is said of it is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.targets.file_state import state_of
from tests.user_files import imports_restored

FILE = """
SCALE = 3.0


class Noisy:
    def __init__(self, scale=3.0):
        self.scale = scale

    def sample(self, data, size, *, rng):
        return data.sum() + rng.laplace(scale=self.scale, size=size)


def noisy(data, size, rng):
    return data.sum() + rng.laplace(scale=SCALE, size=size)


at_hand = Noisy()
"""
WORDS: dict[str, Any] = {
    "epsilon": 1,
    "relation": "swap",
    "pair": ([0.0], [1.0]),
    "ideal": True,
    "seed": 1,
    "budget_samples": 4_000,
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of the user's, imported."""
    (tmp_path / "noises.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        monkeypatch.syspath_prepend(tmp_path)
        import importlib

        yield importlib.import_module("noises")


@pytest.mark.long
@pytest.mark.parametrize("name", ["noises:noisy", "noises:at_hand", "noises:Noisy"])
def test_a_run_is_gone_on_with(module: Any, name: str, tmp_path: Path) -> None:
    """It must hold that the same name in an unchanged file is the same audit."""
    words = {**WORDS, "pair": str(tmp_path / "pair.json")}
    (tmp_path / "pair.json").write_text('{"data": [0.0], "neighbor": [1.0]}')
    file = tmp_path / "run"
    first = audit.audit(name, **{**words, "budget_samples": 2_000}, resume=file)
    del words["seed"]
    again = audit.audit(name, **{**words, "budget_samples": 2_000}, resume=file)
    assert (again.seed, again.samples) == (1, first.samples)


@pytest.mark.long
def test_an_object_that_differs_is_another_one(module: Any, tmp_path: Path) -> None:
    """It must hold for an attribute of an object, and that the message says which part differs."""
    words = {**WORDS, "pair": str(tmp_path / "pair.json"), "resume": tmp_path / "run"}
    (tmp_path / "pair.json").write_text('{"data": [0.0], "neighbor": [1.0]}')
    audit.audit("noises:at_hand", **words)
    module.at_hand.scale = 0.1
    with pytest.raises(audit.InvalidArgument, match=r"its state of the target was .*3\.0.* 0\.1"):
        audit.audit("noises:at_hand", **words)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("SCALE = 3.0", "SCALE = 0.1", "SCALE"),
        ("scale=self.scale, size", "scale=0.1, size", "Noisy.sample"),
        ("data.sum() + rng.laplace(scale=SCALE", "data.sum() + rng.laplace(scale=0.1", "noisy"),
    ],
)
def test_an_edited_file_is_told(module: Any, old: str, new: str, name: str, tmp_path: Path) -> None:
    """It must hold that no evidence of old code is kept under the digest of the new file."""
    words = {**WORDS, "pair": str(tmp_path / "pair.json")}
    (tmp_path / "pair.json").write_text('{"data": [0.0], "neighbor": [1.0]}')
    assert old in FILE
    (tmp_path / "noises.py").write_text(FILE.replace(old, new))
    for target in ("noises:noisy", "noises.py:noisy"):
        with pytest.raises(audit.InvalidArgument, match=f"^{name} is not what .*noises.py says, "):
            audit.audit(target, **words, resume=tmp_path / "run")
    assert not (tmp_path / "run").exists()


class Parts:
    """An object of many parts."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts


def test_the_state_of_an_object_has_no_addresses() -> None:
    """It must hold that equal objects have one state, and others another."""
    import numpy as np

    every = [
        1,
        "a",
        0.5,
        None,
        (1, 2),
        {"a": {3, 4}},
        np.zeros(2),
        np.ones(2),
        len,
        Parts,
        Parts(1),
    ]
    states = [state_of(Parts(part)) for part in every]
    assert len(set(states)) == len(every)
    assert [state_of(Parts(part)) for part in every] == states
    assert state_of(Parts(Parts(object()))) == state_of(Parts(Parts(object())))
    assert not any(" at 0x" in state for state in states)
    assert state_of(Parts) == state_of(len) == ""
