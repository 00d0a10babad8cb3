"""What an account holds, as its report in JSON has it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from audit.accounting.account_result import AccountResult, CurvePoint, StepAlone
from audit.accounting.account_sentences import EXACT_DIGITS, rounded
from audit.accounting.exact_steps import exact_step
from audit.accounting.peers.claimed_total import Total
from audit.accounting.peers.comparison import PeerComparison, Standing
from audit.accounting.release_plan import Step
from audit.documents.shared_forms import SHARED
from audit.documents.typed_json import Codec, JsonForm, value_as
from audit.results.verdict import Verdict
from proofs_check.ends import Enclosed

__all__ = ["read", "written"]


def written(result: AccountResult) -> dict[str, Any]:
    """Its own keys, without those of every kind of result."""
    found: dict[str, Any] = CODEC.write(AccountResult, result)
    certificate, why_not = found.pop("certificate"), found.pop("uncertified")
    proof = {"rechecked": certificate is not None, "certificate": certificate, "why_not": why_not}
    return found | {"proof": proof if result.verdict in (Verdict.PROVED, None) else None}


def read(record: Mapping[str, Any]) -> AccountResult:
    """The account of a record."""
    proof = record["proof"] or {"certificate": None, "why_not": ""}
    own = {"certificate": proof["certificate"], "uncertified": proof["why_not"]}
    found: AccountResult = CODEC.read(AccountResult, {**record, **own}, "the report")
    return found


def _end(value: Fraction | None, to: Any) -> float | str:
    """An end, rounded outward; an infinite one by name."""
    return "inf" if value is None else float(rounded(value, to, EXACT_DIGITS))


def _ends(lower: Fraction | None, upper: Fraction | None) -> dict[str, Any]:
    return {"lower": _end(lower, math.floor), "upper": _end(upper, math.ceil)}


def _read_end(value: Any) -> Fraction | None:
    found = value_as(float, value, "an end of the total")
    # as the decimal that was written, not as the double that is next to it
    return None if math.isinf(found) else Fraction(repr(found))


def _enclosed(ends: Enclosed) -> dict[str, Any]:
    is_exact = ends.lower is not None and ends.lower == ends.upper
    return {**_ends(ends.lower, ends.upper), "exact": str(ends.lower) if is_exact else None}


def _read_enclosed(record: Mapping[str, Any]) -> Enclosed:
    exact = value_as(Fraction | None, record["exact"], "exact")
    if exact is not None:
        return Enclosed(exact, exact)
    return Enclosed(_read_end(record["lower"]), _read_end(record["upper"]))


def _read_pair(record: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    lower, upper = (value_as(float, record[name], name) for name in ("lower", "upper"))
    return Fraction(repr(lower)), Fraction(repr(upper))


def _step(alone: StepAlone) -> dict[str, Any]:
    return {
        "event": alone.step.words,
        "exact": exact_step(alone.step),
        "count": alone.step.count,
        "convention": alone.convention,
        "epsilon": _enclosed(alone.epsilon),
    }


def _read_step(record: Mapping[str, Any]) -> StepAlone:
    """A step as it was given: its event is not looked at again."""
    words, count = value_as(str, record["event"], "event"), value_as(int, record["count"], "count")
    event: Any = None
    convention = value_as(str, record["convention"], "convention")
    return StepAlone(Step(event, count, words), convention, _read_enclosed(record["epsilon"]))


def _point(point: CurvePoint) -> dict[str, Any]:
    return {"epsilon": float(point.epsilon), **_ends(point.lower, point.upper)}


def _read_point(record: Mapping[str, Any]) -> CurvePoint:
    epsilon = Fraction(repr(value_as(float, record["epsilon"], "epsilon")))
    return CurvePoint(epsilon, *_read_pair(record))


def _peer(one: PeerComparison) -> dict[str, Any]:
    total = one.total
    return {
        "library": one.library,
        "accountant": one.accountant,
        "epsilon": _number(total.epsilon),
        "lower": _number(total.lower),
        "standing": one.standing.value,
        "factor": _number(one.factor),
        "why_not": total.why_not,
    }


def _number(number: float | None) -> float | str | None:
    """A number of another program; an infinite one by name."""
    return "inf" if number is not None and math.isinf(number) else number


def _read_peer(record: Mapping[str, Any]) -> PeerComparison:
    library, accountant, why = (
        value_as(str, record[name], name) for name in ("library", "accountant", "why_not")
    )
    epsilon, lower, factor = (
        value_as(float | None, record[name], name) for name in ("epsilon", "lower", "factor")
    )
    total = Total(accountant, epsilon, lower, why)
    return PeerComparison(library, accountant, total, Standing(record["standing"]), factor)


CODEC = Codec(
    {
        **SHARED,
        Enclosed: JsonForm(_enclosed, _read_enclosed),
        "rounded": JsonForm(lambda ends: _ends(*ends), _read_pair),
        StepAlone: JsonForm(_step, _read_step),
        CurvePoint: JsonForm(_point, _read_point),
        PeerComparison: JsonForm(_peer, _read_peer),
    }
)
