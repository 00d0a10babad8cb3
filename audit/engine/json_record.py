"""What an audit from samples holds, as its report in JSON has it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from audit.control_flow import ControlFlow
from audit.documents.document import Provenance
from audit.documents.phrases import OTHERS
from audit.engine.words import severity_of
from audit.levels.records import claim_document
from audit.plain import ends_record, plain
from audit.screened_pairs import Screening
from audit.verdict import (
    AuditResult,
    Detectable,
    Witness,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["record"]


def record(result: AuditResult, provenance: Provenance) -> dict[str, object]:
    """Its own keys, without those of every kind of result."""
    severity = severity_of(result)
    return {
        "claim": claim_document(result.claim),
        "order": result.order.value,
        "limits": plain(result.limits),
        "profile": _profile(result.profile),
        "false_alarm": result.false_alarm,
        "samples": result.samples,
        "budget_samples": result.planned,
        "witness_samples": result.witness_samples,
        "first_draws": result.first_draws,
        "limits_are": "strict",
        "severity": None if severity is None else plain(severity[1]),
        "stopped_by_time": result.stopped_by_time,
        "seconds": round(result.seconds, 3),
        "seconds_per_draw": _rounded(result.seconds_per_draw),
        "seed": result.seed,
        "reproducible": result.reproducible,
        "ideal": result.ideal,
        "pairs": result.pairs,
        "mode": provenance.mode,
        "stopped_by": result.stopped_by,
        "witness": None if result.witness is None else _witness(result.witness),
        "detectable": None if result.detectable is None else _detectable(result.detectable),
        "upper": None if result.upper is None else _fields(result.upper),
        "exact": None if result.exact is None else _fields(result.exact),
        "screening": _screening(result.screening),
        "control_flow": _flow(result.control_flow),
        "deterministic": result.deterministic,
        "warnings": [_fields(hint) for hint in result.warnings],
    }


def _rounded(seconds: float | None) -> float | None:
    """To three digits, of however short a time."""
    return None if seconds is None else float(f"{seconds:.3g}")


def _profile(profile: tuple[tuple[float, float], ...] | None) -> list[dict[str, float]] | None:
    if profile is None:
        return None
    return [{"epsilon": epsilon, "delta_lower": delta} for epsilon, delta in profile]


def _screening(told: Screening | None) -> dict[str, object] | None:
    if told is None:
        return None
    return _fields(told) | {
        "chosen": [_fields(one) for one in told.chosen],
        "scored": [_fields(one) for one in told.scored],
    }


def _flow(told: ControlFlow | None) -> dict[str, object] | None:
    if told is None:
        return None
    difference = told.difference
    return _fields(told) | {"difference": None if difference is None else _fields(difference)}


def _fields(item: DataclassInstance) -> dict[str, object]:
    return {part.name: plain(getattr(item, part.name)) for part in fields(item)}


def _detectable(power: Detectable) -> dict[str, object]:
    wider = [_fields(of) for of in power.wider]
    return _fields(replace(power, wider=())) | {"wider": wider, "others": f"{OTHERS}."}


def _witness(witness: Witness) -> dict[str, object]:
    exact = witness.exact
    ends = None
    if exact is not None:
        ends = {item.name: ends_record(getattr(exact, item.name)) for item in fields(exact)}
    told = {"exact": ends, "instead": _by_side(witness.instead), "always": _by_side(witness.always)}
    return _fields(replace(witness, exact=None)) | told


def _by_side(both: tuple[object, object]) -> dict[str, object]:
    return {"data": plain(both[0]), "neighbor": plain(both[1])}
