"""Recheck a certificate: everything that it states is derived again and compared.

What is checked: the digest, the sentence, the mechanism and its parameters (stated again in
`queries`, `multisets`, `weights` and `compositions`), the evidence (derived again), the lemmas, the
largest loss, and that the claim allows it. Of any other mechanism a certificate holds the laws
(`multisets`). Of an account it holds the steps, which are added up again (`accounts`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn

from audit.certificate.accounts import (
    ACCOUNT,
    AS_STATED,
    CLOSE,
    LEMMAS_OF_ACCOUNTS,
    account_sentence,
    lost_together,
)
from audit.certificate.certificate_form import TABLE, Certificate, TooLarge, number, sentence
from audit.certificate.compositions import COMPOSED, composed
from audit.certificate.rechecked_multisets import (
    LAWS,
    check_work,
    evidence_of_multisets,
    evidence_of_tables,
)
from audit.certificate.restated_queries import QUERIES, evidence_of, restated
from audit.certificate.restated_weights import LEMMA, WEIGHTED, losses_of, numbers
from mechanisms.errors import CertificateError

ALL_NEIGHBORS = "all neighbors of all data sets"
MOST_RECORDS, MOST_POINTS = 8, 12
"""More would take long to go through again."""

GROUP_PRIVACY = "group privacy"
"""A record replaced is one removed and one added (Dwork and Roth 2014, Theorem 2.2)."""

POST_PROCESSING = "post-processing"
"""No function of a private output loses more (Dwork and Roth 2014, Proposition 2.1)."""


def verify(certificate: Certificate) -> str:
    """Recheck a certificate.

    Parameters
    ----------
    certificate : Certificate
        As read.

    Returns
    -------
    str
        What is proved.

    Raises
    ------
    CertificateError
        If it does not prove what it states, or states it wrongly.
    TooLarge
        If that would take too long to say.
    """
    if certificate.digest != certificate.expected_digest():
        _reject("the digest is not that of the other fields")
    if certificate.mechanism == ACCOUNT:
        return _verify_account(certificate, _claim(certificate.claim))
    if certificate.mechanism in WEIGHTED:
        pairs = _verify_weighted(certificate)
    elif certificate.mechanism in COMPOSED:
        pairs = _verify_composed(certificate)
    elif certificate.mechanism in LAWS:
        pairs = _verify_multisets(certificate, _claim(certificate.claim))
    elif certificate.parameters == TABLE and certificate.mechanism not in QUERIES:
        pairs = _verify_tables(certificate, _claim(certificate.claim))
    else:
        pairs = _verify_query(certificate, _claim(certificate.claim))
    _same("pairs", certificate.covers["pairs"], pairs)
    said = sentence(certificate.mechanism, certificate.parameters, certificate.claim, pairs)
    _same("statement", certificate.statement, said)
    return said


def _verify_account(certificate: Certificate, epsilon: Fraction) -> str:
    """Recheck the total of an account; return what is proved."""
    claim, steps = certificate.claim, certificate.parameters.get("steps")
    _same("covers", certificate.covers, {"pairs": AS_STATED})
    _same("lemmas", certificate.lemmas, LEMMAS_OF_ACCOUNTS)
    _same("loss and evidence", [certificate.loss, certificate.evidence], [[], {}])
    if set(certificate.parameters) != {"steps"}:
        _reject("parameters of an account are its steps")
    if claim["relation"] not in ("add-remove", "swap", "listed"):
        _reject(f"no account is of the relation {claim['relation']!r}")
    delta = number(claim["delta"], "delta")
    found = lost_together(steps, claim["relation"], epsilon, delta)
    if found.delta > delta:
        if not found.is_whole:
            msg = (
                "the recheck takes Laplace noise as the claim that it keeps, with which more than "
                "the claimed delta may be lost"
            )
            raise TooLarge(msg)
        if found.delta <= delta * (1 + CLOSE):
            msg = "the claim is nearer to the total than this check is"
            raise TooLarge(msg)
        _reject(f"the claim is delta = {delta}, and what is lost up to {float(found.delta):.6g}")
    said = account_sentence(certificate.parameters, claim)
    _same("statement", certificate.statement, said)
    return said


def _verify_query(certificate: Certificate, claim: Fraction) -> str:
    """Recheck a mean with a noisy query; return which pairs it covers."""
    if set(certificate.covers) != {"pairs"}:
        _reject(f"covers must have pairs alone, got {certificate.covers!r}")
    query = restated(certificate.mechanism, certificate.parameters)
    lemma, evidence, loss = evidence_of(query)
    lemmas = [lemma, POST_PROCESSING]
    if (query.relation, certificate.claim["relation"]) == ("add-remove", "swap"):
        lemmas, loss = [lemma, GROUP_PRIVACY, POST_PROCESSING], 2 * loss
    else:
        _same("relation", certificate.claim["relation"], query.relation)
    _same("lemmas", certificate.lemmas, lemmas)
    _same("evidence", certificate.evidence, evidence)
    _same("loss", certificate.loss, [str(loss), str(loss)])
    if loss > claim:
        _reject(f"the claim is epsilon = {claim}, the largest loss {loss}")
    return ALL_NEIGHBORS


def _verify_weighted(certificate: Certificate) -> str:
    """Recheck a weighted sum, of a claim for all users or of one for each."""
    if set(certificate.covers) != {"pairs"}:
        _reject(f"covers must have pairs alone, got {certificate.covers!r}")
    losses = losses_of(certificate.mechanism, certificate.parameters)
    claimed = _claimed(certificate.claim, len(losses))
    _same("relation", certificate.claim["relation"], "swap")
    _same("lemmas", certificate.lemmas, [LEMMA, POST_PROCESSING])
    _same("evidence", certificate.evidence, {"loss of a user": list(map(str, losses))})
    _same("loss", certificate.loss, [str(max(losses))] * 2)
    for user, (loss, budget) in enumerate(zip(losses, claimed, strict=True), start=1):
        if loss > budget:
            _reject(f"the claim is epsilon = {budget} for user {user}, whose loss is {loss}")
    return ALL_NEIGHBORS


def _verify_composed(certificate: Certificate) -> str:
    """Recheck a composition of private steps, of a claim for all records or of one for each."""
    if set(certificate.covers) != {"pairs"}:
        _reject(f"covers must have pairs alone, got {certificate.covers!r}")
    stated = composed(certificate.mechanism, certificate.parameters)
    _same("relation", certificate.claim["relation"], stated.relation)
    _same("lemmas", certificate.lemmas, [*stated.lemmas, POST_PROCESSING])
    losses = stated.losses
    if stated.at is not None:
        level = number(certificate.loss[0] if certificate.loss else None, "loss")
        losses = ((level, stated.at(level)),)
    if stated.alike and "budgets" in certificate.claim:
        losses = losses * len(numbers(certificate.claim["budgets"], "budgets"))
    claimed = _claimed(certificate.claim, len(losses))
    delta = number(certificate.claim.get("delta", "0"), "delta")
    evidence = [list(map(str, loss)) for loss in losses]
    if (
        stated.relation == "add-remove" and not stated.alike
    ):  # users bring the budgets of which losses are stated
        _same("budgets", certificate.claim.get("budgets"), certificate.parameters["budgets"])
    _same("evidence", certificate.evidence, {"epsilon and delta of a user": evidence})
    _same("loss", certificate.loss, [str(max(loss for loss, _ in losses))] * 2)
    for user, (loss, budget) in enumerate(zip(losses, claimed, strict=True), start=1):
        if loss[0] > budget or loss[1] > delta:
            _reject(f"the claim is ({budget}, {delta}) for user {user}, whose loss is {loss}")
    return ALL_NEIGHBORS


def _claimed(claim: Mapping[str, object], users: int) -> list[Fraction]:
    """Epsilon of every user, one for all or one for each."""
    if "budgets" not in claim:
        return [_claim(claim)] * users
    if set(claim) != {"budgets", "relation"}:
        _reject(f"a claim has budgets and relation, got {claim!r}")
    claimed = numbers(claim["budgets"], "budgets")
    if len(claimed) != users:
        _reject(f"there are {users} users and {len(claimed)} budgets")
    return claimed


def _verify_multisets(certificate: Certificate, claim: Fraction) -> str:
    """Recheck a law on all multisets of a grid; return which pairs it covers."""
    size, points = _multisets(certificate)
    law = LAWS[certificate.mechanism](certificate.parameters)
    relation = _relation(certificate.claim)
    check_work(law, size, len(points), relation, claim)
    evidence, loss = evidence_of_multisets(law, size, points, relation, claim)
    _same("evidence", certificate.evidence, evidence)
    _same("loss", certificate.loss, loss)
    return _in_words(size, points)


def _verify_tables(certificate: Certificate, claim: Fraction) -> str:
    """Recheck the laws that a certificate holds; return which pairs it covers."""
    size, points = _multisets(certificate)
    delta = number(certificate.claim["delta"], "delta")
    relation = _relation(certificate.claim)
    laws = certificate.evidence.get("laws")
    evidence, loss = evidence_of_tables(laws, size, points, relation, claim, delta)
    _same("evidence", certificate.evidence, evidence)
    _same("loss", certificate.loss, loss)
    return _in_words(size, points)


def _relation(claim: Mapping[str, object]) -> str:
    relation = claim.get("relation")
    if not isinstance(relation, str):
        _reject(f"a claim names its relation, got {relation!r}")
    return relation


def _in_words(size: int, points: list[Fraction]) -> str:
    return f"multisets of at most {size} records among {', '.join(map(str, points))}"


def _multisets(certificate: Certificate) -> tuple[int, list[Fraction]]:
    """Number of records and points of the multisets that a certificate covers."""
    covers = certificate.covers
    if set(covers) != {"pairs", "size", "points"}:
        _reject(f"covers must have pairs, size and points, got {covers!r}")
    size, texts = covers["size"], covers["points"]
    if type(size) is not int or type(texts) is not list or size < 1:
        _reject("size must be a positive number, and points a list")
    if size > MOST_RECORDS or len(texts) > MOST_POINTS:
        msg = f"more than {MOST_RECORDS} records, or {MOST_POINTS} points, are not gone through"
        raise TooLarge(msg)
    points = [number(text, "points") for text in texts]
    if len(points) < 2 or points != sorted(set(points)):
        _reject(f"points must be at least 2 ascending numbers, got {texts!r}")
    _same("lemmas", certificate.lemmas, [])
    return size, points


def _claim(claim: Mapping[str, object]) -> Fraction:
    """Epsilon of a claim; a delta of at least 0 is given away."""
    if set(claim) != {"epsilon", "delta", "relation"}:
        _reject(f"a claim has epsilon, delta and relation, got {claim!r}")
    epsilon, delta = (number(claim[name], name) for name in ("epsilon", "delta"))
    if not isinstance(claim["relation"], str):
        _reject(f"a relation is a word, got {claim['relation']!r}")
    if not (epsilon >= 0 and 0 <= delta < 1):
        _reject(f"epsilon must be at least 0 and delta in [0, 1), got {claim!r}")
    return epsilon


def _same(name: str, found: Any, expected: Any) -> None:
    # as JSON: 1, 1.0 and true are equal for Python
    if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
        _reject(f"{name} must be {expected!r}, got {found!r}")


def _reject(reason: str) -> NoReturn:
    raise CertificateError(reason)
