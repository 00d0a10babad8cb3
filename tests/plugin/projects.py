"""Small projects with tests that audit, and runs of pytest in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import _touchstone_pytest

__all__ = ["FEW", "PAIR", "RELEASE", "TINY", "make", "properties", "run", "run_apart"]

PAIR = '{"data": 0.0, "neighbor": 1.0}'

RELEASE = """
import numpy as np

from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source


def leaky(data, size, rng):
    return data + rng.laplace(scale=0.3, size=size)


def private(data, size, rng):
    return data + rng.laplace(size=size)


class Leaky:
    order = "fixed"

    def __init__(self, epsilon=1):
        self.claim = PrivacyClaim(PureDP(epsilon), Relation.LISTED, Source("user", "release"))

    def sample(self, data, size, *, rng):
        return leaky(data, size, rng)
"""

TINY = (
    'epsilon=1, relation="listed", pair="pair.json", ideal=True, budget_samples=20000, resolution=9'
)
"""Words of an audit that takes a tenth of a second: leaky is REFUTED, private is CONSISTENT."""

FEW = TINY.replace("20000", "600")
"""Words of an audit that can tell nothing."""


def make(pytester: pytest.Pytester, tests: str, **files: str) -> None:
    """Write a project with one file of tests; TINY and FEW stand for their words."""
    head = "import pytest\nfrom release import leaky, private, Leaky\n\n"
    pytester.makefile(".json", pair=PAIR)
    pytester.makepyfile(
        release=RELEASE, test_it=head + tests.replace("TINY", TINY).replace("FEW", FEW), **files
    )
    pytester.makeini("[pytest]\npythonpath = .\naddopts = --strict-markers\n")


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run its tests in this process, at seed 7 unless told; JUnit goes into junit.xml."""
    seed = () if "--privacy-seed" in words else ("--privacy-seed", "7")
    every = ("-p", "no:cacheprovider", "--junitxml=junit.xml", *seed)
    return pytester.runpytest_inprocess(*every, *words)


def properties(folder: Path) -> dict[str, dict[str, str]]:
    """What JUnit has of each test."""
    return {
        case.attrib["name"]: {
            item.attrib["name"]: item.attrib["value"] for item in case.iter("property")
        }
        for case in ET.parse(folder / "junit.xml").iter("testcase")
    }


def run_apart(
    folder: Path, *words: str, python: tuple[str, ...] = (), path: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run pytest in a process of its own, with the plugin as it is installed.

    Parameters
    ----------
    folder : Path
        The project.
    *words : str
        For pytest.
    python : tuple of str
        The command; `python -m pytest` if left out.
    path : str or None
        Where the plugin and the packages are found.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    environment["PYTHONPATH"] = path or str(Path(_touchstone_pytest.__file__).parent)
    command = python or (sys.executable, "-m", "pytest")
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
