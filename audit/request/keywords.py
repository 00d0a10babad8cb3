"""Words of the API for type checkers: what `**words` may be, function by function.

Made from `audit.request.word_table` by `python -m tests.api.words_stub`; a test compares. None is
what a word is when it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from mechanisms.claims import Order, Relation
from mechanisms.validation import Number

__all__ = [
    "AccuracyWords",
    "AuditWords",
    "GateWords",
    "LoadWords",
    "ProveWords",
    "SensitivityWords",
]

RelationWord: TypeAlias = Literal["add-remove", "swap", "listed"]

OrderWord: TypeAlias = Literal["free", "fixed"]

DomainWord: TypeAlias = Literal["any", "declared"]

TakesWord: TypeAlias = Literal[
    "pandas", "polars", "records", "numpy", "arrow", "sklearn", "values", "json", "csv"
]

NormWord: TypeAlias = Literal[
    "l1", "l2", "linf", "hamming", "change-one", "symmetric", "insert-delete", "discrete"
]

ConstantWord: TypeAlias = Literal["ok"]

BackendWord: TypeAlias = Literal["loky", "dask"]

Real: TypeAlias = float | Fraction | Decimal
"""A number that is read as a float."""

Data: TypeAlias = Any
"""Data of a mechanism: an array, a data frame, or whatever it takes."""


class LoadWords(TypedDict, total=False):
    """Words of `audit.load`."""

    param: Mapping[str, Any] | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None
    budgets: Sequence[Number] | str | None
    timeout: Real | None


class ProveWords(TypedDict, total=False):
    """Words of `audit.prove`."""

    epsilon: Number | None
    delta: Number | None
    rho: Number | None
    mu: Number | None
    alpha_order: Number | None
    tv: Number | None
    trade_off: Sequence[tuple[Number, Number]] | str | None
    budgets: Sequence[Number] | str | None
    param: Mapping[str, Any] | None
    relation: Relation | RelationWord | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None
    min_size: int | None
    pair: Data
    adversarial: bool | None
    multisets: str | None


class AuditWords(TypedDict, total=False):
    """Words of `audit.audit`."""

    epsilon: Number | None
    delta: Number | None
    rho: Number | None
    mu: Number | None
    alpha_order: Number | None
    tv: Number | None
    trade_off: Sequence[tuple[Number, Number]] | str | None
    budgets: Sequence[Number] | str | None
    param: Mapping[str, Any] | None
    relation: Relation | RelationWord | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None
    data: Data
    column: str | None
    schema: Data
    takes: TakesWord | None
    first_draws: int | None
    min_size: int | None
    pair: Data
    generate: bool | None
    screen: int | None
    domain: DomainWord | None
    constant: ConstantWord | None
    adversarial: bool | None
    profile: bool | None
    timeout: Real | None
    memory: int | None
    in_process: bool | None
    budget_samples: int | Literal["detectable"] | None
    resolution: Real | None
    ideal: bool | None
    false_alarm: Real | None
    budget_seconds: Real | None
    seed: int | None
    jobs: int | None
    backend: BackendWord | None
    resume: str | Path | None


class AccuracyWords(TypedDict, total=False):
    """Words of `audit.accuracy`."""

    budgets: Sequence[Number] | str | None
    param: Mapping[str, Any] | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None
    data: Data
    column: str | None
    timeout: Real | None
    memory: int | None
    in_process: bool | None
    budget_samples: int | Literal["detectable"] | None
    resolution: Real | None
    false_alarm: Real | None
    budget_seconds: Real | None
    seed: int | None


class SensitivityWords(TypedDict, total=False):
    """Words of `audit.sensitivity`."""

    param: Mapping[str, Any] | None
    relation: Relation | RelationWord | None
    order: Order | OrderWord | None
    low: Number | None
    high: Number | None
    data: Data
    column: str | None
    schema: Data
    takes: TakesWord | None
    min_size: int | None
    pair: Data
    generate: bool | None
    domain: DomainWord | None
    timeout: Real | None
    memory: int | None
    in_process: bool | None
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
