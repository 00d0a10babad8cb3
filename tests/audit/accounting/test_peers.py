"""Totals of released accountants beside the exact one."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.accounting.peers import comparison
from audit.accounting.peers.claimed_total import NotSaid, Total
from audit.accounting.peers.comparison import Standing, compared
from audit.accounting.release_plan import AccountClaim
from audit.cli import main
from mechanisms.claims import Relation
from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import GAUSSIAN, account
from tests.audit.report.schema import FILE

HEAD = 'relation = "swap"\ndelta = "1e-5"\n'
STEP = '[[step]]\nevent = "gaussian"\nsigma = 5\nsensitivity = 1\n'


class Library:
    """A library that claims what it is told to, or raises it."""

    def __init__(self, *said: float | Exception) -> None:
        self.said = said

    def totals(self, steps: object, claim: object) -> tuple[Total, ...]:
        """What it was told."""
        assert steps
        assert claim
        for one in self.said:
            if isinstance(one, Exception):
                raise one
        return tuple(Total("accountant", one) for one in self.said if isinstance(one, float))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Make a library claim something; a plan lies in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(HEAD + STEP)

    def claims(*said: float | Exception) -> None:
        monkeypatch.setattr(comparison, "version", lambda _: "1.0")
        monkeypatch.setattr(comparison, "import_module", lambda _: Library(*said))

    return claims


EXACT = Enclosed(Fraction(2), Fraction(2) + Fraction(1, 10**6))
STANDINGS = {
    "far above": (2.5, Standing.LOOSE),
    "a hundredth above": (2.019, Standing.SOUND),
    "just above": (2.000001001, Standing.SOUND),
    "between the ends": (2.0000005, Standing.OPEN),
    "the lower end": (2.0, Standing.OPEN),
    "below by machine numbers": (2.0 - 1e-12, Standing.ROUNDING),
    "below": (1.99999, Standing.UNSOUND),
    "nothing": (0.0, Standing.UNSOUND),
    "negative": (-1.0, Standing.UNSOUND),
    "infinite": (float("inf"), Standing.LOOSE),
    "no number": (float("nan"), Standing.NOT_SAID),
}


@pytest.mark.parametrize("name", STANDINGS)
def test_a_claim_stands_as_the_ends_say(name: str, library: Any) -> None:
    """It must hold that only a claim below the lower end is unsound, and none from the upper on."""
    said, standing = STANDINGS[name]
    library(said)
    steps = account(GAUSSIAN).alone
    claim = AccountClaim(Relation.SWAP, Fraction(1, 100), None)
    (found,) = compared(("autodp",), tuple(one.step for one in steps), claim, EXACT)
    assert found.standing is standing
    nothing = Enclosed(None, None)
    (found,) = compared(("autodp",), tuple(one.step for one in steps), claim, nothing)
    if name not in ("infinite", "no number"):
        assert found.standing is Standing.UNSOUND


def test_an_unsound_library_is_refuted_where_nothing_else_is_claimed(
    library: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold: exit 1 and both numbers; a claim of the plan is decided by itself."""
    library(0.7945)
    assert main(["account", "plan.toml", "--compare", "autodp", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(FILE.read_text()))
    (one,) = report["compared"]
    assert (one["library"], one["standing"], one["epsilon"]) == ("autodp 1.0", "UNSOUND", 0.7945)
    assert 1.957 < one["factor"] < 1.958
    assert main(["account", "plan.toml", "--compare", "autodp", "--claim", "1.6"]) == 0
    assert "UNSOUND, 1.957" in " ".join(capsys.readouterr().out.split())
    library(1.6)
    assert main(["account", "plan.toml", "--compare", "autodp"]) == 0
    assert "LOOSE, 1.02" in " ".join(capsys.readouterr().out.split())


def test_what_a_library_raises_is_what_it_says(
    library: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of any error of its own, which decides nothing."""
    for error in (NotSaid("it has no such event"), ZeroDivisionError("by zero")):
        library(error)
        assert main(["account", "plan.toml", "--compare", "opendp"]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert f"opendp 1.0: NOT SAID: {error}".split(": ")[-1] in out


def test_a_library_that_is_missing_is_one_line(
    monkeypatch: pytest.MonkeyPatch, library: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold, and a name of no library is exit 2."""
    del library

    def missing(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(comparison, "version", missing)
    assert main(["account", "plan.toml", "--compare", "prv-accountant"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (
        "prv-accountant: NOT SAID: not installed (pip install 'touchstone-dp[accountants]')" in out
    )
    assert main(["account", "plan.toml", "--compare", "dp_accounting"]) == 2
    error = capsys.readouterr().err
    assert "dp-accounting" in error
    assert error.count("\n") == 1
