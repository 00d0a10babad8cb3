"""The proofs in Coq: complete, with the axioms that are listed, and about what Python computes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mechanisms.noise.discrete_hourglass import DiscreteHourglass, DiscreteHourglassLaw
from proofs_check.kernel.coqc import SOURCES, compile_file
from proofs_check.kernel.library import (
    ASSUMPTIONS,
    LEVELS,
    SHAPES,
    THEOREMS,
    assumptions_text,
    compile_library,
    levels_text,
)

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Hypotheses|Abort|Unset|bypass_check|give_up)\b"
)
STANDARD = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
}
"""Axioms of Coq's real numbers and of classical logic."""


def code(text: str) -> str:
    """A file without its comments (none is nested)."""
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def outside_sections(text: str) -> str:
    """A file without its sections, in which a hypothesis is a premise of what is proved."""
    return re.sub(r"^Section (\w+)\..*?^End \1\.", "", text, flags=re.DOTALL | re.MULTILINE)


def test_no_proof_is_left_out() -> None:
    """It must hold of every file that nothing is assumed: no `Admitted`, `Axiom`, `Parameter`."""
    files = {path.stem: code(path.read_text(encoding="utf-8")) for path in SOURCES.glob("*.v")}
    assert set(files) == set(THEOREMS)
    for name, text in files.items():
        assert FORBIDDEN.findall(text) == [], name
        assert "Hypothesis" not in outside_sections(text), name
        assert "Variable" not in outside_sections(text), name
        for theorem in THEOREMS[name]:
            assert re.search(rf"\b(Theorem|Lemma|Definition) {theorem}\b", text), theorem


@pytest.mark.parametrize(
    "slip",
    ["Theorem so : 0 = 1. Admitted.", "Axiom so : 0 = 1.", "Parameter so : 0 = 1.", "admit."],
)
def test_a_proof_that_is_left_out_is_seen(slip: str) -> None:
    """It must hold of each way to assume what is to be proved, but not of a comment."""
    assert FORBIDDEN.search(code(slip))
    assert not FORBIDDEN.search(code(f"(* {slip} *)"))


def test_only_standard_axioms_are_listed() -> None:
    """It must hold of each theorem; enclosures use the machine's numbers besides."""
    rows = dict(row.split(": ", 1) for row in ASSUMPTIONS.read_text(encoding="utf-8").splitlines())
    assert list(rows) == [f"{name}.{t}" for name, theorems in THEOREMS.items() for t in theorems]
    for name, words in rows.items():
        also = {"machine floats and integers"} if name.startswith("Enclosures.") else set()
        assert words == "no axioms" or set(words.split(", ")) <= STANDARD | also, name
    assert rows["KSW_D5.KSW_D5p_proved"] == "no axioms"


def tables() -> list[dict[str, Any]]:
    """The levels as the kernel computes them."""
    rows: list[dict[str, Any]] = json.loads(LEVELS.read_text(encoding="utf-8"))
    return rows


def test_python_has_the_levels_of_the_kernel() -> None:
    """It must hold of |j| <= 1000 on four grids, of sampler's levels and of the law's exponents.

    A level 0 that is wider by one point is noticed.
    """
    assert [(row["grid"], row["level0"]) for row in tables()] == list(SHAPES)
    for row in tables():
        grid, level0, levels = row["grid"], row["level0"], row["levels"]
        places = range(-1000, 1001)
        noise = DiscreteHourglass(1, grid, level0)
        assert noise.level(list(places)).tolist() == levels
        law = DiscreteHourglassLaw(noise.epsilon, grid, level0)
        for t in (-3, 0, 1):
            wanted = [abs(s) + abs(t - s) for s in levels]
            assert [law.exponent((j, t)) for j in places] == wanted  # type: ignore[arg-type]
        if level0 < grid:
            assert DiscreteHourglass(1, grid, level0 + 1).level(list(places)).tolist() != levels


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files, compiled."""
    folder = tmp_path_factory.mktemp("library")
    compile_library(folder)
    return folder


@pytest.mark.kernel
def test_the_kernel_accepts_all_proofs_with_the_listed_axioms(library: Path) -> None:
    """It must hold of every file, and that what is left out is among the axioms."""
    assert assumptions_text(library) == ASSUMPTIONS.read_text(encoding="utf-8")
    path = library / "Slip.v"
    path.write_text("Theorem slip : 0 = 1. Admitted.\nPrint Assumptions slip.\n", encoding="utf-8")
    assert "slip : 0 = 1" in compile_file(path, library, seconds=600).said


@pytest.mark.kernel
def test_the_kernel_computes_the_listed_levels(library: Path) -> None:
    """It must hold of the whole table."""
    assert levels_text(library) == LEVELS.read_text(encoding="utf-8")


@pytest.mark.kernel
def test_the_kernel_refuses_a_slightly_wrong_form(library: Path) -> None:
    """It must hold of the hourglass with records of up to Q + 1 steps."""
    text = (library / "KSW_D5.v").read_text(encoding="utf-8")
    wrong = text.replace("0 <= x <= Q ->", "0 <= x <= Q + 1 ->")
    assert wrong != text
    path = library / "Wrong.v"
    path.write_text(wrong, encoding="utf-8")
    assert not compile_file(path, library, seconds=600).accepted
