"""What a search for the sensitivity of a query holds, as its report in JSON has it."""

from __future__ import annotations

from audit.documents.document import Provenance
from audit.plain import plain
from audit.stability.result import SensitivityResult, SensitivityWitness
from audit.stability.words import shown_value


def record(result: SensitivityResult, _: Provenance) -> dict[str, object]:
    """Its own keys, without those of every kind of result."""
    claim = result.claim
    return {
        "claim": {
            "norm": claim.norm.value,
            "at_most": str(claim.at_most),
            "relation": claim.relation.value,
            "order": claim.order.value,
            "rows": claim.rows,
            "for_two_orders": None if claim.at_zero is None else str(claim.at_zero),
            "is_function": claim.is_function,
            "source": str(claim.source),
        },
        "largest": None if result.largest is None else str(result.largest),
        "ratio": plain(result.ratio),
        "pairs": result.pairs,
        "tried": [{"family": family, "pairs": count} for family, count in result.tried],
        "calls": result.calls,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "reproducible": result.reproducible,
        "strict": claim.is_strict,
        "witnesses": [_witness(witness) for witness in result.witnesses],
        "rounding": None if result.rounding is None else _witness(result.rounding),
    }


def _witness(witness: SensitivityWitness) -> dict[str, object]:
    return {
        "broken": witness.broken.value,
        "pair": witness.pair,
        "data": plain(witness.data),
        "neighbor": plain(witness.neighbor),
        "answer": plain(shown_value(witness.answer)),
        "other": plain(shown_value(witness.other)),
        "distance": str(witness.distance),
        "bound": str(witness.bound),
        "family": witness.family,
        "rerun": witness.rerun,
    }
