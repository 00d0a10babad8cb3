"""`touchstone init` passes nothing over in silence, and what it leaves out can be completed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.request.configuration import read_config
from tests.cli.test_init import not_audited
from tests.user_files import imports_restored

DAY_ONE = """
import numpy as np
import pandas as pd

RNG = np.random.default_rng()


def dp_sum(data, epsilon=1.0, low=0.0, high=100.0):
    return float(np.clip(data, low, high).sum() + RNG.laplace(scale=high / epsilon))


def dp_histogram(labels, epsilon=1.0):
    return {k: labels.count(k) + RNG.laplace(scale=1 / epsilon) for k in set(labels)}


def dp_texts(values: list[str], epsilon=1.0):
    return sum(len(text.strip()) for text in values) + RNG.laplace(scale=9 / epsilon)


def dp_group(df: pd.DataFrame, epsilon=1.0):
    return df.drop_duplicates("user")["x"].sum() + RNG.laplace(scale=1 / epsilon)
"""

KINDS = '''
import functools
from functools import partial
from enum import Enum
from os.path import join
from typing import Callable, NewType

import numpy as np

from helpers import elsewhere, logged, wraps_away

UserId = NewType("UserId", int)
Read = Callable[[int], int]
Rows = list[float]
LIMIT = 3


def labels_of(colours, k, epsilon=2):
    return 1

def scalar(x: float):
    return x

def nothing():
    return 1

def named(*, data):
    return 1

def several(*values):
    return 1

def stream(data):
    yield 1

async def later(data):
    return 1

async def later_stream(data):
    yield 1

@functools.lru_cache
def cached(query):
    return 1

@functools.wraps(scalar)
def wrapped(*args):
    return 1

@logged
def decorated(query):
    return 1

@wraps_away
def decorated_away(query):
    return 1

short = lambda query: 1
fixed = partial(labels_of, k=3)
of_another = partial(elsewhere, 1)

class Release:
    """No mechanism."""

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, query):
        return 1

release = Release(1)

class Color(Enum):
    RED = 1

class Wrong(Exception):
    pass

def _private(data):
    return 1
'''

HELPERS = """
from functools import partial


def elsewhere(first, second):
    return 1


def logged(function):
    def call(query):
        return function(query)

    return call


class Away:
    def __init__(self, function):
        self.function = function

    def __call__(self, query):
        return self.function(query)


wraps_away = Away
shared = partial(elsewhere, 1)
"""

DATA = "is it data? Then uncomment its entry"
REASONS = {
    "labels_of": f"first argument `colours`: {DATA}",
    "scalar": f"first argument `x: float`: {DATA}",
    "nothing": "it has no argument, and so no data",
    "named": "first argument `data`: the data must be one argument, given by its place",
    "several": "first argument `*values`: the data must be one argument, given by its place",
    "stream": "it is a generator: return the whole answer at once",
    "later_stream": "it is a generator: return the whole answer at once",
    "cached": f"first argument `query`: {DATA}",
    "wrapped": f"first argument `x: float`: {DATA}",
    "decorated": f"first argument `query`: {DATA}",
    "decorated_away": f"first argument `query`: {DATA}",
    "short": f"first argument `query`: {DATA}",
    "fixed": f"first argument `colours`: {DATA}",
    "of_another": f"first argument `second`: {DATA}",
    "Release": "a class needs an epsilon, and a method sample whose first argument is data",
    "release": f"first argument `query`: {DATA}",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def init(text: str, capsys: pytest.CaptureFixture[str], name: str = "m.py") -> str:
    """What the command prints of a module."""
    Path(name).write_text(text)
    assert main(["init", name, "--force"]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def completed() -> list[dict[str, Any]]:
    """The audits of the file, the marks taken off every entry and what is to be filled in given."""
    path = Path("touchstone.toml")
    head, *parts = re.split(r"^(?=## Not audited)", path.read_text(), flags=re.MULTILINE)
    assert parts
    entries = [part.partition("\n\n")[0] for part in parts]
    bare = [re.sub(r"^# ?", "", re.sub(r"^## ", "# # ", e), flags=re.MULTILINE) for e in entries]
    text = "\n\n".join([head.partition("\n# A positive control")[0], *bare])
    path.write_text(text.replace("FILE.toml", "one.toml").replace('"..."', "3") + "\n")
    Path("one.toml").write_text('[columns.label]\ntype = "bool"\n')
    read_config(path)
    audits: list[dict[str, Any]] = tomllib.loads(path.read_text())["audit"]
    assert "# Not audited: " in path.read_text()
    return audits


def test_the_functions_of_a_first_day_are_all_named(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that four of four are named, what was not taken with its reason and a form."""
    said = init(DAY_ONE, capsys, "day_one.py")
    assert re.search(
        r"^  day_one.py:dp_sum +epsilon = 1, records in \[0, 100\] \(its defaults\); "
        r"add-remove \(a guess\)$",
        said,
        re.MULTILINE,
    )
    told = not_audited(said.partition("Not audited:\n")[2])
    assert told["day_one.py:dp_histogram"] == f"first argument `labels`: {DATA}"
    assert told["day_one.py:dp_group"] == (
        "it raises AttributeError: 'numpy.ndarray' object has no attribute 'drop_duplicates'"
    )
    assert told["day_one.py:dp_texts"].endswith("; a list of texts works: see takes")
    assert len(told) == 3
    forms = {audit["target"]: audit.get("takes") for audit in completed()}
    assert forms == {
        "day_one.py:dp_sum": None,
        "day_one.py:dp_histogram": "values",
        "day_one.py:dp_texts": "values",
        "day_one.py:dp_group": "pandas",
    }


def test_every_kind_of_function_is_named_with_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of each kind; names that are imported or private, and types, are not listed."""
    Path("helpers.py").write_text(HELPERS)
    told = not_audited(init(KINDS, capsys).partition("Not audited:\n")[2])
    later = told.pop("m.py:later")
    assert "wrap it in asyncio.run" in later
    assert told == {f"m.py:{name}": why for name, why in REASONS.items()}
    audits = completed()
    assert [audit["target"] for audit in audits] == [
        f"m.py:{name}" for name in sorted([*REASONS, "later"], key=KINDS_ORDER.index)
    ]
    by_target = {audit["target"]: audit for audit in audits}
    assert by_target["m.py:labels_of"]["epsilon"] == 2
    assert by_target["m.py:labels_of"]["param"] == {"k": 3}


KINDS_ORDER = [
    *("labels_of", "scalar", "nothing", "named", "several", "stream", "later", "later_stream"),
    *("cached", "wrapped", "decorated", "decorated_away", "short", "fixed", "of_another"),
    *("Release", "release"),
]


def test_stated_names_are_listed_wherever_they_come_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that __all__ decides: imported and private names of it, and no others."""
    Path("helpers.py").write_text(HELPERS)
    text = "from math import log\nfrom helpers import elsewhere, shared\n\n"
    text += '__all__ = ["_own", "elsewhere", "log", "gone", "LIMIT"]\n\nLIMIT = 3\n\n\n'
    text += "def _own(query):\n    return 1\n\n\ndef other(query):\n    return 1\n"
    told = not_audited(init(text, capsys).partition("Not audited:\n")[2])
    assert set(told) == {"m.py:_own", "m.py:elsewhere", "m.py:log"}
    assert len(completed()) == 3
    text = text.replace("__all__", "names")
    told = not_audited(init(text, capsys, "n.py").partition("Not audited:\n")[2])
    assert set(told) == {"n.py:other"}


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n",
        "import nothing_of_this_name\n",
        "raise SystemExit(0)\n",
        "raise ValueError('one\\ntwo')\n",
        "__all__ = 3\n\ndef f(data):\n    return 1\n",
    ],
    ids=["syntax", "missing", "ends", "lines", "names"],
)
def test_a_module_that_cannot_be_read_is_one_line(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is exit 2 and no file."""
    Path("m.py").write_text(text)
    assert main(["init", "m.py"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert len(err) <= 300
    assert not Path("touchstone.toml").exists()


PLACES = """
import numpy as np
import pandas as pd


def local(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1) + rng.laplace(size=(size, len(data)))

def local_list(data, rng):
    return [x + rng.laplace() for x in data]

def local_series(data, rng):
    return pd.Series(np.asarray(data) + rng.laplace(size=len(data)))

def histogram(data, rng):
    return np.histogram(data, 10, (0, 1))[0] + rng.laplace(size=10)

def found(data, rng):
    values, counts = np.unique(data, return_counts=True)
    return counts + rng.laplace(size=len(values))

def beyond(data, rng):
    return [x + rng.laplace() for x in data if x > 0.5]

def ragged(data, rng):
    return [[rng.laplace()] * k for k in range(3)]

def total(data, size, rng):
    return np.sum(data) + rng.laplace(size=size)

def named(data, rng):
    return {i: x + rng.laplace() for i, x in enumerate(data)}

def worded(data, rng):
    return "x" * len(data) if rng.random() < 0.5 else "y" * len(data)

class Fixed:
    order = "fixed"

    def __init__(self, epsilon=1.0):
        self.epsilon = epsilon

    def sample(self, data, size, *, rng):
        return np.asarray(data) + rng.laplace(size=(size, len(data)))
"""


@pytest.mark.long
def test_a_release_in_place_gets_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of a part for each record, and not of bins, values that come, or a filter."""
    said = init(PLACES, capsys)
    text = Path("touchstone.toml").read_text()
    audits = {audit["target"]: audit for audit in tomllib.loads(text)["audit"]}
    in_place = {name for name, audit in audits.items() if "order" in audit}
    assert in_place == {"m.py:local", "m.py:local_list", "m.py:local_series"}
    assert all(audits[name]["order"] == "fixed" for name in in_place)
    assert {audit["relation"] for name, audit in audits.items() if name in in_place} == {"swap"}
    assert 'as many parts as records: each in its place? else "free"' in text
    assert "swap, order fixed, records in [0, 1] (guesses)" in said
    assert {audit["relation"] for name, audit in audits.items() if name not in in_place} == {
        "add-remove"
    }
    assert "m.py:Fixed" in audits


@pytest.mark.slow
def test_a_release_in_place_is_not_refuted_by_its_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold of noise of the claimed scale in few draws, which refute it without an order."""
    init(PLACES.partition("def local_list")[0], capsys)
    path = Path("touchstone.toml")
    text = path.read_text()
    gate = ["gate", "--seed", "1", "--jobs", "1", "--budget-samples", "40000"]
    for order, statuses in (("fixed", (0, 3)), ("free", (1,))):
        path.write_text(text.replace('order = "fixed"', f'order = "{order}"'))
        assert main(gate) in statuses, capsys.readouterr().out
