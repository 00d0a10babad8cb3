"""What repeats an audit that was made in Python runs, and gives the same result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.levels import LEVELS
from mechanisms.claims import Relation
from tests.api.audited import leaky
from tests.untimed import untimed

NAMED = ("pure", "personalized", "trade-off")
"""Tried also with targets that the call cannot write: a number, a list, what has no words."""

SMALL: dict[str, Any] = {"seed": 1, "budget_samples": 4_000, "ideal": True}


def local() -> Any:
    """A function that no command can name."""

    def mechanism(data: Any, size: int, rng: Any, scale: float = 0.3) -> Any:
        return np.sum(data) + rng.laplace(scale=scale, size=size)

    return mechanism


def claim_of(kind: Any) -> audit.PrivacyClaim:
    """The example of a kind."""
    constructor = getattr(audit, kind.constructor)
    made: audit.PrivacyClaim = eval(f"make({kind.shown}, relation='swap')", {"make": constructor})
    return made


def pair_of(kind: Any) -> Any:
    """Two neighbors for it."""
    if kind.name != "personalized":
        return (np.zeros(3), np.array([0.0, 0.0, 1.0]))
    return {"data": np.zeros(3), "neighbor": np.array([0.0, 1.0, 0.0]), "user": 2}


def repeated(result: audit.Result, **names: Any) -> audit.Result:
    """What the call says that repeats it."""
    assert result.repeat.startswith("audit.")
    again = eval(result.repeat, {"audit": audit, **names})
    assert isinstance(again, audit.Result)
    return again


def said(result: audit.Result) -> dict[str, Any]:
    """A report without its time."""
    return untimed(result.to_dict())


@pytest.mark.long
@pytest.mark.parametrize(
    ("made", "kind"),
    [
        *(("words", kind) for kind in LEVELS),
        *(("name", kind) for kind in LEVELS),
        *((made, kind) for made in ("object", "loaded") for kind in LEVELS if kind.name in NAMED),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_repeat_gives_the_same_result(made: str, kind: Any) -> None:
    """It must hold for every level, and each way to give the target and the claim."""
    claim, pair, mechanism = claim_of(kind), pair_of(kind), local()
    target = {
        "object": mechanism,
        "words": mechanism,
        "loaded": audit.load(mechanism, param={"scale": 0.25}, timeout=20, order="fixed"),
        "name": "tests.api.audited:leaky",
    }[made]
    if made == "words":
        values = (getattr(claim.level, name) for name in type(claim.level).__match_args__)
        words = {w.name: v for w, v in zip(kind.words, values, strict=True)}
        words |= {"budgets": list(words["budgets"])} if "budgets" in words else {}
        result = audit.audit(target, relation=Relation.SWAP, pair=pair, **words, **SMALL)
    else:
        result = audit.audit(target, claim, pair=pair, **SMALL)
    own = {"mechanism": mechanism, "target": target, "claim": claim, "pair": pair}
    assert said(repeated(result, **own)) == said(result)


@pytest.mark.long
def test_the_repeat_of_other_audits_runs() -> None:
    """It must hold in the other modes, for errors, and with data in memory."""
    mechanism, data = local(), np.array([0.0, 0.5, 1.0])
    claim = audit.pure(1, relation="swap")
    own = {"mechanism": mechanism, "claim": claim, "data": data, "pair": ([0.0], [1.0])}
    for result in (
        audit.audit(mechanism, claim, mode="bound", pair=own["pair"], **SMALL),
        audit.audit(mechanism, claim, data=data, first_draws=64, **SMALL),
        audit.audit(leaky, claim, pair=own["pair"], profile=True, **SMALL),
        audit.accuracy(
            mechanism, unbiased=True, law="uniform 0 1", n=2, seed=1, budget_samples=4_000
        ),
        audit.accuracy(mechanism, mse="1/2", data=data, seed=1, budget_samples=4_000),
    ):
        assert said(repeated(result, leaky=leaky, **own)) == said(result)
