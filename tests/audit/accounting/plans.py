"""Plans and enclosures for tests of accounts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import audit
from audit.accounting.account_result import AccountResult
from audit.accounting.enclosed_total import tries_of
from audit.accounting.release_plan import AccountClaim, read_steps
from mechanisms.claims import Relation
from proofs_check.composition.epsilon import Totals
from proofs_check.ends import Enclosed

__all__ = ["DELTA", "GAUSSIAN", "LAPLACE", "SAMPLED", "account", "composed", "total"]

DELTA = "1e-5"

GAUSSIAN = {"event": "gaussian", "sigma": 5, "sensitivity": 1}
LAPLACE = {"event": "laplace", "scale": 10, "sensitivity": 1}
SAMPLED = {"event": "poisson-gaussian", "sigma": 1, "sensitivity": 1, "q": ".01"}


def account(*steps: dict[str, Any], relation: str = "add-remove", **words: Any) -> AccountResult:
    """The account of some steps."""
    plan = {"relation": relation, "delta": DELTA, "step": list(steps)}
    compare = words.pop("compare", None)
    return audit.account(plan | words, compare=compare)


def composed(
    steps: Sequence[dict[str, Any]], relation: str = "add-remove", *, tries: int = 4
) -> Totals:
    """The composition of some steps, after a few tries at most."""
    found = Relation(relation)
    every = tries_of(read_steps(steps, found), AccountClaim(found, Fraction(DELTA), None))
    *_, last = (tried for tried, _ in zip(every, range(tries), strict=False))
    return last.composition


def total(*steps: dict[str, Any], relation: str = "add-remove", delta: str = DELTA) -> Enclosed:
    """Ends of the total epsilon."""
    return account(*steps, relation=relation, delta=delta).epsilon
