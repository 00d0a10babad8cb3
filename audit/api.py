"""The Python API: what the command line does, as functions of objects at hand.

Words have the meaning and the defaults of the command line's options (`audit.request.words`). Each
function loads what it needs when it is called. Code that runs in this process is trusted: it can
change the verdict.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from audit.arguments import check_file, check_kind, checked, in_python
from audit.call import ACCURACY, AUDIT, GATE, PROVE, SENSITIVITY, Call, shows
from audit.exact_result import ExactResult
from audit.keywords import AccuracyWords, AuditWords, GateWords, ProveWords, SensitivityWords
from audit.levels.constructors import STATED_IN
from audit.levels.word import Kind
from audit.request.meaning import PYTHON, check_meaning
from audit.session import chosen_source, fresh_seed, processes
from audit.verdict import AuditResult
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import Number, check_choice, shown

if TYPE_CHECKING:
    from audit.accounting.result import AccountResult
    from audit.certificate.document import Certificate
    from audit.stability.result import SensitivityResult
    from audit.suite.outcome import GateResult
    from audit.utility.result import UtilityResult
    from mechanisms.claims import Relation, RelationWord

__all__ = ["account", "accuracy", "audit", "gate", "prove", "sensitivity", "verify"]


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
        The options of `touchstone audit`, as `audit.request.words` lists them: `epsilon`,
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
    from audit.engine.checkpoint import saved_seed
    from audit.run import run_plan

    call = Call.of("audit", target, words, claim, mode=mode)
    run = dict(call.run)
    resume = Path(run.pop("resume")) if "resume" in run else None
    if resume is not None and not isinstance(target, str | PurePath):
        msg = (
            "resume needs a target that a name finds again, such as 'file.py:name': whether an "
            "object is the one that the file is about cannot be told"
        )
        raise InvalidArgument(msg)
    seed = run.pop("seed", None if resume is None else saved_seed(resume))
    source = chosen_source(run.pop("jobs", 1), run.pop("backend", "loky"))
    plan = call.plan()
    seed = fresh_seed() if seed is None else seed
    return run_plan(plan, seed=seed, source=source, resume=resume, **run)


def _prove(
    function: str, target: Any, claim: PrivacyClaim | None, words: dict[str, Any]
) -> ExactResult:
    from audit.run import prove_plan
    from audit.versions import versions

    call = Call.of(function, target, words, claim, mode="exact")
    plan = call.plan()
    return prove_plan(plan, {"versions": versions([plan.target.library])})


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


@shows(ACCURACY)
def accuracy(
    target: Any,
    /,
    *,
    unbiased: bool = False,
    bias: Number | None = None,
    mse: Number | None = None,
    mae: Number | None = None,
    law: str | Sequence[str] = (),
    n: int | None = None,
    truth: Number | None = None,
    **words: Unpack[AccuracyWords],
) -> UtilityResult:
    """Audit the errors of a mechanism: bias, variance, mean squared and mean absolute error.

    Parameters
    ----------
    target : callable, class, object or str
        As in `audit`.
    unbiased : bool
        Claim a bias of 0.
    bias, mse, mae : int, float, str, Fraction or None
        Claim at most so much; None of all for what the mechanism states itself.
    law : str or list of str
        Fresh records for each draw, such as "uniform 0 1" or "bernoulli 1/4".
    n : int or None
        Records of a law, or of each data set at the bounds; None for the target's own number, or
        100.
    truth : "mean", "median", number or None
        What is estimated; None for the mean of the records, or what the mechanism states.
    **words
        As in `audit`, where they have a meaning.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        As in `audit`.

    Examples
    --------
    >>> import audit
    >>> def mean(data, size, rng):
    ...     return data.mean() + 0.1 + rng.laplace(scale=0.01, size=size)
    >>> result = audit.accuracy(mean, unbiased=True, mse=1, low=0, high=1, n=4, seed=1)
    >>> result.verdict.value, min(result.limits.values()) >= 0
    ('REFUTED', True)
    """
    from audit.request.error_plan import plan_utility
    from audit.run_errors import run_utility

    claims = {"unbiased": unbiased, "bias": bias, "mse": mse, "mae": mae}
    records = {"law": law, "n": n, "truth": truth}
    with in_python():
        asked = checked("accuracy", {**claims, **records, **words}, ACCURACY)
        call = Call.of("accuracy", target, {**asked, "utility": True})
        plan = plan_utility(call.request, stated_in=STATED_IN, load=call.load)
        return run_utility(plan, **{"seed": fresh_seed(), **call.run})


@shows(SENSITIVITY)
def sensitivity(target: Any, /, **words: Unpack[SensitivityWords]) -> SensitivityResult:
    """Test how far apart the answers of a query to neighboring data sets are.

    The query has no noise: a function of the data alone. What is found is computed from its answers
    as fractions, so that REFUTED has no error rate.

    Parameters
    ----------
    target : callable or str
        A function of data; a Transformation of OpenDP, which states its own claim and domain; the
        name of one, "pkg.mod:attr", "file.py:attr" or "notebook.ipynb:attr"; what `audit.load`
        returned.
    **words
        The options of `touchstone sensitivity`: `norm` and `at_most` state the claim, `relation`
        says which data sets are neighbors, `rows` in how many records these differ, `low`, `high`,
        `count` and `domain` which data sets there are.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        If anything is missing or contradictory, or the query answers twice otherwise on the same
        data.

    Examples
    --------
    >>> import audit
    >>> def total(data):
    ...     return data.clip(0, 2).sum()
    >>> result = audit.sensitivity(
    ...     total, norm="l1", at_most=1, relation="add-remove", low=0, high=1, seed=1
    ... )
    >>> result.verdict.value, str(result.witness.distance)
    ('REFUTED', '2')
    """
    started = time.monotonic()
    from audit.request.stability_plan import plan_sensitivity
    from audit.run_stability import run_sensitivity

    with in_python():
        call = Call.of("sensitivity", target, checked("sensitivity", words, SENSITIVITY))
        plan = plan_sensitivity(call.request, stated_in=STATED_IN, load=call.load)
        return run_sensitivity(plan, started=started, **{"seed": fresh_seed(), **call.run})


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
    from audit.run_account import run_account

    with in_python():
        check_kind(Kind.FLAG, profile=profile)
        if isinstance(plan, str | Path):
            check_file("plan", str(plan))
        told: dict[str, Any] = {"profile": profile, "compare": compare}
        asked = plan_account(plan, relation=relation, delta=delta, claim=claim, **told)
        return run_account(asked)


@shows(GATE)
def gate(
    configuration: str | Path | None = None,
    /,
    *,
    reference: bool = False,
    slow: bool = False,
    changed_since: str | None = None,
    write_baseline: bool = False,
    carry: str | Path | None = None,
    inconclusive: Literal["ok"] | None = None,
    **words: Unpack[GateWords],
) -> GateResult:
    r"""Run all audits that a configuration lists, at one false-alarm rate.

    Parameters
    ----------
    configuration : str, Path or None
        A file, or a folder with touchstone.toml or pyproject.toml; None for this folder.
    reference : bool
        Run the built-in suite instead.
    slow : bool
        Also the audits that are marked slow.
    changed_since : str or None
        Only audits of what has changed since this commit, and those that did not pass last.
    write_baseline : bool
        Keep what the audits promise and show in the configuration's baseline file.
    carry : str, Path or None
        Carry the wealth against unchanged targets from run to run in this file.
    inconclusive : {"ok"} or None
        Whether INCONCLUSIVE passes.
    **words
        Of a run: false_alarm, budget_samples, budget_seconds, resolution, seed, jobs, backend,
        ideal.

    Returns
    -------
    GateResult
        Its outcomes, and the exit status; `expect()` raises unless all is as expected.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        If the configuration is wrong, or an audit cannot be run.

    Examples
    --------
    >>> import audit, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "touchstone.toml")
    ...     _ = file.write_text('[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n')
    ...     result = audit.gate(folder, seed=1)
    >>> result.status.name, [outcome.result.verdict.value for outcome in result.outcomes]
    ('OK', ['PROVED'])
    """
    from audit.request.configuration import find_config, read_config, reference_config
    from audit.suite.preparation import prepare
    from audit.suite.run import run_gate

    with in_python():
        run = checked("gate", words, GATE)
        check_kind(Kind.FLAG, reference=reference, slow=slow, write_baseline=write_baseline)
        check_kind(Kind.TEXT, configuration=configuration, changed_since=changed_since, carry=carry)
        if inconclusive is not None:
            check_choice(inconclusive, "inconclusive", ("ok",))
        if reference and configuration is not None:
            msg = f"reference has its own configuration, got configuration={str(configuration)!r}"
            raise InvalidArgument(msg)
        place = Path() if configuration is None else Path(configuration)
        found = reference_config if reference else lambda: find_config(place)
        whole = read_config(place) if place.is_file() else found()
        seed, backend = run.pop("seed", None), run.pop("backend", "loky")
        seed, jobs = fresh_seed() if seed is None else seed, run.pop("jobs", None) or processes()
        history = prepare(
            whole,
            seed=seed,
            changed_since=changed_since,
            carry=None if carry is None else str(carry),
            writes=write_baseline,
            slow=slow,
            **run,
        )
        return run_gate(
            history.config,
            history.plans,
            seed=seed,
            jobs=1 if backend == "dask" else jobs,
            source=chosen_source(jobs, backend) if backend == "dask" else None,
            inconclusive_ok=inconclusive == "ok",
            history=history,
        ).record()


def verify(certificate: str | Path | Certificate, /) -> Certificate:
    """Recheck a certificate, with code that shares nothing with what made it.

    Parameters
    ----------
    certificate : str, Path or Certificate
        A file, its text, or what a proof holds.

    Returns
    -------
    Certificate
        As it was read: its `statement` is proved.

    Raises
    ------
    CertificateError
        If it does not prove what it states.
    InvalidData
        If there is no such file, or it is no certificate.

    Examples
    --------
    >>> import audit
    >>> proof = audit.prove("ksw.swap-laplace").proof
    >>> audit.verify(proof.certificate).mechanism
    'ksw.swap-laplace'
    """
    from audit.bounded_json import read_text
    from audit.certificate.document import Certificate, NotACertificate
    from audit.certificate.verify import verify as recheck

    given: object = certificate
    if isinstance(given, Certificate):
        recheck(given)
        return given
    if not isinstance(given, str | Path):
        msg = (
            "certificate must be a Certificate, its text or a file, got "
            f"certificate={shown(given)} (type {type(given).__name__})"
        )
        raise InvalidArgument(msg)
    text = str(given)
    if isinstance(given, Path) or not text.lstrip().startswith("{"):
        check_file("certificate", text)
        text = read_text(text)
    try:
        read = Certificate.read(text)
    except NotACertificate as exc:
        msg = f"this is no certificate: {exc}"
        raise InvalidData(msg) from exc
    recheck(read)
    return read
