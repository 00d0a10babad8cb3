"""What an account holds, as its report in JSON has it."""

from __future__ import annotations

import math
from dataclasses import asdict
from fractions import Fraction

from audit.accounting.exact_steps import exact_step
from audit.accounting.result import AccountResult
from audit.accounting.words import EXACT_DIGITS, rounded
from audit.documents.document import Provenance
from audit.verdict import Verdict

__all__ = ["record"]


def record(result: AccountResult, _: Provenance) -> dict[str, object]:
    """Its own keys, without those of every kind of result."""
    claim = result.claim
    return {
        "claim": {
            "epsilon": None if claim.epsilon is None else str(claim.epsilon),
            "delta": str(claim.delta),
            "relation": claim.relation.value,
        },
        "epsilon": _ends(result.epsilon.lower, result.epsilon.upper),
        "delta": None if result.delta is None else _ends(*result.delta),
        "engine": result.engine,
        "is_attained": result.is_attained,
        "proof": _proof(result),
        "steps": [
            {
                "event": alone.step.words,
                "exact": exact_step(alone.step),
                "count": alone.step.count,
                "convention": alone.convention,
                "epsilon": _ends(alone.epsilon.lower, alone.epsilon.upper),
            }
            for alone in result.alone
        ],
        "profile": [
            {"epsilon": float(at.epsilon), **_ends(at.lower, at.upper)} for at in result.profile
        ],
        "compared": [
            {
                "library": one.library,
                "accountant": one.accountant,
                "epsilon": _float(one.total.epsilon),
                "lower": _float(one.total.lower),
                "standing": one.standing.value,
                "factor": _float(one.factor),
                "why_not": one.total.why_not,
            }
            for one in result.compared
        ],
        "seconds": round(result.seconds, 3),
    }


def _proof(result: AccountResult) -> dict[str, object] | None:
    """Of a total that was proved, whether it was added up again, and what that needs."""
    if result.verdict not in (Verdict.PROVED, None):
        return None
    held = result.certificate
    return {"rechecked": held is not None, "certificate": None if held is None else asdict(held)}


def _float(number: float | None) -> float | str | None:
    """A number of another program; an infinite one by name."""
    return "inf" if number is not None and math.isinf(number) else number


def _ends(lower: Fraction | None, upper: Fraction | None) -> dict[str, float | str]:
    """Both ends, rounded outward; infinite ones by name."""
    return {
        "lower": "inf" if lower is None else float(rounded(lower, math.floor, EXACT_DIGITS)),
        "upper": "inf" if upper is None else float(rounded(upper, math.ceil, EXACT_DIGITS)),
    }
