"""Certificates of private steps: what is proved is stated again, and nothing else is accepted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate, sentence
from audit.certificate.compositions import COMPOSED
from audit.exact.auditors.composition import losses_of, steps_of
from audit.exact.exact_audit import audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.exact.recheck import rechecked
from audit.results.verdict import Verdict
from mechanisms.claims import (
    ApproxDP,
    Level,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
)
from mechanisms.composition import (
    AnswerStep,
    Composition,
    Either,
    InTurn,
    LaplaceStep,
    NamedStep,
    ScanStep,
    ScoreStep,
    Survivors,
)
from mechanisms.errors import CertificateError, InvalidArgument
from mechanisms.registry import build_mechanism
from tests.slow import by_default

F = Fraction
OTHERS: dict[str, tuple[dict[str, Any], ...]] = {
    "sub.histogram-mean": ({"epsilon": "7/3", "sigma": "1/3"},),
    "sub.moment-mean": ({"epsilon": "7/3", "moment": 3},),
    "sub.radius-mean": ({"epsilon": "7/3", "low": 1, "high": 1},),
    "sub.subset-mean-public-size": ({"epsilon": "1/7", "low": -3}, {"low": 1, "high": 1}),
    "sub.subset-mean-noisy-size": ({"epsilon": "1/7", "gamma": "1/9", "release": "all"},),
    "sub.monotone": (
        {"epsilon": "7/3", "score": "length"},
        {"statistic": "power", "power": 3},
        {"low": 1, "high": 1},
    ),
    "tri.combined": ({"epsilon": "3/2", "delta": "4/5"}, {"distance": 0, "low": -3}),
    "tri.symmetric-mean": ({"epsilon": 3, "first": 0}, {"delta": "1/7", "second": 1}),
    "tri.shuffled-mean": ({"epsilon": "1/10", "delta": "97/100", "blocks": 13}, {"epsilon": "1/2"}),
    "pdp.find-quantile": ({"epsilon": "7/3"},),
    "pdp.discretization": ({"epsilon": "7/3"},),
    "pdp.radius": ({"epsilon": "7/3", "b": "1/4"},),
    "pdp.diffused-quantile": ({"budgets": "1/10, 3, 0", "tau": 2},),
    "pdp.diffusion": ({"budgets": "1/10, 3, 0", "tau": 2}, {"budgets": "0"}),
    "pdp.sampled-mean": ({"budgets": "1/10, 3, 0", "tau": 2}, {"low": "1/2", "high": "1/2"}),
    "pdp.partitioned-mean": (
        {"budgets": "1/10, 3, 0, 4, 1/11, 7/2, 1/9"},
        {"budgets": "0"},
        {"low": 2, "high": 2},
    ),
    "pdp.above-threshold": ({"epsilon": "7/3", "threshold": -3},),
    "ksw.count-then-swap": ({"epsilon": "7/3", "high": 3}, {"low": 1, "high": 1}),
    "pdp.range": ({"budgets": "1/10, 3, 0", "tau": 2}, {"budgets": "0, 0"}),
    "pdp.mean": ({"budgets": "1/10, 3, 0, 90"}, {"budgets": "0, 0"}, {"budgets": "5", "tau": 1}),
    "pdp.unbounded-mean": (
        {"budgets": "1/10, 3, 1/3", "lowest": "1/4", "highest": 2},
        {"budgets": "1/10", "lowest": 1, "highest": 2, "release": "counts"},
    ),
}


def asked(name: str, level: Level | None = None, relation: Relation | None = None, **given: Any):
    """The exact audit, as the command does it."""
    mechanism = build_mechanism(name, **given)
    claim = PrivacyClaim(
        level or mechanism.claim.level, relation or mechanism.claim.relation, Source("user", "here")
    )
    question = Question(
        name, mechanism, claim, mechanism.order, True, multisets=Multisets(1, 2, F(-50), F(50))
    )
    return rechecked(audit(question))


LIGHT = (
    "sub.monotone",
    "sub.histogram-mean",
    "tri.combined",
    "pdp.find-quantile",
    "pdp.mean",
    "ksw.count-then-swap",
)
"""Of each paper one, and of each kind of steps."""


def certificate(name: str, **given: Any) -> Certificate:
    """The certificate of a mechanism at its own claim."""
    proof = asked(name, **given).proof
    assert proof is not None
    assert isinstance(proof.certificate, Certificate)
    return proof.certificate


@pytest.mark.parametrize("name", by_default(LIGHT, COMPOSED))
def test_the_own_claim_is_proved_and_stated_again(name: str) -> None:
    """It must hold at the defaults and at others, through JSON and back."""
    for given in ({}, *OTHERS[name]):
        found = certificate(name, **given)
        assert "all neighbors" in verify(Certificate.read(found.text()))


@pytest.mark.parametrize("name", by_default(LIGHT, COMPOSED))
def test_a_smaller_claim_is_rejected(name: str) -> None:
    """It must hold that no smaller claim, loss, lemma, relation or other parameter passes."""
    whole = certificate(name)
    claim = dict(whole.claim)
    if "budgets" in claim:
        claim["budgets"] = [str(F(b) * F(99, 100) / 4) for b in claim["budgets"]]
    else:
        claim["epsilon"] = str(F(claim["epsilon"]) * F(99, 100))
    other = "swap" if claim["relation"] == "add-remove" else "add-remove"
    delta = {"delta": str(F(claim.get("delta", 0)) * F(99, 100))}
    smaller = ({"claim": whole.claim | delta},) if F(whole.claim.get("delta", 0)) else ()
    for changes in (
        *smaller,
        {"claim": claim},
        {"claim": whole.claim | {"relation": other}},
        {"loss": ["0", "0"]},
        {"lemmas": whole.lemmas[1:]},
        {"evidence": {}},
        {"covers": {"pairs": whole.covers["pairs"], "size": 1}},
        {"parameters": {}},
    ):
        wrong = replace(whole, **changes)
        said = sentence(wrong.mechanism, wrong.parameters, wrong.claim, wrong.covers["pairs"])
        with pytest.raises(CertificateError):
            verify(replace(wrong, statement=said).sealed())


@pytest.mark.parametrize(
    ("name", "level", "relation", "given"),
    [
        ("tri.combined", ApproxDP(1, "99/10000"), Relation.SWAP, {}),
        ("tri.combined", ApproxDP("99/100", "1/100"), Relation.SWAP, {}),
        ("tri.symmetric-mean", ApproxDP(1, "99/10000"), Relation.SWAP, {}),
        ("tri.symmetric-mean", ApproxDP(9, "1/10"), Relation.ADD_REMOVE, {}),
        ("pdp.mean", PersonalizedDP(("1/2", 1, "99/100")), Relation.SWAP, {}),
        ("pdp.mean", PureDP("99/100"), Relation.SWAP, {}),
        # a user may bring a budget of 4, and lose that much
        (
            "pdp.unbounded-mean",
            PureDP("1/2"),
            Relation.ADD_REMOVE,
            {"budgets": "1/2", "highest": 4},
        ),
        ("pdp.unbounded-mean", PersonalizedDP((2,)), Relation.ADD_REMOVE, {"budgets": "1/2"}),
        # a row shows 1/2, and the budget is a little less
        (
            "pdp.unbounded-mean",
            PersonalizedDP((F(1, 2) - F(1, 10**30),)),
            Relation.ADD_REMOVE,
            {"budgets": (F(1, 2) - F(1, 10**30),), "lowest": "1/2", "highest": 1},
        ),
    ],
)
def test_what_is_not_shown_is_not_proved(
    name: str, level: Level, relation: Relation, given: dict[str, Any]
) -> None:
    """It must hold of slightly smaller claims, other relations, and budgets that users bring."""
    try:
        found = asked(name, level, relation, **given)
    except InvalidArgument:
        return
    assert found.verdict is not Verdict.PROVED


def test_a_claim_between_the_law_and_the_lemma_has_no_certificate(
    subtests: pytest.Subtests,
) -> None:
    """It must hold of 1 % less: what the law on small data proves is not of all neighbors.

    The control is the own claim, which the steps reach.
    """
    for name in [
        n for n in COMPOSED if not isinstance(build_mechanism(n).claim.level, PersonalizedDP)
    ]:
        with subtests.test(name=name):
            level = build_mechanism(name).claim.level
            less = level.epsilon * F(99, 100)  # type: ignore[union-attr]
            smaller = ApproxDP(less, level.delta) if isinstance(level, ApproxDP) else PureDP(less)
            try:
                found = asked(
                    name, smaller
                )  # the recheck refuses a certificate of steps on multisets
            except InvalidArgument:
                continue
            assert found.proof is None or (
                found.proof.certificate is None and "multisets" in found.proof.pairs
            )
            assert certificate(name).covers == {"pairs": "all neighbors of all data sets"}


def test_the_choice_of_a_monotone_statistic_moves_by_what_it_says() -> None:
    """It must hold that each score has its move and exponent, and costs half of epsilon."""
    for score, move, parts in (("length", 3, 12), ("crossing", 2, 8)):
        steps = build_mechanism("sub.monotone", epsilon="7/3", score=score).private_steps().step
        *thresholds, choice = steps.steps
        assert [losses_of(one, 1) for one in thresholds] == [((F(7, 12), 0),)] * 2
        assert (choice.move, choice.factor) == (move, F(7, 3) / parts)
        assert losses_of(choice, 1) == ((F(7, 6), 0),)


def test_a_smaller_delta_of_the_combined_mean_is_refuted() -> None:
    """It must hold that the named record shows: P = delta, and the claim is 1 % less."""
    found = asked("tri.combined", ApproxDP(1, "99/10000"))
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None


def test_a_delta_of_one_has_no_certificate() -> None:
    """It must hold that a claim that says nothing is proved and not certified."""
    found = asked("tri.combined", delta=1)
    assert found.verdict is Verdict.PROVED
    assert found.proof is not None
    assert found.proof.certificate is None


def test_losses_are_those_of_the_lemmas() -> None:
    """It must hold step by step, and amplification must stop where Theorem 10 does."""
    laplace = LaplaceStep("sum", (F(1), F(3)), F(2))
    assert losses_of(laplace, 2) == ((F(1, 2), 0), (F(3, 2), 0))
    assert losses_of(ScoreStep("score", F(1), F(1, 3)), 1) == ((F(2, 3), 0),)
    scan = ScanStep("scan", F(1), F(2), F(4))
    assert losses_of(scan, 1) == ((F(1), 0),)
    answer = AnswerStep("bit", F(2, 3))
    assert losses_of(answer, 2) == ((F(2, 3), 0),) * 2
    named = NamedStep("coin", F(1, 9))
    assert losses_of(InTurn((scan, named)), 1) == ((F(1), F(1, 9)),)
    assert losses_of(Either((scan, named)), 1) == ((F(1), F(1, 9)),)
    assert losses_of(InTurn((named, named)), 1) == ((F(0), F(2, 9)),)
    assert losses_of(Either((named, named)), 1) == ((F(0), F(1, 9)),)
    survivors = Survivors((F(1, 3), F(5)), F(1), scan)
    assert losses_of(survivors, 2) == ((F(1, 3), 0), (F(1), 0))
    # a step that loses more than tau gains nothing; nor does one with a delta
    assert losses_of(replace(survivors, tau=F(1, 2)), 2) == ((F(1), 0), (F(1), 0))
    assert losses_of(replace(survivors, step=named), 2)[0] == (F(0), F(1, 9))
    assert steps_of(InTurn((scan, named))) == ("PDP-A1", "TRI-P3.0.2", "composition")
    with pytest.raises(InvalidArgument, match="of 3 users"):
        losses_of(laplace, 3)
    with pytest.raises(InvalidArgument, match="greater than 0"):
        replace(laplace, scale=F(0))


def test_amplification_stops_where_the_theorem_does() -> None:
    """It must hold that a rate for tau = 1/2 before a step of loss 1 loses more than the budget."""
    import math

    budget, tau, spent = 0.3, 0.5, 1.0
    rate = math.expm1(budget) / math.expm1(tau)
    lost = math.log1p(rate * math.expm1(spent))
    assert budget < lost <= spent


class Stated:
    """A stranger's mechanism that says less of its steps than it should, or something else."""

    def __init__(self, stated: Any) -> None:
        self.stated = stated

    def private_steps(self) -> Any:
        """Whatever was given."""
        return self.stated


def test_a_strangers_statement_is_read_with_care() -> None:
    """It must hold that another object is refused, and that nobody rechecks a stranger's steps."""
    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("user", "here"))
    build = build_mechanism("pdp.radius")
    step = Composition(Relation.SWAP, ScanStep("scan", F(1), F(2), F(4)), 0, "mine")
    found = audit(Question("mine.py:M", Stated(step), claim, build.order, True))
    assert found.verdict is Verdict.PROVED
    assert found.proof is not None
    assert found.proof.certificate is None
    with pytest.raises(Exception, match="must return a Composition"):
        audit(Question("mine.py:M", Stated(3), claim, build.order, True))
