"""Runs with every kind of outcome, and names that no format may take for more than text."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

from audit.accounting.account_events import Pure
from audit.accounting.account_result import AccountResult, CurvePoint, StepAlone
from audit.accounting.release_plan import AccountClaim, Step
from audit.request.account_plan import plan_account
from audit.request.configured_audits import Expect
from audit.request.error_plan import UtilityPlan, plan_utility
from audit.request.plans import AnyPlan
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request, SensitivityQuestion, UtilityAsked
from audit.request.stability_plan import StabilityPlan, plan_sensitivity
from audit.results.exact_result import ExactResult, ExactWitness, Proof
from audit.results.refutation import ExactEvent
from audit.results.sampled_result import ExactBounds
from audit.results.verdict import Limits, Verdict
from audit.runs.result_kinds import AnyResult
from audit.stability.answers import Failure
from audit.stability.claim import StabilityClaim
from audit.stability.norms import Distance, Norm
from audit.stability.properties import Property
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness
from audit.suite.baseline.compare import Regression
from audit.suite.changes.select import AuditChoice, Selection
from audit.suite.exit_status import Exit, of_audit, worst
from audit.suite.gate_outcome import BaselineTold, GateResult, NightTold, Outcome, Past, Told
from audit.suite.ledger_claims import ProofOutcome
from audit.suite.stored_tables import TableOutcome
from audit.utility.error_result import (
    CaseResult,
    Estimate,
    Fit,
    Interval,
    Seen,
    UtilityResult,
    UtilityWitness,
)
from mechanisms.claims import (
    ApproxDP,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    Relation,
    Source,
    TradeOff,
)
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim
from proofs_check.claim import Status
from proofs_check.decide import ClaimResult
from proofs_check.ends import Enclosed
from proofs_check.tables.storage import Mismatch
from tests.audit.results import (
    ALL,
    BY_LEVEL,
    CLAIM,
    COARSE,
    CONSISTENT,
    GAUSSIAN_REFUTED,
    REFUTED,
    WITNESS,
)

__all__ = [
    "HOSTILE",
    "RESULTS",
    "broken_run",
    "good_run",
    "hostile_run",
    "outcome_of",
    "proof_of",
    "run_of",
    "statuses",
    "told_run",
]

HALF = (Fraction(1, 2), Fraction(1, 2))
BOUNDS = ExactBounds(Fraction(1), Fraction(1), "the noisy sums", "KSW-L2")

PROVED = ExactResult(
    "ksw.shifted-laplace",
    Verdict.PROVED,
    CLAIM,
    Order.FREE,
    "no record loses more than epsilon = 1, whatever the others are",
    0.04,
    proof=Proof(
        "all neighbors of all data sets",
        "the noisy sums; the release is a function of it",
        ("KSW-T1",),
        ("for all z and all x in [0, 1], the loss is at most the bound at x",),
        12,
        (Fraction(1), Fraction(1)),
        records=((Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(1, 2))),
    ),
    notes=("this is about the mechanism in real numbers",),
)
DISPROVED = replace(
    PROVED,
    verdict=Verdict.REFUTED,
    reason="an event is too likely on the neighbor",
    proof=None,
    witness=ExactWitness(
        (0,), (0, 1), "the release", "output > 1/2", "neighbor", HALF, HALF, HALF, loss=HALF
    ),
)
assert PROVED.proof is not None
assert DISPROVED.witness is not None
PERSONAL = PrivacyClaim(
    PersonalizedDP(["1/10", "1/2", 1]), Relation.SWAP, Source("user", "command line")
)
PROVED_BY_USER = replace(
    PROVED,
    claim=PERSONAL,
    proof=replace(
        PROVED.proof,
        loss=None,
        records=(),
        users=(
            (1, Fraction(1, 10), (Fraction(1, 20), Fraction(1, 20))),
            (3, Fraction(1), (Fraction(1, 4), Fraction(1, 4))),
        ),
    ),
)
DISPROVED_FOR_A_USER = replace(
    DISPROVED,
    claim=PERSONAL,
    witness=replace(
        DISPROVED.witness, q=(Fraction(1, 4), Fraction(1, 4)), user=2, budget=Fraction(1, 2)
    ),
)
PROVED_WITH_DELTA = replace(
    PROVED,
    claim=replace(CLAIM, level=ApproxDP(1, "1/10")),
    proof=replace(PROVED.proof, loss=None, records=(), excess=(Fraction(1, 20), Fraction(1, 20))),
)
UNDECIDED = replace(
    PROVED, verdict=Verdict.INCONCLUSIVE, reason="the lemma does not hold", proof=None
)

LIMITS = Interval(-0.01, 0.02, "bet", "Student's t", 1e-4)
UNBIASED = UtilityClaim(Quantity.BIAS, 0, Source("KSW", "Theorem 2"))
AT_MOST = UtilityClaim(Quantity.MSE, Fraction(1, 4), Source("KSW", "Theorem 2"), exactly=True)
ESTIMATED = CaseResult(
    "10 records at low",
    10,
    5_000,
    0,
    Truth(0.0, "mean of the records"),
    (
        Estimate("bias", 0.005, LIMITS, (UNBIASED,)),
        Estimate("mse", 0.31, replace(LIMITS, lower=0.28, upper=math.inf), (AT_MOST,)),
        Estimate("variance", 0.3, replace(LIMITS, lower=0.2, upper=0.4)),
    ),
    (Fit("the estimates", "cdf band", 0.01, 0.02),),
    Seen(0.02, 0.01, (("mse", 1.2),), (("mse", 0.8),), 0.04),
)
USEFUL = UtilityResult(
    target="ksw.swap-laplace",
    verdict=Verdict.CONSISTENT,
    reason="no claim is excluded",
    cases=(ESTIMATED,),
    false_alarm=0.05,
    ends=4,
    resolution=0.5,
    samples=7_000,
    seconds=1.25,
    seed=7,
    reproducible=True,
    notes=("a promise that was left out",),
)
USELESS = replace(
    USEFUL,
    verdict=Verdict.REFUTED,
    reason="a claim is excluded",
    cases=(
        replace(
            ESTIMATED,
            estimates=(replace(ESTIMATED.estimates[1], refuted=(AT_MOST,)),),
            fits=(Fit("the estimates", "cdf band", math.inf, 0.02),),
        ),
    ),
    witness=UtilityWitness(
        "10 records at low", [0.0] * 10, "MSE is 0.31, not 1/4", 5_000, "print('a script')\n"
    ),
)
UNUSED = replace(
    USEFUL,
    verdict=Verdict.INCONCLUSIVE,
    reason="every draw failed",
    cases=(replace(ESTIMATED, estimates=(), fits=(), seen=None, failures=5_000),),
    reproducible=False,
)

APART = StabilityClaim(Norm.L2, Fraction(7, 5), Relation.SWAP, Source("user", "command line"))
STABLE = SensitivityResult(
    target="statistics:fmean",
    verdict=Verdict.CONSISTENT,
    claim=APART,
    reason="largest distance 1 of 7/5 (about 1.4), 0.714 of the claim, on 39 pairs",
    largest=Distance(Fraction(1), is_square=True),
    ratio=5 / 7,
    tried=(("worst cases", 39),),
    calls=94,
    seconds=0.5,
    seed=7,
    not_tried=("more than 100 records",),
    notes=("3 pairs of which it raises ValueError on both data sets, which is no difference",),
)
UNSTABLE = replace(
    STABLE,
    verdict=Verdict.REFUTED,
    reason="the answers to two neighbors are sqrt(2) apart, and 7/5 is claimed (P1)",
    largest=Distance(Fraction(2), is_square=True),
    ratio=1.01,
    witnesses=(
        SensitivityWitness(
            Property.DISTANCE,
            "1 record at low; one replaced by high",
            [0.0],
            [1.0],
            (1, 0),
            (0, 1),
            Distance(Fraction(2), is_square=True),
            Fraction(7, 5),
            "print('a script')\n",
            "worst cases",
        ),
        SensitivityWitness(
            Property.FUNCTION,
            "1 record, and the same again",
            [0.0],
            [0.0],
            Failure("raises ValueError"),
            (0, 1),
            Distance(None),
            Fraction(0),
            "print('another script')\n",
        ),
    ),
)
UNASKED = replace(
    STABLE,
    verdict=Verdict.INCONCLUSIVE,
    reason="no pair is of the domain of the query",
    largest=None,
    ratio=0.0,
    tried=(),
    reproducible=False,
)

ADDED = AccountResult(
    "plan.toml",
    Verdict.REFUTED,
    "the total epsilon at delta 1/100 is between 3 and 3.2, and 2 is claimed",
    AccountClaim(Relation.SWAP, Fraction(1, 100), Fraction(2)),
    Enclosed(Fraction(3), Fraction(16, 5)),
    (Fraction(1, 50), Fraction(1, 40)),
    "lattice",
    True,
    (
        StepAlone(
            Step(Pure(Fraction(1, 10)), 10, "pure-dp (epsilon 1/10)"),
            "claimed under swap",
            Enclosed(Fraction(1), Fraction(1)),
        ),
    ),
    (
        CurvePoint(Fraction(0), Fraction(1, 2), Fraction(5, 8)),
        CurvePoint(Fraction(2), *map(Fraction, (0, 1))),
    ),
    notes=("a note",),
    not_tried=("something",),
    seconds=0.5,
)
ADDED_UP = replace(
    ADDED, verdict=Verdict.PROVED, claim=replace(ADDED.claim, epsilon=None), delta=None, profile=()
)
NOT_ADDED = replace(
    ADDED, verdict=Verdict.INCONCLUSIVE, epsilon=Enclosed(Fraction(0), None), is_attained=False
)

RESULTS: dict[str, AnyResult] = {
    **ALL,
    **BY_LEVEL,
    "gaussian-refuted": GAUSSIAN_REFUTED,
    "bounded": replace(CONSISTENT, exact=BOUNDS),
    "by law": replace(
        REFUTED, exact=BOUNDS, witness=replace(WITNESS, exact=ExactEvent(HALF, HALF, HALF))
    ),
    "nothing at all": replace(
        CONSISTENT,
        claim=replace(CLAIM, level=TradeOff(((0, 1), (1, 0)))),
        verdict=Verdict.INCONCLUSIVE,
        limits=Limits(),
        detectable=None,
        upper=None,
        reason="nothing was drawn",
    ),
    "proved": PROVED,
    "proved by user": PROVED_BY_USER,
    "proved with delta": PROVED_WITH_DELTA,
    "disproved": DISPROVED,
    "disproved for a user": DISPROVED_FOR_A_USER,
    "undecided": UNDECIDED,
    "useful": USEFUL,
    "useless": USELESS,
    "unused": UNUSED,
    "stable": STABLE,
    "unstable": UNSTABLE,
    "unasked": UNASKED,
    "added": ADDED,
    "added up": ADDED_UP,
    "not added": NOT_ADDED,
}
"""Results of every verdict and level, from samples and exact."""

HOSTILE = (
    "<script>alert('x')</script> & \"q\" ]]> | `a` *b* [c](https://x.org) "
    "\x00\x1b[31m \ud800 \ufffe"
)
"""What a target, an event or an error may be called."""


@cache
def plan_of(mode: str = "sequential") -> PrivacyPlan:
    """What a result was asked by."""
    return plan_audit(Request("ksw.shifted-laplace", mode=mode), stated_in="command line")


@cache
def utility_plan() -> UtilityPlan:
    """What a result about errors was asked by."""
    request = Request("ksw.swap-laplace", utility=UtilityAsked())
    return plan_utility(request, stated_in="command line")


@cache
def stability_plan() -> StabilityPlan:
    """What a result about a sensitivity was asked by."""
    question = SensitivityQuestion("l2", "7/5")
    words = {"relation": "swap", "low": 0, "high": 1}
    request = Request("statistics:fmean", sensitivity=question, **words)
    return plan_sensitivity(request, stated_in="command line")


def outcome_of(
    name: str,
    result: AnyResult | None,
    expect: Expect = "consistent",
    *,
    inconclusive_ok: bool = False,
    error: str = "internal error: RuntimeError: a bug",
) -> Outcome:
    """An audit that came to a result, or to an error."""
    plan: AnyPlan = plan_of("exact" if isinstance(result, ExactResult) else "sequential")
    if isinstance(result, UtilityResult):
        plan = utility_plan()
    if isinstance(result, SensitivityResult):
        plan = stability_plan()
    if isinstance(result, AccountResult):
        plan = plan_account({"relation": "swap", "delta": "1/100"})
    if result is None:
        return Outcome(name, expect, plan, None, error, Exit.INTERNAL)
    status = of_audit(result, expect=expect, inconclusive_ok=inconclusive_ok)
    return Outcome(name, expect, plan, result, None, status)


def regressed(outcome: Outcome) -> Outcome:
    """An audit that is worse than in the baseline."""
    past = Past((Regression("claim", "epsilon = 1/2 (swap)", "epsilon = 1 (swap)"),))
    return replace(outcome, status=Exit.REFUTED, past=past)


def run_of(
    *outcomes: Outcome,
    proofs: tuple[ProofOutcome, ...] = (),
    tables: tuple[TableOutcome, ...] = (),
) -> GateResult:
    """A run of the gate."""
    every: list[Outcome | ProofOutcome | TableOutcome] = [*outcomes, *proofs, *tables]
    status = worst(one.status for one in every)
    many = len(outcomes)
    share = 1e-3 / max(many, 1)
    return GateResult(
        "touchstone.toml",
        outcomes,
        many,
        status,
        1e-3,
        share,
        150.0,
        61.5,
        7,
        False,
        proofs,
        left_out=2,
        tables=tables,
    )


def proof_of(name: str, *statuses: tuple[Status, Status]) -> ProofOutcome:
    """Claims of a name: what was found and what is registered."""
    results = tuple(
        ClaimResult(f"{name}-{i}", found, expected, ())
        for i, (found, expected) in enumerate(statuses)
    )
    good = all(found is expected for found, expected in statuses)
    return ProofOutcome(name, results, Exit.OK if good else Exit.REFUTED, 0.25)


def statuses(run: GateResult) -> list[int]:
    """Exit status of each audit, of the claims of each name, and of each table."""
    every: list[Outcome | ProofOutcome | TableOutcome] = [*run.outcomes, *run.proofs, *run.tables]
    return [int(one.status) for one in every]


@cache
def broken_run() -> GateResult:
    """A run with every result, expected and not, an error, and proofs that differ."""
    outcomes = [outcome_of(name, result) for name, result in RESULTS.items()]
    outcomes += [
        outcome_of("twin", REFUTED, "refuted"),
        outcome_of("twin that passes", CONSISTENT, "refuted"),
        outcome_of("twin", REFUTED, "refuted"),
        outcome_of("let pass", COARSE, inconclusive_ok=True),
        outcome_of("error", None),
        regressed(outcome_of("worse", CONSISTENT)),
        regressed(outcome_of("worse and refuted", REFUTED)),
    ]
    good = (Status.PROVED, Status.PROVED)
    proofs = (proof_of("KSW", good, good), proof_of("SUB", good, (Status.UNKNOWN, Status.PROVED)))
    cell = Mismatch("differs", "epsilon = 1", "variance", "2.1", "2.0", "0.1")
    tables = (
        TableOutcome("docs/holds.csv", "holds", 12, (), Exit.OK, 0.5),
        TableOutcome("docs/differs.csv", "differs", 12, (cell,), Exit.REFUTED, 0.5),
        TableOutcome("docs/open.csv", "open", 12, (), Exit.INCONCLUSIVE, 0.5, "a digit is open"),
    )
    return run_of(*outcomes, proofs=proofs, tables=tables)


def told_run() -> GateResult:
    """A run beside earlier ones, which ended before its time."""
    night = NightTold(3, 1.5, math.inf, "", refuted_before=True)
    past = Past((Regression("claim", "epsilon = 1/2 (swap)", "epsilon = 1 (swap)"),), night)
    audits = (replace(outcome_of("worse", CONSISTENT), status=Exit.REFUTED, past=past),)
    choices = (AuditChoice("worse", True, "its file changed"), AuditChoice("b", False, "same"))
    told = Told(
        Selection("HEAD", "abcdef0123456789", choices),
        "nights.json",
        BaselineTold("baseline.json", ("gone",), ("new",)),
        "the disk is full",
    )
    run = run_of(*audits)
    return replace(run, told=told, interrupted=True, status=Exit.INTERRUPTED, not_run=("b", "c"))


def good_run() -> GateResult:
    """A run in which all is as expected."""
    return run_of(
        outcome_of("sound", CONSISTENT),
        outcome_of("twin", REFUTED, "refuted"),
        outcome_of("proved", PROVED),
        proofs=(proof_of("KSW", (Status.PROVED, Status.PROVED)),),
    )


def hostile_run() -> GateResult:
    """A run whose every word of a user's is hostile."""
    witness = replace(
        WITNESS,
        pair=HOSTILE,
        event=HOSTILE,
        expression=HOSTILE,
        rerun=f"{HOSTILE}\n</code></pre></details>\n```\n",
        shrunk_from=HOSTILE,
        data=[HOSTILE],
    )
    refuted = replace(REFUTED, target=HOSTILE, reason=HOSTILE, witness=witness, notes=(HOSTILE,))
    assert DISPROVED.witness is not None
    exact = replace(DISPROVED.witness, event=HOSTILE, about=HOSTILE, data=HOSTILE)
    return run_of(
        outcome_of(HOSTILE, refuted),
        outcome_of(HOSTILE, replace(DISPROVED, target=HOSTILE, reason=HOSTILE, witness=exact)),
        outcome_of(HOSTILE, None, error=HOSTILE),
    )
