"""A class with `epsilon` and `sample` and no claim is audited at the stated claim."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from audit.cli import main
from audit.targets.load import load_target
from audit.targets.wrap import target_of

CODE = """
import numpy as np


class Estimator:
    def __init__(self, epsilon=1.0):
        self.epsilon = epsilon

    def sample(self, data, size, *, rng):
        return np.clip(data, 0, 1).sum() + rng.laplace(scale=1 / self.epsilon, size=size)


ready = Estimator(3.0)
"""

CLAIM = ("--epsilon", "1", "--relation", "listed", "--pair", "p.json", "--ideal", "--seed", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an estimator and a pair of data sets."""
    (tmp_path / "estimators.py").write_text(CODE)
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_drawn_from_its_sampler(folder: Path, dp_rng: np.random.Generator) -> None:
    """It must hold that it has no claim of its own, and takes a parameter of its making."""
    target = load_target(str(folder / "estimators.py:Estimator"), parameters={"epsilon": 1000})
    assert target.claim is None
    assert target.seedable
    assert np.allclose(target.draw([1.0, 1.0], 5, dp_rng), 2, atol=0.1)


def test_an_object_at_hand_is_one_too(dp_rng: np.random.Generator) -> None:
    """It must hold of an object without a claim, as of its class."""

    class Sampler:
        def sample(self, data: list[float], size: int) -> list[float]:
            return [sum(data)] * size

    assert list(target_of(Sampler(), "sampler").draw([1.0, 2.0], 2, dp_rng)) == [3.0, 3.0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("estimators.py:Estimator", "--budget-samples", "300000"), 0),
        (("estimators.py:Estimator", "--param", "epsilon=3"), 1),
        (("estimators.py:ready",), 1),
    ],
)
def test_it_is_audited_at_the_stated_claim(
    folder: Path, words: tuple[str, ...], status: int
) -> None:
    """It must hold that --epsilon states the claim, and --param makes the object."""
    assert main(["audit", *words, *CLAIM, "--output", "report.txt"]) == status


def test_without_a_claim_it_is_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the message says how a claim is stated."""
    assert main(["audit", "estimators.py:Estimator"]) == 2
    assert "makes no claim of its own; state one with --epsilon" in capsys.readouterr().err


LAWS = """
from fractions import Fraction


class Coin:
    low, high = 0, 1

    def sample(self, data, size, *, rng):
        return rng.random(size) < float(self.exact_law(data)[1])

    def exact_law(self, data):
        p = Fraction(3 if sum(data) >= 1 else 1, 4)
        return {1: p, 0: 1 - p}


class Silent:
    low, high = 0, 1

    def sample(self, data, size, *, rng):
        return rng.random(size)
"""


@pytest.mark.long
def test_a_law_is_audited_exactly_at_the_stated_claim(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a class with exact_law; and only one without a law is told to have none."""
    (folder / "laws.py").write_text(LAWS)
    words = ["audit", "laws.py:Coin", "--mode", "exact", "--relation", "swap"]
    assert main([*words, "--epsilon", "11/10"]) == 0
    assert capsys.readouterr().out.startswith("PROVED")
    assert main([*words, "--epsilon", "1"]) == 1
    assert main(words[:4]) == 2
    assert "makes no claim of its own; state one" in capsys.readouterr().err
    words[1] = "laws.py:Silent"
    assert main([*words, "--epsilon", "1"]) == 2
    assert "is no mechanism that states its law" in capsys.readouterr().err
