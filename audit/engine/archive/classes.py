"""The classes that a saved run consists of.

A test follows the fields of a run and of a result, and names a class that is missing here.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from audit.levels import LEVELS

__all__ = ["ENUMS", "RECORDS", "class_named", "classes", "name_of"]

RECORDS: Mapping[str, tuple[str, ...]] = {
    "audit.control_flow": ("ControlFlow", "FlowDifference"),
    "audit.engine.allocation": ("Allocation",),
    "audit.engine.candidates": ("Candidates", "CellOrder"),
    "audit.draws.encode": ("Encoder", "Outcomes"),
    "audit.engine.experts": ("Bets",),
    "audit.engine.experts.learned_ratios": ("Prior",),
    "audit.engine.experts.moment_bets": ("MomentBets",),
    "audit.engine.experts.own_bets": ("OwnBets",),
    "audit.engine.experts.persistent": ("PersistentBets",),
    "audit.engine.experts.posterior_bets": ("PosteriorBets",),
    "audit.engine.experts.ratio_bets": ("RatioBets",),
    "audit.engine.experts.ratio_choice": ("RatioChoice",),
    "audit.engine.experts.unseen_bets": ("UnseenBets",),
    "audit.engine.homogeneity": ("Watch", "Watched"),
    "audit.engine.pair_state": ("PairState",),
    "audit.engine.partitions.coordinate_pairs": ("CoordinatePair",),
    "audit.engine.partitions.lattice": ("LowestBit", "MantissaClass"),
    "audit.engine.partitions.linear_score": ("LinearScore",),
    "audit.engine.partitions.locate": ("Locator",),
    "audit.engine.partitions.residues": ("Residues",),
    "audit.engine.partitions.rows": ("RowTable",),
    "audit.engine.partitions.score": ("ScoreTable",),
    "audit.engine.partitions.signs": ("ZerosAndNans",),
    "audit.engine.partitions.table": ("ColumnTable",),
    "audit.engine.partitions.table_score": ("TableScore",),
    "audit.engine.partitions.terms": ("CategoryWeight", "Value"),
    "audit.engine.search": ("Search",),
    "audit.engine.evidence": ("Shown",),
    "audit.engine.wealth": ("Wealth",),
    "audit.levels.lines": ("LineGrid",),
    "audit.levels.nesting": ("Axis",),
    "audit.pairs.neighbors": ("Pair",),
    "audit.pairs.tables.split": ("Split",),
    "audit.result": ("Hint", "Limits"),
    "audit.screened_pairs": ("ScoredPairs", "ScreenedPair", "Screening"),
    "audit.screening.choice": ("Choice",),
    "audit.screening.memory": ("ScreenAnswer", "ScreeningLog"),
    "audit.screening.reading": ("Reading",),
    "audit.screening.size": ("ScreenSize",),
    "audit.targets.tables.column": ("Column",),
    "audit.targets.tables.schema": ("Schema", "Table"),
    "audit.verdict": (
        *("AuditResult", "Detectable", "ExactBounds", "ExactEvent", "Upper", "WiderClass"),
        "Witness",
    ),
    "mechanisms.claims": ("PrivacyClaim", "Source"),
}
"""Dataclasses, by module, besides levels."""

ENUMS: Mapping[str, tuple[str, ...]] = {
    "audit.draws.streams": ("Purpose",),
    "audit.result": ("Verdict",),
    "audit.targets.tables.column": ("ColumnType",),
    "audit.targets.tables.schema": ("Form",),
    "mechanisms.claims": ("Order", "Relation"),
}
"""Enumerations, by module."""


@cache
def classes() -> Mapping[str, type[Any]]:
    """All of them and all levels, by module and name."""
    levels = {f"{kind.level.__module__}:{kind.level.__name__}": kind.level for kind in LEVELS}
    return levels | {
        f"{module}:{name}": getattr(importlib.import_module(module), name)
        for table in (RECORDS, ENUMS)
        for module, names in table.items()
        for name in names
    }


@cache
def _names() -> Mapping[type[Any], str]:
    return {found: name for name, found in classes().items()}


def class_named(name: str) -> type[Any] | None:
    """The class of a name; None where no saved run has it."""
    return classes().get(name)


def name_of(kind: type[Any]) -> str | None:
    """The name of a class; None where no saved run has it."""
    return _names().get(kind)
