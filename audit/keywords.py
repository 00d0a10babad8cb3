"""Words of the API for type checkers: what `**words` may be, function by function.

The words themselves stand in `audit.request.words`; a test compares the two, name by name and type
by type. None is what a word is when it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from audit.targets.domain import DomainWord
from mechanisms.claims import Order, OrderWord, Relation, RelationWord
from mechanisms.validation import Number

__all__ = [
    "AccuracyWords",
    "AuditWords",
    "GateWords",
    "LoadWords",
    "ProveWords",
    "SensitivityWords",
]

BackendWord: TypeAlias = Literal["loky", "dask"]
"""Where samples are drawn."""

NormWord: TypeAlias = Literal[
    "l1", "l2", "linf", "hamming", "change-one", "symmetric", "insert-delete", "discrete"
]
"""Distances of answers."""

FormWord: TypeAlias = Literal[
    "pandas", "polars", "records", "numpy", "arrow", "sklearn", "values", "json", "csv"
]
"""What a target gets of a table."""

Real: TypeAlias = float | Fraction | Decimal
"""A number that is read as a float."""

Data: TypeAlias = Any
"""Data of a mechanism: an array, a data frame, or whatever it takes."""


class _Target(TypedDict, total=False):
    param: Mapping[str, Any] | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None


class _Child(TypedDict, total=False):
    timeout: Real | None
    memory: int | None
    in_process: bool | None


class LoadWords(_Target, total=False):
    """Words of `audit.load`."""

    budgets: Sequence[Number] | str | None
    timeout: Real | None


class _ClaimWords(_Target, total=False):
    budgets: Sequence[Number] | str | None
    epsilon: Number | None
    delta: Number | None
    rho: Number | None
    mu: Number | None
    alpha_order: Number | None
    tv: Number | None
    trade_off: Sequence[tuple[Number, Number]] | str | None
    relation: Relation | RelationWord | None
    min_size: int | None
    pair: Data
    adversarial: bool | None


class ProveWords(_ClaimWords, total=False):
    """Words of `audit.prove`."""

    multisets: str | None


class _Drawn(TypedDict, total=False):
    data: Data
    column: str | None
    false_alarm: Real | None
    budget_samples: int | Literal["detectable"] | None
    budget_seconds: Real | None
    resolution: Real | None
    seed: int | None


class AuditWords(_ClaimWords, _Drawn, _Child, total=False):
    """Words of `audit.audit`."""

    ideal: bool | None
    first_draws: int | None
    generate: bool | None
    screen: int | None
    domain: DomainWord | None
    constant: Literal["ok"] | None
    schema: Data
    takes: FormWord | None
    profile: bool | None
    resume: str | Path | None
    jobs: int | None
    backend: BackendWord | None


class AccuracyWords(_Target, _Drawn, _Child, total=False):
    """Words of `audit.accuracy`, besides those that its signature names."""

    budgets: Sequence[Number] | str | None


class SensitivityWords(_Target, _Child, total=False):
    """Words of `audit.sensitivity`."""

    relation: Relation | RelationWord | None
    data: Data
    column: str | None
    min_size: int | None
    pair: Data
    generate: bool | None
    domain: DomainWord | None
    schema: Data
    takes: FormWord | None
    norm: NormWord | None
    at_most: Number | None
    rows: int | None
    count: int | None
    budget_pairs: int | None
    strict: bool | None
    budget_seconds: Real | None
    seed: int | None


class GateWords(TypedDict, total=False):
    """Words of `audit.gate`."""

    false_alarm: Real | None
    budget_samples: int | Literal["detectable"] | None
    budget_seconds: Real | None
    resolution: Real | None
    seed: int | None
    jobs: int | None
    backend: BackendWord | None
    ideal: bool | None
