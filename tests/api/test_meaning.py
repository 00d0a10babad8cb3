"""A word that an audit has no meaning for is refused by name, at every door, for every word."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.levels.word import Kind, Of, Word
from audit.request.call import AUDIT, PROVE
from audit.request.configuration import entries_of
from audit.request.meaning import lacking
from audit.request.word_table import WORDS, keys, named
from tests.slow import by_default

MODES = {"sequential": Of.SEQUENTIAL, "bound": Of.BOUND, "exact": Of.EXACT, "utility": Of.ERRORS}

MEANT_IN_EXACT = {
    *("command", "epsilon", "delta", "rho", "mu", "alpha_order", "tv", "budgets", "param"),
    "trade_off",
    *("relation", "order", "low", "high", "min_size", "pair", "adversarial", "mode", "multisets"),
    "certificate",
}
"""By hand: each is read by `audit.runs.privacy_run.prove_plan`, or by what plans it."""

ONLY_ERRORS = {"utility", "law", "n", "unbiased", "bias", "mse", "mae", "truth"}
NOT_IN_ERRORS = {
    *("epsilon", "delta", "rho", "mu", "alpha_order", "tv", "relation", "min_size", "pair"),
    "trade_off",
    *("constant", "generate", "screen", "schema", "takes", "first_draws"),
    *("domain", "adversarial"),
    *("mode", "multisets", "certificate", "profile", "resume", "jobs", "backend", "ideal"),
}
OTHERS = {"column": "x", "relation": "swap", "n": "3", "output": "o"}


def test_the_table_says_what_is_read_where() -> None:
    """It must hold that its rows are those of two lists that were written by hand."""
    of = {name: word.audits for name, word in WORDS.items() if word.audits}
    assert {name for name, where in of.items() if where & Of.EXACT} == MEANT_IN_EXACT
    assert {name for name, where in of.items() if where == Of.ERRORS} == ONLY_ERRORS
    assert {name for name, where in of.items() if not where & Of.ERRORS} == NOT_IN_ERRORS


def value(word: Word) -> Any:
    """Some value of a word, such as a configuration holds."""
    if word.choices:
        return word.choices[0]
    known: dict[Kind, Any] = {Kind.FLAG: True, Kind.COUNT: word.least or 0, Kind.EXACTS: "1,1"}
    known |= {Kind.TABLE: {"a": 1}, Kind.DRAWS: 1000, Kind.COMMAND: ["true"], Kind.EXACT: "1/2"}
    return known.get(word.kind, OTHERS.get(word.name, 0.5 if word.kind is Kind.NUMBER else "x"))


def typed(word: Word) -> list[str]:
    """The same on the command line."""
    given = value(word)
    if word.kind is Kind.FLAG:
        return [word.option]
    return [word.option, "a=1" if word.kind is Kind.TABLE else str(given)]


def refused(message: str, word: str, mode: str) -> bool:
    """Whether a sentence says that the word has no meaning in the mode, by both their names."""
    of_exact = "draws no samples; leave out" in message and "exact" in message
    of_errors = "utility" in message and "; leave out" in message
    goes = any(f"{words} goes with" in message for words in (word, f"--{word}"))
    named = word in message
    return named and ({"exact": of_exact, "utility": of_errors}.get(mode, False) or goes)


@pytest.mark.parametrize("mode", MODES)
def test_on_the_command_line(mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of every option that is typed: exit 2 by one line, before anything is read."""
    monkeypatch.chdir(tmp_path)
    asked = ["--utility"] if mode == "utility" else ["--mode", mode]
    for word in named(~(Of.ENTRY | Of.STABILITY)):
        if word.name in ("command", "mode", "utility", "report"):
            continue
        err = io.StringIO()
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
            assert main(["audit", "no.such-target", *asked, *typed(word)]) == 2, word.name
        has_none = bool(word.audits) and not word.audits & MODES[mode]
        message = err.getvalue()
        assert refused(message, word.option.removeprefix("--"), mode) == has_none, message
        assert message.count("\n") == 1


@pytest.mark.parametrize("mode", MODES)
def test_in_a_configuration(mode: str) -> None:
    """It must hold of every key of an entry; a flag that is false is none that was given."""
    asked: dict[str, Any] = {"utility": True} if mode == "utility" else {"mode": mode}
    for word in keys():
        if word.name in ("command", "mode", "utility", "target", "expect"):
            continue
        given = {"target": "no.such-target", **asked, word.name: value(word)}
        try:
            entries_of(given, "audit 1", Path())
            message = ""
        except audit.InvalidArgument as exc:
            message = str(exc)
        has_none = bool(word.audits) and not word.audits & MODES[mode]
        assert refused(message, word.name, mode) == has_none, (word.name, message)
    entries_of({"target": "x", **asked, "profile": False}, "audit 1", Path())


@pytest.mark.long
@pytest.mark.parametrize("mode", by_default(["exact"], ["sequential", "bound", "exact"]))
def test_in_python(mode: Any) -> None:
    """It must hold of every word of `audit.audit` and `audit.prove`."""
    of_files = {"data": [0.0], "pair": ([0.0], [1.0]), "schema": None}
    for name in dict.fromkeys([*AUDIT, *PROVE]):
        word = WORDS[name]
        if name in of_files and of_files[name] is None:
            continue
        words: dict[str, Any] = {name: of_files.get(name, value(word))}
        words |= {"domain": {"domain": "any"}, "takes": {"takes": "json"}}.get(name, {})
        words |= {"order": {"order": "free"}, "relation": {"relation": "swap"}}.get(name, {})
        with pytest.raises(audit.TouchstoneError) as found:
            audit.audit("no.such-target", mode=mode, **words)
        assert refused(str(found.value), name, mode) == (not word.audits & MODES[mode]), name


def test_a_loaded_target_keeps_its_timeout() -> None:
    """It must hold that what `audit.load` was told is no word of the proof; of the call it is."""
    target = audit.load("ksw.swap-laplace", timeout=5)
    assert audit.prove(target).verdict.value == "PROVED"
    with pytest.raises(audit.InvalidArgument, match="draws no samples; leave out timeout"):
        audit.audit(target, mode="exact", timeout=5)  # type: ignore[call-overload]


def test_defaults_say_nothing() -> None:
    """It must hold that only what was given counts, and that a wrong table would be noticed."""
    assert main(["audit", "ksw.swap-laplace", "--mode", "exact"]) == 0
    assert main(["audit", "ksw.swap-laplace", "--mode", "exact", "--backend", "loky"]) == 2
    assert lacking(["seed", "epsilon", "no_word", "format"], Of.EXACT) == ["seed"]
