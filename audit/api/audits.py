"""The audits of a promise of privacy: `audit.audit` by samples, `audit.prove` from the law."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any, Literal, Unpack, overload

from audit.request.call import AUDIT, PROVE, Call, apart, in_python, shows
from audit.request.keywords import AuditWords, ProveWords
from audit.request.meaning import PYTHON, check_meaning
from audit.request.word_values import checked
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.runs.session import chosen_source, fresh_seed
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_choice

__all__ = ["audit", "prove"]


@overload
def audit(
    target: Any,
    claim: PrivacyClaim | None = None,
    /,
    *,
    mode: Literal["sequential", "bound"] = "sequential",
    **words: Unpack[AuditWords],
) -> AuditResult: ...
@overload
def audit(
    target: Any,
    claim: PrivacyClaim | None = None,
    /,
    *,
    mode: Literal["exact"],
    **words: Unpack[ProveWords],
) -> ExactResult: ...
@apart
@shows(AUDIT)
def audit(
    target: Any, claim: PrivacyClaim | None = None, /, *, mode: str = "sequential", **words: Any
) -> AuditResult | ExactResult:
    """Audit one mechanism, and say whether it keeps its promise.

    Parameters
    ----------
    target : callable, class, object or str
        A function of data; a class or object with `sample`; a registry name, "pkg.mod:attr",
        "file.py:attr" or "notebook.ipynb:attr"; an adapter or an object of OpenDP, diffprivlib or
        PyDP; a list of texts, which is a command; what `audit.load` returned.
    claim : PrivacyClaim or None
        Such as `audit.pure(1, relation="swap")`; None for the words of a claim, or the target's.
    mode : {"sequential", "bound", "exact"}
        Stop at a violation, spend the budget on the tightest lower limit, or prove the claim from
        the stated law.
    **words
        The options of `touchstone audit`, as `audit.request.word_table` lists them: `epsilon`,
        `relation`, `low`, `high`, `seed` ... `data` may be an array or a data frame, `pair` a pair
        (data, neighbor), a mapping with these keys, or a list of pairs.

    Returns
    -------
    AuditResult or ExactResult
        The latter of mode "exact". A refuted claim is a result, not an exception.

    Raises
    ------
    TypeError
        For an unknown word; the message names those that are close.
    TouchstoneError
        If anything is missing, contradictory or out of its domain.

    Examples
    --------
    >>> import audit
    >>> def mean(data, size, rng):
    ...     return data.mean() + rng.laplace(scale=0.01, size=size)
    >>> result = audit.audit(
    ...     mean, audit.pure(1, relation="swap"), pair=([0.0, 1.0], [0.0, 0.0]), ideal=True, seed=1
    ... )
    >>> result.verdict.value, result.limits["epsilon"] > 1, result.claim.relation.value
    ('REFUTED', True, 'swap')
    """
    with in_python():
        check_choice(mode, "mode", ("sequential", "bound", "exact"))
        asked = checked("audit", words, tuple(dict.fromkeys([*AUDIT, *PROVE])))
        check_meaning(asked, mode, PYTHON)
        if mode != "exact":
            return _audit(target, claim, asked, mode)
        return _prove("audit", target, claim, asked)


def _audit(
    target: Any, claim: PrivacyClaim | None, words: dict[str, Any], mode: str
) -> AuditResult:
    from audit.draws.run_log import RunLog
    from audit.runs.privacy_run import run_plan

    call = Call.of("audit", target, words, claim, mode=mode)
    run = dict(call.run)
    log = RunLog(Path(run.pop("resume")) if "resume" in run else None)
    if log.path is not None and not isinstance(target, str | PurePath):
        msg = (
            "resume needs a target that a name finds again, such as 'file.py:name': whether an "
            "object is the one that the file is about cannot be told"
        )
        raise InvalidArgument(msg)
    seed = run["seed"] if "seed" in run else log.seed()
    run.pop("seed", None)
    source = chosen_source(run.pop("jobs", 1), run.pop("backend", "loky"))
    plan = call.plan()
    seed = fresh_seed() if seed is None else seed
    return run_plan(plan, seed=seed, source=source, log=log, **run)


def _prove(
    function: str, target: Any, claim: PrivacyClaim | None, words: dict[str, Any]
) -> ExactResult:
    from audit.results.versions import versions
    from audit.runs.privacy_run import prove_plan

    call = Call.of(function, target, words, claim, mode="exact")
    plan = call.plan()
    return prove_plan(plan, {"versions": versions([plan.target.library])})


@apart
@shows(PROVE)
def prove(
    target: Any, claim: PrivacyClaim | None = None, /, **words: Unpack[ProveWords]
) -> ExactResult:
    """Prove a claim from the law that a mechanism states, or refute it with exact probabilities.

    It is `audit` with mode "exact". Claims of the ledger, such as KSW-T2, are proved by
    `proofs_check.prove`.

    Parameters
    ----------
    target, claim
        As in `audit`.
    **words
        As in `audit`, but for those of samples; and `multisets`.

    Returns
    -------
    ExactResult
        With PROVED its `proof`, which holds the certificate where there is one.

    Raises
    ------
    TypeError
        For an unknown word.
    InvalidArgument
        If the target states no law that a proof can begin with; or as in `audit`.

    Examples
    --------
    >>> import audit
    >>> result = audit.prove("ksw.swap-laplace", epsilon="1/2", relation="swap")
    >>> result.verdict.value, result.limits["epsilon"] > 1 / 2
    ('REFUTED', True)
    """
    from proofs_check.registry import PAPERS

    if isinstance(target, str) and target.partition("-")[0] in PAPERS:
        msg = (
            f"{target} is a claim of the ledger, not a mechanism: proofs_check.prove checks it, "
            f"and so does `touchstone prove {target}`"
        )
        raise InvalidArgument(msg)
    with in_python():
        return _prove("prove", target, claim, checked("prove", words, PROVE))
