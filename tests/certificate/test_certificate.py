"""Certificates: accepted as written, rejected after a change of meaning, made by other code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import INFORMATIONAL, Certificate, sentence
from audit.certificate.compositions import COMPOSED
from audit.certificate.rechecked_multisets import LAWS
from audit.certificate.restated_queries import QUERIES, evidence_of, restated
from audit.certificate.restated_weights import MOST_USERS, WEIGHTED, losses_of
from audit.exact.auditors.by_weights import loss_of
from audit.exact.certify import BY_MULTISETS, RECHECKED, _rises
from audit.exact.exact_audit import audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.exact.recheck import rechecked
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import CertificateError
from mechanisms.registry import MECHANISMS, build_mechanism
from tests.slow import by_default
from tests.speed import calls_of

SOUND = [name for name in MECHANISMS if name.startswith("ksw.") and "printed" not in name]
CERTIFIED = [
    *SOUND,
    "tri.clipped-mean",
    "tri.tilted-sign",
    "sub.bounded-mean",
    "sub.threshold",
    "sub.threshold-grid",
    "sub.inverse-sensitivity",
    "pdp.weighted-mean",
    "pdp.adpm",
    "pdp.stretched-mean",
    "pdp.least-budget",
]
HEAVY = ("ksw.transformed-staircase", "ksw.transformed-hourglass", "ksw.release-mean")
"""Of whose kinds of noise there is a mean in one dimension, too."""

PERSONAL = ("pdp.adpm", "pdp.stretched-mean", "pdp.least-budget")
"""Of these whose claims are budgets."""

STEPS = [*COMPOSED]
"""Whose certificates are of private steps."""

SMALLER: dict[str, dict[str, Any]] = {
    "sub.threshold-grid": {"points": 7},
    "sub.inverse-sensitivity": {"step": "1/6"},
}
"""Parameters with which a test takes less long."""


def audited(name: str, claimed: Any = None, **parameters: Any) -> ExactResult:
    """Audit a registered mechanism exactly, at its own claim or another one."""
    mechanism = build_mechanism(name, **parameters)
    bounds = (getattr(mechanism, "low", 0), getattr(mechanism, "high", 1))
    claim = mechanism.claim
    if claimed is not None:
        claim = PrivacyClaim(PureDP(claimed), claim.relation, Source("user", "a test"))
    return audit(
        Question(
            name,
            mechanism,
            claim,
            mechanism.order,
            MECHANISMS[name].floating_point,
            multisets=Multisets(3, 3, *bounds),
        )
    )


def certificate_of(name: str, **parameters: Any) -> Certificate:
    """The certificate of a mechanism at its own claim."""
    result = audited(name, **parameters)
    assert result.proof is not None
    certificate = result.proof.certificate
    assert isinstance(certificate, Certificate)
    return certificate


@cache
def proved(name: str) -> tuple[int, ExactResult]:
    """The proof of a mechanism's own claim, and how many calls it took."""
    return calls_of(lambda: audited(name, **SMALLER.get(name, {})), most=400_000)


def own_text(name: str) -> str:
    """The certificate of a mechanism's own claim, as written."""
    proof = proved(name)[1].proof
    assert proof is not None
    return str(proof.certificate.text())


def test_all_that_is_certified_is_rechecked() -> None:
    """It must hold that a certificate is written where it can be rechecked, and only there."""
    assert set(RECHECKED) == {*CERTIFIED, *STEPS, "ksw.transformed-laplace-as-printed"}
    assert set(RECHECKED) == {*LAWS, *QUERIES, *WEIGHTED, *COMPOSED}
    assert set(BY_MULTISETS) == set(LAWS)
    proof = audited("sub.threshold-as-printed", claimed=4).proof
    assert proof is not None
    assert proof.certificate is None


@pytest.mark.parametrize(
    "parameters",
    [{"rule": "direct", "side": "above"}, {"points": 2}, {"low": "-1/3", "high": "2", "points": 6}],
    ids=str,
)
@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.SWAP])
def test_thresholds_on_a_grid_are_certified(parameters: dict[str, Any], relation: Relation) -> None:
    """It must hold of either law, records between grid points (ties too), and either relation."""
    mechanism = build_mechanism("sub.threshold-grid", **({"points": 7} | parameters))
    claim = PrivacyClaim(PureDP(2), relation, Source("user", "a test"))
    multisets = Multisets(3, 3, mechanism.low, mechanism.high)
    asked = Question("sub.threshold-grid", mechanism, claim, mechanism.order, False, (), multisets)
    result = audit(asked)
    assert result.proof is not None
    assert f"({relation.value})" in verify(Certificate.read(result.proof.certificate.text()))


@pytest.mark.parametrize(
    "name", by_default([name for name in CERTIFIED if name not in HEAVY], CERTIFIED)
)
def test_what_was_proved_is_accepted_with_less_work(name: str) -> None:
    """It must hold through JSON and back, and rechecking must take fewer calls than proving."""
    proving, result = proved(name)
    assert result.verdict is Verdict.PROVED
    assert result.proof is not None
    text = result.proof.certificate.text()
    checking, said = calls_of(lambda: verify(Certificate.read(text)))
    assert checking < proving
    assert said == json.loads(text)["statement"]


@pytest.mark.parametrize("name", ["ksw.independent-laplace", "ksw.shifted-laplace"])
def test_scales_and_bounds_of_ones_own_are_certified(name: str) -> None:
    """It must hold of scales, negative bounds, and records on one side of 0."""
    for bounds in (("-1", "3"), ("2", "5"), ("-5", "-1"), ("1/2", "1/2")):
        certificate = certificate_of(
            name, epsilon="3/2", low=bounds[0], high=bounds[1], sum_scale="7/2", count_scale=4
        )
        assert verify(certificate) == certificate.statement


@pytest.mark.parametrize(
    "parameters",
    [
        {"epsilon": "3/2", "low": -3, "high": "5/2", "constant": "sharp"},
        {"beta": 3, "moment": "7/2"},
        {"beta": "1/2", "constant": "sharp"},
    ],
    ids=str,
)
def test_clipped_means_are_certified_at_any_margin(parameters: dict[str, Any]) -> None:
    """It must hold of both margins, of moments that are no integers, and without a margin."""
    certificate = certificate_of("tri.clipped-mean", **parameters)
    assert verify(certificate) == certificate.statement
    for wrong in ({"beta": "0"}, {"moment": "1"}, {"constant": "own"}, {"low": "9", "high": "9"}):
        with pytest.raises(CertificateError):
            restated(certificate.mechanism, certificate.parameters | wrong)


Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All values of a document that are no containers, with their places."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        if isinstance(part, dict | list):
            yield from leaves(part, (*path, key))
        else:
            yield (*path, key), part


def changed(document: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A document with another value at one place."""
    copy: Any = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy  # type: ignore[no-any-return]


def resealed(document: dict[str, Any]) -> str:
    """The text of a document whose digest was computed again."""
    certificate = Certificate(**{item.name: document[item.name] for item in fields(Certificate)})
    return certificate.sealed().text()


OTHER_NAMES = st.sampled_from([*MECHANISMS, "ksw", ""])


def other_values(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same kind or another one, different from the given one."""
    near: list[Any] = [None, True, 0, -1, 1.0, "", "0", "1/2", "2", [], {}]
    if isinstance(value, str):
        near += [value + " ", value.upper(), value[:-1], "-" + value, "0" + value]
    if isinstance(value, int):
        near += [value + 1, -value, str(value)]
    anything = st.one_of(
        st.sampled_from(near),
        OTHER_NAMES,
        st.fractions(max_denominator=50).map(str),
        st.integers(-3, 12),
    )
    return anything.filter(lambda new: type(new) is not type(value) or new != value)


@settings(max_examples=40)
@given(st.data())
def test_no_single_change_of_meaning_is_accepted(data: st.DataObject) -> None:
    """It must hold of every value of every certificate, the digest computed again or not."""
    name = data.draw(st.sampled_from(CERTIFIED), "certificate")
    document = json.loads(own_text(name))
    meant = [leaf for leaf in leaves(document) if leaf[0][0] not in INFORMATIONAL]
    path, value = data.draw(st.sampled_from(meant), "place")
    mutant = changed(document, path, data.draw(other_values(value), "value"))
    kept = data.draw(st.booleans(), "digest kept")
    if path == ("schema_version",) or kept or path == ("digest",):
        text = json.dumps(mutant)
    else:
        text = resealed(mutant)
    with pytest.raises(CertificateError):
        verify(Certificate.read(text))


@pytest.mark.parametrize("digest", ["", "0" * 64, "sha256", None])
def test_another_digest_is_not_accepted(digest: str | None) -> None:
    """It must hold that the digest is compared, and that nothing else is wrong with the rest."""
    document = json.loads(own_text("ksw.transformed-laplace"))
    verify(Certificate.read(json.dumps(document)))
    with pytest.raises(CertificateError):
        verify(Certificate.read(json.dumps(changed(document, ("digest",), digest))))


@pytest.mark.parametrize("name", ["ksw.transformed-hourglass", "sub.threshold"])
def test_no_part_may_be_missing_or_added(name: str) -> None:
    """It must hold of every field, entry and row."""
    document = json.loads(own_text(name))
    containers: list[Path] = [(), *{path[:k] for path, _ in leaves(document) for k in range(1, 4)}]
    tried = 0
    for path in containers:
        part = document
        for key in path:
            part = part[key] if isinstance(part, dict | list) else None
        if not isinstance(part, dict | list) or path[:1] == ("information",):
            continue
        copies = [json.loads(json.dumps(document)) for _ in range(2)]
        for copy, less in zip(copies, (True, False), strict=True):
            place = copy
            for key in path:
                place = place[key]
            if isinstance(place, dict):
                keys = [key for key in place if key not in INFORMATIONAL]
                place.pop(keys[0]) if less else place.update(extra="1")
            elif less and place:
                place.pop()
            else:
                place.append("1")
            whole = set(copy) == {item.name for item in fields(Certificate)}
            text = resealed(copy) if whole else json.dumps(copy)
            with pytest.raises(CertificateError):
                verify(Certificate.read(text))
            tried += 1
    assert tried > 10


def test_information_may_change() -> None:
    """It must hold that the fields named as informational, and only they, are free."""
    assert INFORMATIONAL == ("information",)
    document = json.loads(own_text("ksw.swap-laplace"))
    document["information"] = {"seconds": 5, "anything": ["at", "all"]}
    assert verify(Certificate.read(json.dumps(document))) == document["statement"]


@pytest.mark.parametrize(
    "name",
    by_default(
        [name for name in CERTIFIED if name not in (*PERSONAL, *HEAVY)],
        [name for name in CERTIFIED if name not in PERSONAL],
    ),
)
def test_a_claim_beyond_what_is_shown_is_rejected(name: str) -> None:
    """It must hold of an epsilon below the largest loss, with sentence and digest made to fit."""
    document = json.loads(own_text(name))
    loss = Fraction(document["loss"][0])
    smaller = str(loss * Fraction(99, 100))
    sentence = document["statement"].replace(
        f"epsilon = {document['claim']['epsilon']}, delta", f"epsilon = {smaller}, delta"
    )
    assert sentence != document["statement"]
    document["claim"]["epsilon"] = smaller
    document["statement"] = sentence
    with pytest.raises(CertificateError, match=r"largest loss|loses more|whose loss is"):
        verify(Certificate.read(resealed(document)))


@pytest.mark.parametrize(
    "name",
    by_default(["ksw.shifted-laplace"], ["ksw.transformed-hourglass", "ksw.shifted-laplace"]),
)
def test_group_privacy_is_certified(name: str) -> None:
    """It must hold that the swap claim of an add-remove mean is proved with twice the loss."""
    mechanism = build_mechanism(name)
    for epsilon in (2, "19/10"):
        claim = PrivacyClaim(PureDP(epsilon), Relation.SWAP, Source("user", "a test"))
        result = audit(Question(name, mechanism, claim, mechanism.order, floating_point=True))
        assert (result.verdict is Verdict.PROVED) == (epsilon == 2)
        if result.proof is not None:
            assert "(swap)" in verify(result.proof.certificate)


def test_a_printed_mechanism_has_no_certificate_of_its_claim() -> None:
    """It must hold that the false claim of KSW-ER1 is refuted, and the true loss certified."""
    name = "ksw.transformed-laplace-as-printed"
    assert audited(name).verdict is Verdict.REFUTED
    proved = audited(name, claimed=2)
    assert proved.verdict is Verdict.PROVED
    assert proved.proof is not None
    assert "epsilon = 2" in verify(proved.proof.certificate)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "JSON object"),
        ("{}", "schema_version"),
        ('{"schema_version": 2}', "schema_version must be 1"),
        ('{"schema_version": 1, "schema_version": 1}', "a name twice"),
        ('{"schema_version": 1, "mechanism": "x"}', "missing or unknown"),
    ],
)
def test_what_is_no_certificate_is_rejected(text: str, message: str) -> None:
    """It must hold with a message that says why."""
    with pytest.raises(CertificateError, match=message):
        Certificate.read(text)


@pytest.mark.parametrize("grid", [None, 1, 2, 3, 5, 8, 1024])
def test_rises_of_levels_are_those_of_the_check(grid: int | None) -> None:
    """It must hold on the finest and on the coarsest grid, where no record rises two levels."""
    parameters: dict[str, Any] = {"epsilon": "2", "low": "0", "high": "1"}
    name, more = "ksw.transformed-hourglass", {"noise": "hourglass"} if grid is None else {}
    if grid is not None:
        name, more = "ksw.release-mean", {"grid": grid}
    _, evidence, _ = evidence_of(restated(name, parameters | more))
    rows = list(_rises(Fraction(2), grid))
    assert evidence == {"level, rise and losses": rows}
    assert max(int(row[1]) for row in rows) == (1 if grid == 1 else 2)


@given(st.lists(st.fractions(0, 8, max_denominator=12), min_size=1, max_size=7))
def test_losses_of_users_are_those_of_the_query(budgets: list[Fraction]) -> None:
    """It must hold of saturated budgets, which the check finds in another way."""
    mechanism = build_mechanism("pdp.adpm", budgets=budgets, low="-1/3", high=2)
    query = mechanism.weighted_query()
    given = {"budgets": list(map(str, budgets)), "low": "-1/3", "high": "2"}
    assert losses_of("pdp.adpm", given) == [loss_of(query, user) for user in range(len(budgets))]


def test_a_claim_that_a_user_breaks_is_rejected() -> None:
    """It must hold that the budgets of the claim, not of the mechanism, are what is checked."""
    good = certificate_of("pdp.adpm", budgets=("1/10", 1, 1))
    claim = good.claim | {"budgets": ["1/10", "1", "9/10"]}
    said = sentence(good.mechanism, good.parameters, claim, good.covers["pairs"])
    with pytest.raises(CertificateError, match="epsilon = 9/10 for user 3, whose loss is 1"):
        verify(replace(good, claim=claim, statement=said).sealed())


def test_a_proof_for_many_users_has_no_certificate() -> None:
    """It must hold that what takes too long to recheck is proved, and says that it was not."""
    budgets = (Fraction(1, 2),) * (MOST_USERS + 1)
    proof = rechecked(audited("pdp.adpm", budgets=budgets)).proof
    assert proof is not None
    assert proof.certificate is None
