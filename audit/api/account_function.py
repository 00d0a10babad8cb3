"""Totals of many releases: `audit.account`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.levels.word import Kind
from audit.request.call import apart, in_python
from audit.request.word_values import check_file, check_kind
from mechanisms.validation import Number

if TYPE_CHECKING:
    from audit.accounting.account_result import AccountResult
    from mechanisms.claims import Relation, RelationWord

__all__ = ["account"]


@apart
def account(
    plan: Any,
    /,
    *,
    relation: Relation | RelationWord | None = None,
    delta: Number | None = None,
    claim: Number | None = None,
    profile: bool = False,
    compare: str | None = None,
) -> AccountResult:
    """Add up what a list of releases loses together, and decide a claimed total.

    Both ends of the total are theorems; nothing is drawn.

    Parameters
    ----------
    plan : str, Path, mapping or object
        A file of TOML, or its words: `relation`, `delta`, `claim`, and `step`, a list of mappings
        with `event`, `count` and the parameters of the event. Or an event of dp-accounting, a
        measurement of OpenDP, or a list of these, each alone or as a pair with its count.
    relation : {"add-remove", "swap", "listed"} or None
        Which data sets are neighbors; in place of the plan's own.
    delta, claim : int, float, str, Fraction or None
        Of the total; in place of the plan's own. Without a claim both ends are what is found.
    profile : bool
        Also enclose delta at other epsilons.
    compare : str or None
        Names of libraries whose accountants are asked for the same total, with commas between:
        dp-accounting, autodp, prv-accountant, opendp. Where nothing is claimed, theirs are claims.

    Raises
    ------
    TouchstoneError
        If anything is missing, unknown or out of its domain, or two engines exclude each other.

    Examples
    --------
    >>> import audit
    >>> step = {"event": "gaussian", "sigma": 5, "sensitivity": 1, "count": 100}
    >>> result = audit.account({"step": [step]}, relation="swap", delta="1e-5", claim=10.7255)
    >>> result.verdict.value, round(result.limits["epsilon"], 4)
    ('REFUTED', 24.3816)
    """
    from audit.request.account_plan import plan_account
    from audit.runs.account_run import run_account

    with in_python():
        check_kind(Kind.FLAG, profile=profile)
        if isinstance(plan, str | Path):
            check_file("plan", str(plan))
        told: dict[str, Any] = {"profile": profile, "compare": compare}
        asked = plan_account(plan, relation=relation, delta=delta, claim=claim, **told)
        return run_account(asked)
