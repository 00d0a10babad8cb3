"""The lock of the ledger notices each change of a claim, names it, and is the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from proofs_check import lock
from proofs_check.claim import Check, Claim, Obligation, Status
from proofs_check.knowledge import FILE, known, rows
from proofs_check.lock import argument_digest, differences, main, statement_digest, written
from proofs_check.registry import PAPERS, claims
from proofs_check.statements.decision import Decided
from proofs_check.steps import ByHand
from tests.proofs_check.ledgers import fact, ledger, stated

KEPT = FILE.read_text(encoding="utf-8")


def test_the_lock_is_of_the_ledger_as_it_is() -> None:
    """It must hold of every claim; `python -m proofs_check.lock` writes what is meant to change."""
    assert differences(KEPT, written()) == []
    assert {claim.paper for claim in claims().values()} == set(PAPERS)
    assert known()["KSW-T2"] == "PROVED, KERNEL"
    assert known()["KSW-D4"] == "DEFINITION"


def changed(claim: Claim, **fields: Any) -> Claim:
    """A claim with other fields, also where a claim of these would be refused."""
    twin = copy(claim)
    for name, value in fields.items():
        object.__setattr__(twin, name, value)
    return twin


def other_checks(claim: Claim, check: Check, *instead: Check) -> Claim:
    """A claim with other checks in the place of one."""
    at = claim.checks.index(check)
    return changed(claim, checks=(*claim.checks[:at], *instead, *claim.checks[at + 1 :]))


def test_each_check_and_mutant_is_locked() -> None:
    """It must hold of all of the ledger: without it, or with other words, the digest is another."""
    unseen = []
    for claim in claims().values():
        before = argument_digest(claim)
        for check in claim.checks:
            fewer = [
                {words: told for words, told in check.mutants.items() if words != gone}
                for gone in check.mutants
            ]
            others = [
                other_checks(claim, check),
                other_checks(claim, check, replace(check, says=f"{check.says} So.")),
                *(other_checks(claim, check, replace(check, mutants=m)) for m in fewer if m),
            ]
            unseen += [(claim.id, check.name) for one in others if argument_digest(one) == before]
    assert unseen == []


def test_each_constant_is_locked() -> None:
    """It must hold of every number that a mutant replaces by another: the statement is another."""
    unseen, seen = [], 0
    for claim in claims().values():
        before = statement_digest(claim)
        for check in claim.checks:
            for told in check.mutants.values():
                if all(map(callable, told.values())):
                    continue
                decide: Any = partial(check.decide, **told)
                if isinstance(check.decide, Decided):
                    decide = Decided(partial(check.decide.make, **told), check.decide.by)
                other = other_checks(claim, check, replace(check, decide=decide))
                same = statement_digest(other) == before
                unseen += [(claim.id, check.name)] if same else []
                seen += not same
    assert unseen == []
    assert seen >= 1000


FACT = fact("fact")
CLAIM = stated("KSW-A", checks=(FACT, fact("other")))
CHANGES: dict[str, tuple[Callable[[], Claim], str]] = {
    "a status": (
        lambda: stated("KSW-A", Status.OPEN),
        "status (PROVED, now OPEN), level (MACHINE, now none), statement, checks or steps",
    ),
    "a sentence": (lambda: replace(CLAIM, says="One is two."), "statement"),
    "a formula": (lambda: replace(CLAIM, latex="1 = 2"), "statement"),
    "a domain": (lambda: replace(CLAIM, domain="n >= 2"), "statement"),
    "whose it is": (lambda: replace(CLAIM, ours=True), "statement"),
    "a note": (lambda: replace(CLAIM, note="One is the first number."), ""),
    "a step by hand": (
        lambda: replace(CLAIM, steps=(ByHand("By looking."),)),
        "level (MACHINE, now BY HAND), checks or steps",
    ),
    "other parts": (
        lambda: replace(CLAIM, obligations=(*CLAIM.obligations, Obligation("it all", "fact"))),
        "checks or steps",
    ),
    "what it rests on": (lambda: replace(CLAIM, assumes=("KSW-B",)), "checks or steps"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the id is told with what of it changed; of a note nothing."""
    make, said = CHANGES[name]
    with ledger(monkeypatch, CLAIM, stated("KSW-B")):
        before = written()
    with ledger(monkeypatch, make(), stated("KSW-B")):
        assert differences(before, written()) == ([f"KSW-A: {said}"] if said else [])


def test_claims_that_come_go_or_move_are_named() -> None:
    """It must hold of each, and of lines in another order."""
    head, *lines = KEPT.splitlines(keepends=True)
    without = head + "".join(lines[1:])
    first = lines[0].partition("\t")[0]
    assert differences(KEPT, without) == [f"{first}: gone"]
    assert differences(without, KEPT) == [f"{first}: new"]
    moved = head + "".join([lines[1], lines[0], *lines[2:]])
    assert differences(KEPT, moved) == ["the order of the lines, or their form"]


def test_an_id_that_is_gone_is_not_written_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that its line is left until a person deletes it; all else is written."""
    file = tmp_path / "ledger.lock"
    monkeypatch.setattr(lock, "FILE", file)
    with ledger(monkeypatch, stated("KSW-A"), stated("KSW-B")):
        assert main([]) == 0
        assert capsys.readouterr().out == "KSW-A: new\nKSW-B: new\n"
        assert main([]) == 0
        assert capsys.readouterr().out == ""
        assert file.read_text() == written()
    monkeypatch.setattr(lock, "FILE", file)
    with ledger(monkeypatch, stated("KSW-B", Status.OPEN)):
        assert main([]) == 1
        assert "['KSW-A'] gone: an id stays" in capsys.readouterr().out
        assert list(rows(file.read_text())) == ["KSW-A", "KSW-B"]


@pytest.mark.parametrize("holds", [True, False])
def test_what_the_checks_find_is_compared(
    holds: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that a status that is not shown fails, with all that is known of it."""
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "kept"))
    file = tmp_path / "ledger.lock"
    with ledger(monkeypatch, stated("KSW-A", checks=(fact(holds=holds),)), stated("KSW-B")):
        monkeypatch.setattr(lock, "FILE", file)
        assert main([]) == 0
        capsys.readouterr()
        assert main(["--check"]) == (0 if holds else 1)
        said = "KSW-A: status (PROVED, now UNKNOWN), level (MACHINE, now none)\n"
        found = ("" if holds else said) + f"2 claims; {int(not holds)} differ from ledger.lock\n"
        assert capsys.readouterr().out == found


def test_a_constant_without_a_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of what prints otherwise in each run: a set, an object by its address."""
    for value in ({"a", "b"}, object()):
        check = fact()
        object.__setattr__(check, "mutants", {"not so": {"wrong": value}})
        with pytest.raises(TypeError, match="no text of a constant"):
            argument_digest(stated("KSW-A", checks=(check,)))


@pytest.mark.long
@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_writes_the_same(seed: str) -> None:
    """It must hold whatever the order of its sets is."""
    program = "from proofs_check.lock import written; print(written(), end='')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == KEPT
