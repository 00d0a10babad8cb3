"""What the audits of a session share: one rate, one seed, a profile; on any number of workers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import _touchstone_pytest
from audit.testing import PROFILES
from tests.plugin.projects import make, properties, run, run_apart
from tests.signals import ctrl_c_reaches_children

pytest_plugins = ["pytester"]

SEVERAL = """
@pytest.mark.privacy(FEW)
@pytest.mark.parametrize("scale", [1, "a b"])
def test_marked(scale):
    return private


@pytest.mark.privacy(TINY)
@pytest.mark.xdist_group("one")
def test_leaky():
    return leaky


def test_fixture(privacy_audit):
    privacy_audit(private, FEW)
    privacy_audit(leaky, FEW, expect="refuted")


def test_plain():
    pass
"""
OK = "--privacy-inconclusive=ok"
PARTS = 4


def told_by(pytester: pytest.Pytester, *words: str) -> dict[str, dict[str, str]]:
    """Run the tests, and return what JUnit has of those that audit."""
    run(pytester, OK, *words)
    return {name: row for name, row in properties(pytester.path).items() if row}


@pytest.mark.long
def test_a_test_repeats_alone(pytester: pytest.Pytester) -> None:
    """It must hold that N/PARTS of a failure repeats a test exactly, in whatever company."""
    make(pytester, SEVERAL)
    whole = told_by(pytester, "--privacy-seed", "3")
    assert {row["false_alarm"] for name, row in whole.items() if "marked" in name} == {
        str(1e-3 / PARTS)
    }
    printed = f"3/{PARTS}"
    for name in ("test_leaky", "test_fixture", "test_marked[a b]"):
        alone = told_by(pytester, "--privacy-seed", printed, f"test_it.py::{name}")
        assert alone == {name: whole[name]}
    some = told_by(pytester, "--privacy-seed", printed, "-k", "test_leaky or test_fixture")
    assert some == {name: whole[name] for name in ("test_leaky", "test_fixture")}


@pytest.mark.long
def test_the_seed_alone_repeats_the_draws(pytester: pytest.Pytester) -> None:
    """It must hold that seeds depend on the test's name and the seed only, the rate on the run."""
    make(pytester, SEVERAL)
    whole = told_by(pytester, "--privacy-seed", "3")
    alone = told_by(pytester, "--privacy-seed", "3", "-k", "test_leaky")["test_leaky"]
    assert alone["seed"] == whole["test_leaky"]["seed"]
    assert alone["verdict"] == "REFUTED"
    assert alone["false_alarm"] == "0.001"
    other = told_by(pytester, "--privacy-seed", "4", "-k", "test_leaky")["test_leaky"]
    assert other["seed"] != alone["seed"]


@pytest.mark.long
def test_more_tests_than_parts_split_further(pytester: pytest.Pytester) -> None:
    """It must hold that a seed from a smaller run cannot make the rates sum to more."""
    make(pytester, SEVERAL)
    whole = told_by(pytester, "--privacy-seed", "3/2")
    assert whole["test_leaky"]["false_alarm"] == str(1e-3 / PARTS)


@pytest.mark.long
def test_a_fresh_seed_is_printed(pytester: pytest.Pytester) -> None:
    """It must hold that runs differ unless told, and that the printed seed repeats one."""
    make(pytester, "@pytest.mark.privacy(TINY)\ndef test_leaky():\n    return leaky\n")
    printed, rows = [], []
    for words in ((), ()):
        result = pytester.runpytest_inprocess("--junitxml=junit.xml", *words)
        printed += re.findall(r"--privacy-seed (\d+/1)\n", result.stdout.str())
        rows.append(properties(pytester.path))
    assert printed[0] != printed[1]
    assert told_by(pytester, "--privacy-seed", printed[0]) == rows[0]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("-n2",), ("-n2", "--dist", "loadgroup"), ("-n1",)])
def test_workers_agree(pytester: pytest.Pytester, words: tuple[str, ...]) -> None:
    """It must hold that pytest-xdist changes no verdict, no seed, no share and no count."""
    make(pytester, SEVERAL)
    alone = told_by(pytester, "--privacy-seed", "3")
    done = run_apart(pytester.path, OK, "--privacy-seed", "3", "--junitxml=junit.xml", *words)
    apart = {name: row for name, row in properties(pytester.path).items() if row}
    assert {name.partition("@")[0]: row for name, row in apart.items()} == alone
    assert "1 failed, 4 passed" in done.stdout
    table = done.stdout.partition("= privacy audits =")[2].partition("\nseen from: ")[0]
    names = re.findall(r"test_it\.py::(\w+)", table)
    assert names == [*["test_fixture"] * 2, "test_leaky", *["test_marked"] * 2]
    assert f"in {PARTS} parts; --privacy-seed 3/{PARTS} repeats" in done.stdout


@pytest.mark.slow
def test_workers_share_a_fresh_seed(pytester: pytest.Pytester) -> None:
    """It must hold that without a seed all workers draw from the one that is printed."""
    make(pytester, SEVERAL)
    done = run_apart(pytester.path, OK, "--junitxml=junit.xml", "-n2")
    apart = {name: row for name, row in properties(pytester.path).items() if row}
    (printed,) = set(re.findall(rf"--privacy-seed (\d+)/{PARTS}\b", done.stdout))
    assert told_by(pytester, "--privacy-seed", printed) == apart


def test_profiles_are_known_to_both_sides() -> None:
    """It must hold that the plugin and the audit have the same profiles, from small to large."""
    assert tuple(PROFILES) == _touchstone_pytest.PROFILES
    samples, seconds = zip(*PROFILES.values(), strict=True)
    quick, default, thorough = samples
    assert default is None
    assert 0 < quick < thorough
    assert list(seconds) == sorted(set(seconds))


@pytest.mark.slow
def test_a_profile_sets_the_draws(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that draws come from the profile, that the mark's own win, and both repeat."""
    monkeypatch.setitem(PROFILES, "quick", (1_600, 10.0))
    monkeypatch.setitem(PROFILES, "default", (800, 10.0))
    make(
        pytester,
        '@pytest.mark.privacy(epsilon=1, relation="listed", pair="pair.json", ideal=True)\n'
        "def test_profile():\n    return private\n\n\n"
        '@pytest.mark.privacy(epsilon=1, relation="listed", pair="pair.json", ideal=True,'
        " budget_samples=1_200)\ndef test_own():\n    return private\n",
    )
    for words, most in ((), 800), (("--privacy-profile=quick",), 1_600):
        told = told_by(pytester, *words)
        assert most / 2 < int(told["test_profile"]["samples"]) <= most
        assert 800 < int(told["test_own"]["samples"]) <= 1_200
    repeat = run(pytester, "-oprivacy_profile=quick", "-oprivacy_false_alarm=0.01").stdout.str()
    assert "--privacy-seed 7/2 --privacy-profile quick --privacy-false-alarm 0.01\n" in repeat


WRONG = {
    "--privacy-seed=x": "--privacy-seed must be an integer, or N/PARTS",
    "--privacy-seed=1/": "got '1/'",
    "--privacy-profile=fast": "invalid choice: 'fast'",
    "--privacy-false-alarm=2": "privacy_false_alarm must be a number between 0 and 1, got",
    "--privacy-inconclusive=no": "invalid choice: 'no'",
    "-oprivacy_profile=fast": "privacy_profile must be one of quick, default, thorough, got",
    "-oprivacy_inconclusive=no": "privacy_inconclusive must be one of ok, fail, got",
}


@pytest.mark.parametrize("word", WRONG)
def test_wrong_options_end_the_run_before_it_begins(pytester: pytest.Pytester, word: str) -> None:
    """It must hold that a wrong option or setting is pytest's usage error, in a line."""
    make(pytester, SEVERAL)
    words = [word] if "seed" in word else [word, "--privacy-seed", "1"]
    result = pytester.runpytest_inprocess(*words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert WRONG[word] in result.stderr.str()


@pytest.mark.long
@pytest.mark.parametrize("setting", ["pyproject", "pyproject, as text"])
def test_settings_are_read(pytester: pytest.Pytester, setting: str) -> None:
    """It must hold that settings of pyproject.toml count, in either of pytest's tables."""
    make(pytester, "@pytest.mark.privacy(TINY)\ndef test_it():\n    return private\n")
    (pytester.path / "tox.ini").unlink()
    table, rate = {
        "pyproject": ("tool.pytest", "0.01"),
        "pyproject, as text": ("tool.pytest.ini_options", '"0.01"'),
    }[setting]
    pytester.makepyprojecttoml(f'[{table}]\npythonpath = ["."]\nprivacy_false_alarm = {rate}\n')
    assert told_by(pytester)["test_it"]["false_alarm"] == "0.01"


LIGHT = """
import sys


def test_nothing_is_loaded():
    loaded = {name.partition(".")[0] for name in sys.modules}
    assert not loaded & {"numpy", "scipy", "audit", "mechanisms", "proofs_check"}
"""


@pytest.mark.long
def test_a_run_without_marks_costs_nothing(pytester: pytest.Pytester) -> None:
    """It must hold that nothing is loaded or said where no test audits, and only collected."""
    pytester.makepyfile(
        LIGHT,
        test_marked="import pytest\n\n\n@pytest.mark.privacy(rho=1)\ndef test_it():\n    pass\n",
    )
    done = run_apart(pytester.path, "-k", "nothing")
    assert done.returncode == 0, done.stdout
    assert "privacy" not in done.stdout.replace(str(pytester.path), "")
    code = (
        "import sys, pytest\n"
        "assert pytest.main(['--collect-only', '-q', '-p', 'no:cacheprovider']) == 0\n"
        "assert not {'numpy', 'audit', 'mechanisms'} & {n.partition('.')[0] for n in sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=pytester.path, check=True)


@pytest.mark.long
def test_without_the_plugin_marks_are_unknown(pytester: pytest.Pytester) -> None:
    """It must hold that -p no:touchstone leaves the mark to pytest, which refuses it if strict."""
    make(pytester, "@pytest.mark.privacy(TINY)\ndef test_it():\n    return leaky\n")
    blocked = ("-p", "no:touchstone", "-p", "no:_touchstone_pytest")
    done = run_apart(pytester.path, *blocked)
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "'privacy' not found in `markers` configuration option" in done.stdout


@pytest.mark.long
def test_the_first_failure_can_end_the_run(pytester: pytest.Pytester) -> None:
    """It must hold that -x stops after a refuted claim, and the summary tells what was done."""
    make(
        pytester,
        "@pytest.mark.privacy(TINY)\ndef test_first():\n    return leaky\n\n\n"
        "@pytest.mark.privacy(TINY)\ndef test_second():\n    return leaky\n",
    )
    result = run(pytester, "-x")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["REFUTED  test_it.py::test_first *", "*in 2 parts*"])


@pytest.mark.slow
def test_ctrl_c_ends_an_audit(pytester: pytest.Pytester) -> None:
    """It must hold that an interrupt ends the run at once, with what was done in the summary."""
    make(
        pytester,
        """
from pathlib import Path


@pytest.mark.privacy(TINY)
def test_leaky():
    return leaky


@pytest.mark.privacy(epsilon=1, relation="listed", pair="pair.json", ideal=True,
                     budget_samples=10**12, budget_seconds=1e9)
def test_endless():
    Path("started").touch()
    return private
""",
    )
    environment = os.environ | {"PYTHONPATH": str(Path(_touchstone_pytest.__file__).parent)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    with ctrl_c_reaches_children():
        process = subprocess.Popen(
            command, cwd=pytester.path, env=environment, stdout=subprocess.PIPE, text=True
        )
    with process:
        deadline = time.monotonic() + 60
        while not (pytester.path / "started").exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=60)
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in text
    assert re.search(r"REFUTED  test_it\.py::test_leaky .* 0\.0005\n", text)
