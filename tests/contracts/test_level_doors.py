"""Words of every kind of claim at the doors: the same claim from each, and refused for errors."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.levels import LEVELS
from audit.levels.kind import LevelKind
from audit.levels.records import claim_document
from audit.levels.word import Of
from audit.request.configuration import find_config
from audit.request.plan import plan_audit
from tests.contracts.test_level_nulls import null_of
from tests.table import over

WORDED = [kind for kind in LEVELS if kind.words]
SHORT: dict[str, Any] = {"seed": 1, "budget_samples": 64}


def words_of(kind: LevelKind) -> dict[str, Any]:
    """The words that state the claim of the kind's own mechanism, as one types them."""
    _, level = null_of(kind)
    values = (getattr(level, part.name) for part in fields(level))
    return {
        word.name: list(map(str, value)) if isinstance(value, tuple) else str(value)
        for word, value in zip(kind.words, values, strict=True)
    }


def options(words: dict[str, Any]) -> list[str]:
    """Words as options of the command."""
    found = []
    for name, value in words.items():
        text = ",".join(value) if isinstance(value, list) else str(value)
        found += [f"--{name.replace('_', '-')}", text]
    return found


def told(claim: Any) -> dict[str, Any]:
    """A claim without who states it."""
    return {key: value for key, value in claim.items() if key not in ("source", "derived")}


def test_all_but_curves_have_words() -> None:
    """It must hold that no other kind is left out below."""
    assert [kind.name for kind in LEVELS if not kind.words] == ["trade-off"]


@pytest.mark.parametrize("kind", WORDED, ids=lambda kind: kind.name)
def test_every_door_states_the_same_claim(
    kind: LevelKind,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold of the command, a configuration and Python."""
    monkeypatch.chdir(tmp_path)
    name, level = null_of(kind)
    words = words_of(kind)
    assert main(["audit", name, *options(words | SHORT), "--format", "json"]) in (0, 3)
    command = json.loads(capsys.readouterr().out)["claim"]
    rows = "\n".join(f"{key} = {json.dumps(value)}" for key, value in words.items())
    (tmp_path / "touchstone.toml").write_text(f'[[audit]]\ntarget = "{name}"\n{rows}\n')
    (entry,) = find_config(Path()).entries
    configured = plan_audit(entry.request, stated_in="a file").claim
    python = audit.audit(name, **words, **SHORT).claim
    assert configured.level == python.level == level
    assert told(command) == told(claim_document(configured)) == told(claim_document(python))


OF_PRIVACY = [kind for kind in WORDED if not any(word.of & Of.ERRORS for word in kind.words)]
"""Budgets are a parameter of mechanisms, too, whose errors depend on them."""


@over("kind", OF_PRIVACY)
def test_a_claim_has_no_meaning_for_errors(kind: LevelKind) -> None:
    """It must hold that a word of privacy is refused with --utility, and not ignored."""
    words = options(words_of(kind))
    assert len(OF_PRIVACY) == len(WORDED) - 1
    assert main(["audit", "ksw.swap-laplace", "--utility", *words]) == 2
