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
from audit.levels.claim_records import claim_record
from audit.levels.kind import LevelKind
from audit.levels.word import Of
from audit.request.configuration import find_config
from audit.request.privacy_plan import plan_audit
from tests.contracts.test_level_nulls import null_of

SHORT: dict[str, Any] = {"seed": 1, "budget_samples": 64}


def words_of(kind: LevelKind) -> dict[str, Any]:
    """The words that state the claim of the kind's own mechanism, as one types them."""
    _, level = null_of(kind)
    values = (getattr(level, part.name) for part in fields(level))
    return {word.name: typed(value) for word, value in zip(kind.words, values, strict=True)}


def typed(value: Any) -> Any:
    """A number, budgets, or the knots of a curve."""
    if not isinstance(value, tuple):
        return str(value)
    if isinstance(value[0], tuple):
        return ",".join(f"{level}:{error}" for level, error in value)
    return list(map(str, value))


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


def test_every_kind_has_words() -> None:
    """It must hold that none is left out below."""
    assert [kind.name for kind in LEVELS if not kind.words] == []


@pytest.mark.long
@pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)
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
    assert told(command) == told(claim_record(configured)) == told(claim_record(python))


OF_PRIVACY = [kind for kind in LEVELS if not any(word.of & Of.ERRORS for word in kind.words)]
"""Budgets are a parameter of mechanisms, too, whose errors depend on them."""


def test_a_claim_has_no_meaning_for_errors(subtests: pytest.Subtests) -> None:
    """It must hold that a word of privacy is refused with --utility, and not ignored."""
    for kind in OF_PRIVACY:
        with subtests.test(kind=kind):
            words = options(words_of(kind))
            assert len(OF_PRIVACY) == len(LEVELS) - 1
            assert main(["audit", "ksw.swap-laplace", "--utility", *words]) == 2
