"""The proofs of `proofs_check/coq`: compiled in order, with the axioms that each theorem rests on.

`assumptions.txt` has a line for each theorem with its axioms, as `Print Assumptions` names them,
and `levels.json` the levels of the hourglass as the kernel computes them. `python -m
proofs_check.kernel.library` writes both anew; the stage `kernel` of `.ci/run` compares.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from proofs_check.kernel.coqc import SOURCES, compile_file

__all__ = [
    "ASSUMPTIONS",
    "LEVELS",
    "SHAPES",
    "THEOREMS",
    "assumptions_text",
    "compile_library",
    "levels_text",
]

ASSUMPTIONS = SOURCES / "assumptions.txt"
"""A line for each theorem: its name, and its axioms."""

LEVELS = SOURCES / "levels.json"
"""Levels of |j| <= 1000 by grid and level 0."""

SHAPES = ((1, 1), (2, 1), (5, 3), (64, 17))
"""Grids Q and levels r of the table."""

FURTHEST = 1000

MACHINE_NUMBERS = ("PrimFloat.", "FloatAxioms.", "PrimInt63.", "Uint63.")
"""Libraries whose axioms say that the processor's numbers are what they should be."""

SECONDS = 900
"""Cap of a file: the longest, `Enclosures.v`, takes 8 s of a core."""

THEOREMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Decide": (),
        "Statements": (),
        "KSW_D5": ("KSW_D5_level", "KSW_D5p_proved"),
        "Release": ("finite_events", "release_is_private", "post_processing"),
        "Mass": ("total_mass", "every_set_has_a_probability"),
        "Records": (
            "raw_release_is_private",
            "grid_index_on_the_grid",
            "release_mean_is_private",
        ),
        "Sampler": (
            "level_of_candidate",
            "sampler_law",
            "sampler_draws_from_the_law",
            "names_of_inner",
        ),
        "KSW_T2": ("level_exists", "KSW_T2", "KSW_T2_proved"),
        "PDP_T10": ("PDP_T10_tight", "PDP_T10_proved", "PDP_T2_proved", "PDP_T11_proved"),
        "SUB_L3_3p": ("SUB_L3_3p", "SUB_L3_3p_proved"),
        "Small": ("ENG_T1", "ENG_T2c", "TRI_square", "PDP_L15s", "PDP_A1"),
        "Normalization": ("lines",),
        "Enclosures": ("rr_loss_1", "exp_61_50", "KSW_T3p_m1", "KSW_T3p_m2"),
    }
)
"""By file, in the order in which they are compiled, the theorems whose axioms are listed."""


def compile_library(folder: Path) -> None:
    """Compile all files in a folder.

    Raises
    ------
    RuntimeError
        If Coq refuses one.
    """
    for name in THEOREMS:
        path = folder / f"{name}.v"
        shutil.copy(SOURCES / path.name, path)
        _compile(path, folder)


def assumptions_text(folder: Path) -> str:
    """Ask the kernel for the axioms of each theorem, and write the list."""
    lines = []
    for name, theorems in THEOREMS.items():
        if theorems:
            asked = "".join(f"Print Assumptions {name}.{theorem}.\n" for theorem in theorems)
            said = _ask(f"From Touchstone Require {name}.\n{asked}", folder)
            _, *parts = re.split(r"^(?=Closed under|Axioms:)", said, flags=re.MULTILINE)
            for theorem, part in zip(theorems, parts, strict=True):
                lines.append(f"{name}.{theorem}: {', '.join(_axioms(part)) or 'no axioms'}")
    return "\n".join(lines) + "\n"


def _axioms(said: str) -> list[str]:
    """Names of axioms; those of machine numbers, about sixty, as one."""
    names = re.findall(r"^([A-Za-z_][\w.']*)\s*:", said.removeprefix("Axioms:"), flags=re.MULTILINE)
    if not names and not said.startswith("Closed"):
        msg = f"not understood: {said!r}"
        raise RuntimeError(msg)
    machine = [name for name in names if name.startswith(MACHINE_NUMBERS)]
    others = sorted(name for name in names if name not in machine)
    return others + (["machine floats and integers"] if machine else [])


def levels_text(folder: Path) -> str:
    """Let the kernel compute the levels of the grid's points, and write the table."""
    rows = []
    for grid, level0 in SHAPES:
        said = _ask(
            "From Coq Require Import ZArith List.\nImport ListNotations.\n"
            "From Touchstone Require Import Release Mass.\n"
            f"Eval vm_compute in map (lev {grid} {level0}) "
            f"(run (- {FURTHEST}) {2 * FURTHEST + 1}).\n",
            folder,
        )
        numbers = [int(number) for number in re.findall(r"-?\d+", said.rpartition(": list")[0])]
        rows.append(json.dumps({"grid": grid, "level0": level0, "levels": numbers}))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _ask(text: str, folder: Path) -> str:
    path = folder / "Question.v"
    path.write_text(text, encoding="utf-8")
    return _compile(path, folder)


def _compile(path: Path, folder: Path) -> str:
    found = compile_file(path, folder, seconds=SECONDS)
    if not found.accepted:
        msg = f"Coq refuses {path.name}: {found.said}"
        raise RuntimeError(msg)
    return found.said


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        compile_library(Path(name))
        ASSUMPTIONS.write_text(assumptions_text(Path(name)), encoding="utf-8")
        LEVELS.write_text(levels_text(Path(name)), encoding="utf-8")
