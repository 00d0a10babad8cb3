"""Async targets are refused by name when they are loaded, with the remedy; none is left waiting."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from audit.targets.load import load_target
from audit.targets.wrap import target_of
from mechanisms.errors import InvalidArgument

CODE = """
import asyncio
import functools

from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source


async def function(data, size, rng):
    return rng.laplace(size=size)


async def generator(data, rng):
    yield rng.laplace()


class Called:
    async def __call__(self, data, size, rng):
        return rng.laplace(size=size)


called = Called()
partial = functools.partial(function, size=3)


class Sampler:
    epsilon = 1

    async def sample(self, data, size, *, rng):
        return rng.laplace(size=size)


class Mechanism(Sampler):
    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("here", "there"))


def hidden(data, rng):
    return function(data, 1, rng)


def wrapped(data, size, rng):
    return asyncio.run(function(data, size, rng))
"""

ASYNCHRONOUS = ("function", "generator", "Called", "called", "partial", "Sampler", "Mechanism")
MESSAGE = "async functions are not supported: wrap it in asyncio.run"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file of asynchronous targets."""
    path = tmp_path / "waiting_targets.py"
    path.write_text(CODE)
    return str(path)


@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_async_targets_are_refused_when_loaded(file: str, name: str) -> None:
    """It must hold that functions, generators, callables, partials and samplers are told apart."""
    with pytest.raises(InvalidArgument, match=MESSAGE):
        load_target(f"{file}:{name}")


def test_objects_at_hand_are_refused_too() -> None:
    """It must hold for what a fixture or a mark of pytest is given."""

    async def release(data: object, size: int) -> object:
        return data, size

    with pytest.raises(InvalidArgument, match=MESSAGE):
        target_of(release, "release")


def test_the_remedy_is_audited(file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that a function that calls asyncio.run is a target like any other."""
    assert np.shape(load_target(f"{file}:wrapped").draw([0.0], 3, dp_rng)) == (3,)


def test_a_coroutine_that_comes_out_is_an_outcome(file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that it is closed, so that nothing warns, and that the outcome says why."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outputs = load_target(f"{file}:hidden").draw([0.0], 2, dp_rng)
    assert [str(output) for output in outputs] == [MESSAGE] * 2


def test_the_command_says_one_line(file: str) -> None:
    """It must hold that the exit status is 2, and that no RuntimeWarning stands beside it."""
    claim = ["--epsilon", "1", "--relation", "add-remove", "--low", "0", "--high", "1"]
    code = f"from audit.cli import main; raise SystemExit(main(['audit', {file + ':function'!r}, "
    code += f"*{claim!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert MESSAGE in done.stderr
