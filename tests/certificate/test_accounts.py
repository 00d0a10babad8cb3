"""Certificates of composed totals: both sides of what is known, and every change of meaning."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import audit
from audit.accounting.certification import Uncertified, certified
from audit.accounting.exact_steps import exact_step
from audit.accounting.release_plan import EVENTS, AccountClaim, read_steps
from audit.certificate.account_steps import ACCOUNT_STEPS
from audit.certificate.accounts import AS_STATED, account_sentence, lost_together
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate, TooLarge
from audit.certificate.fixed_point import FixedPoint, Pair
from audit.exact.recheck import Disagreement
from mechanisms.claims import Relation
from mechanisms.errors import CertificateError
from proofs_check.enclosure import Balls, endpoints
from proofs_check.ends import Enclosed
from tests.certificate.test_hostile import document

DELTA = Fraction("1e-5")
Words = dict[str, Any]


def gaussian(sigma: str, count: int) -> Words:
    """Releases with normal noise."""
    return {"event": "gaussian", "count": count, "sigma": sigma, "sensitivity": "1"}


def response(categories: int, count: int) -> Words:
    """Answers that are true with probability 1/2, else any."""
    words = {"keep": "1/2", "categories": categories}
    return {"event": "randomized-response", "count": count, **words}


def noise(event: str, key: str, parameter: str, count: int) -> Words:
    """Releases with other noise."""
    return {"event": event, "count": count, key: parameter, "sensitivity": "1"}


APPROX: Words = {"event": "approx-dp", "epsilon": "1/10", "delta": "1/100000000", "count": 100}
KNOWN: dict[str, tuple[list[Words], str, str]] = {
    "gaussian": ([gaussian("5", 1)], "add-remove", "0.725521750857792"),
    "gaussian, swap": ([gaussian("5", 1)], "swap", "1.55498169153220"),
    "100 of gaussian": ([gaussian("5", 100)], "swap", "24.3816108831137"),
    "100 of gaussian, sigma 1": ([gaussian("1", 100)], "add-remove", "91.8172896246637"),
    "response": ([response(2, 1)], "swap", "1.0985989552459"),
    "100 of response": ([response(2, 100)], "swap", "90.781538508301"),
    "10 of 10 categories": ([response(10, 10)], "swap", "23.974996950920"),
    "geometric": ([noise("geometric", "t", "10", 1)], "add-remove", "0.0999809514444"),
    "100 of geometric": ([noise("geometric", "t", "10", 100)], "add-remove", "4.306791372517"),
    "approximate claims": ([APPROX], "listed", "4.329636714017"),
    "discrete gaussian": (
        [noise("discrete-gaussian", "sigma_squared", "4", 10)],
        *("add-remove", "7.4952536578853"),
    ),
}
"""Steps, relation and total epsilon at delta 1e-5, all digits certain: Balle and Wang's formula,
sums of binomials, and exact convolutions in balls, by programs that are not in this repository."""


@pytest.mark.parametrize("name", KNOWN)
def test_known_totals_are_met_from_both_sides(name: str) -> None:
    """It must hold that a little more is accepted, and a little less is not, at ten digits."""
    steps, relation, text = KNOWN[name]
    for sign in (-1, 1):
        epsilon = Fraction(text) * (1 + sign * Fraction(1, 10**10))
        found = lost_together(steps, relation, epsilon, DELTA)
        assert found.is_whole
        assert (found.delta <= DELTA) is (sign > 0)


NUMBERS, WIDE = FixedPoint(200), Balls(400)
POINTS = [Fraction(n, 7) for n in (-60, -35, -8, -1, 0, 1, 3, 20, 41, 60)]
FUNCTIONS: dict[str, tuple[Callable[[Pair], Pair], Callable[[Any], Any]]] = {
    "exp": (NUMBERS.exponential, WIDE.exp),
    "normal tail": (
        NUMBERS.normal_tail,
        lambda x: WIDE.erfc(x / WIDE.sqrt(WIDE.rational(Fraction(2)))) / 2,
    ),
    "root of the square": (lambda x: NUMBERS.root(NUMBERS.times(x, x)), abs),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_fixed_points_contain_what_flint_does(name: str) -> None:
    """It must hold of every function, and that ends are near: to 35 digits behind the point."""
    own, other = FUNCTIONS[name]
    for x in POINTS:
        lower, upper = (Fraction(end, 1 << 200) for end in own(NUMBERS.pair(x)))
        least, most = endpoints(other(WIDE.rational(x)))
        assert lower <= most
        assert upper >= least
        assert upper - lower < Fraction(1, 10**35)


def test_logarithms_and_pi_contain_what_flint_does() -> None:
    """It must hold of numbers far above and below 1, and not of ends that are exchanged."""
    for value in (Fraction(3), Fraction(1, 7), Fraction(10**30 + 1, 3), Fraction(1), Fraction(2)):
        lower, upper = (Fraction(end, 1 << 200) for end in NUMBERS.logarithm(value))
        least, most = endpoints(WIDE.log(WIDE.rational(value)))
        assert lower <= least <= most <= upper
        assert upper - lower < Fraction(1, 10**50)
    lower, upper = (Fraction(end, 1 << 200) for end in NUMBERS.pi())
    assert lower <= endpoints(WIDE.pi())[0] < endpoints(WIDE.pi())[1] <= upper
    assert upper - lower < Fraction(1, 10**50)


LISTED: Words = {"event": "law", "count": 3, "p": ["1/2", "3/8", "1/8"], "q": ["1/4", "3/4", "0"]}


def listed_excess(words: Words, level: int) -> Fraction:
    """The excess of a listed law at e^epsilon = level, by all of its outcomes."""
    found = []
    for first, second in (("p", "q"), ("q", "p")):
        sides = [[Fraction(one) for one in words[side]] for side in (first, second)]
        products = itertools.product(zip(*sides, strict=True), repeat=words["count"])
        rows = [[math.prod(side) for side in zip(*row, strict=True)] for row in products]
        found.append(sum((max(p - level * q, Fraction(0)) for p, q in rows), Fraction(0)))
    return max(found)


@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_listed_laws_are_summed_over_all_outcomes(level: int) -> None:
    """It must hold to 30 digits, of both directions and of what only one law has."""
    exact = listed_excess(LISTED, level)
    log = endpoints(WIDE.log(WIDE.rational(Fraction(level))))
    for epsilon, is_above in ((log[0], True), (log[1], False)):
        short = Fraction(math.floor(epsilon * 2**150) + (not is_above), 2**150)
        try:
            found = lost_together([LISTED], "listed", short, DELTA).delta
        except TooLarge:  # the epsilon is a loss, to all digits
            assert level == 2
            continue
        assert abs(found - exact) < Fraction(1, 10**30)


def test_the_rows_of_a_law_add_up() -> None:
    """It must hold that outcomes of one ratio are one outcome, in both directions."""
    whole = {"event": "law", "count": 5, "p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}
    apart = whole | {"p": ["1/2", "1/4", "1/4"], "q": ["1/6", "1/12", "3/4"]}
    one, other = (
        lost_together([words], "listed", Fraction(2), DELTA).delta for words in (whole, apart)
    )
    assert abs(one - other) < Fraction(1, 10**30)
    assert one > Fraction(1, 10)


def test_exponentials_of_few_places_are_rounded_outward(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold where rounding is large: of 8 binary places and no spare ones, up to e^13."""
    monkeypatch.setattr("audit.certificate.fixed_point.SPARE", 0)
    few = FixedPoint(8)
    for n in range(-40, 3500, 7):
        lower, upper = (Fraction(end, 256) for end in few.exponential((n, n)))
        least, most = endpoints(WIDE.exp(WIDE.rational(Fraction(n, 256))))
        assert lower <= least
        assert upper >= most


EXAMPLES: dict[str, tuple[list[Words], str]] = {
    "gaussian": ([gaussian("5", 10), gaussian("7/2", 3)], "swap"),
    "laplace": ([noise("laplace", "scale", "10", 20)], "add-remove"),
    "geometric": ([noise("geometric", "t", "5", 7) | {"swap_sensitivity": "1"}], "swap"),
    "discrete-gaussian": ([noise("discrete-gaussian", "sigma_squared", "9/4", 3)], "swap"),
    "randomized-response": ([response(2, 4), response(2, 5)], "swap"),
    "pure-dp": ([{"event": "pure-dp", "count": 12, "epsilon": "1/10"}], "listed"),
    "approx-dp": ([APPROX, APPROX | {"epsilon": "3/10", "count": 2}], "add-remove"),
    "gdp": ([{"event": "gdp", "count": 9, "mu": "1/4"}, gaussian("2", 1)], "swap"),
    "law": ([LISTED], "listed"),
    "two kinds": ([gaussian("5", 10), response(2, 2)], "swap"),
    "nothing": ([], "swap"),
}


def delta_of(name: str) -> str:
    """At which the total of an example is asked for: above what is lost altogether."""
    return "0.5" if name == "law" else "1e-5"


def certificate_of(name: str) -> Certificate:
    """The certificate of an example, as the account makes it, of a claim or of the upper end."""
    steps, relation = EXAMPLES[name]
    plan = {"relation": relation, "delta": delta_of(name), "step": steps}
    # Laplace noise is taken as the claim that it keeps, which is not all that is known of it
    certificate = audit.account(plan, claim="2" if name == "laplace" else None).certificate
    assert certificate is not None
    return certificate


def test_every_event_has_an_example() -> None:
    """It must hold of all that certificates speak of; the others are sampled."""
    used = {step["event"] for steps, _ in EXAMPLES.values() for step in steps}
    assert used == set(ACCOUNT_STEPS)
    assert {name for name in EVENTS if not name.startswith("poisson-")} == used


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_certificate_is_accepted_as_written(name: str) -> None:
    """It must hold, and that it says the steps and the total that was found."""
    certificate = certificate_of(name)
    read = Certificate.read(certificate.text())
    assert verify(read) == certificate.statement
    assert AS_STATED in certificate.statement
    steps, relation = EXAMPLES[name]
    assert certificate.parameters["steps"] == [
        exact_step(step) for step in read_steps(steps, Relation(relation))
    ]


def resealed(certificate: Certificate, **fields: Any) -> Certificate:
    """The same with other fields, and with the sentence and the digest that belong to them."""
    changed = replace(certificate, **fields)
    said = account_sentence(changed.parameters, changed.claim)
    return replace(changed, statement=said).sealed()


def worse(step: Words) -> Words:
    """A step that loses more by a hundredth, or once more."""
    for key in ("sigma", "scale", "t", "sigma_squared"):
        if key in step:
            return step | {key: str(Fraction(step[key]) * Fraction(99, 100))}
    for key in ("epsilon", "mu", "keep"):
        if key in step:
            return step | {key: str(Fraction(step[key]) * Fraction(101, 100))}
    return step | {"count": step["count"] + 1}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ("laplace", "nothing")])
def test_a_change_that_matters_is_rejected(name: str) -> None:
    """It must hold of sealed ones: a step that loses more, one more, less delta or epsilon."""
    certificate = certificate_of(name)
    (first, *rest), claim = certificate.parameters["steps"], certificate.claim
    changes: list[dict[str, Any]] = [
        {"parameters": {"steps": [worse(first), *rest]}},
        {"parameters": {"steps": [first, *rest, first]}},
        {"parameters": {"steps": [first | {"count": first["count"] + 1}, *rest]}},
        {"claim": claim | {"epsilon": str(Fraction(claim["epsilon"]) * Fraction(999, 1000))}},
    ]
    if name != "law":  # of which delta does not fall with epsilon, up to its last loss
        changes.append({"claim": claim | {"delta": "1/110000"}})
    reasons = []
    for change in changes:
        with pytest.raises(CertificateError, match=r"lost up to|not gone through") as caught:
            verify(resealed(certificate, **change))
        reasons.append("lost up to" in str(caught.value))
    assert sum(reasons) >= len(reasons) - 1
    with pytest.raises(CertificateError, match="digest"):
        verify(replace(certificate, **changes[0]))


def test_the_rest_of_a_certificate_is_as_it_must_be() -> None:
    """It must hold of fields that have one value, of unknown words, and of numbers."""
    certificate = certificate_of("gaussian")
    (first, *rest), claim = certificate.parameters["steps"], certificate.claim
    changes: list[dict[str, Any]] = [
        {"covers": {"pairs": "all neighbors of all data sets"}},
        {"lemmas": ["ENG-K1"]},
        {"loss": ["1", "1"]},
        {"evidence": {"delta": "0"}},
        {"parameters": {"steps": [first | {"more": "1"}, *rest]}},
        {"parameters": {"steps": [first | {"count": True}, *rest]}},
        {"parameters": {"steps": [first | {"count": -1}, *rest]}},
        {"parameters": {"steps": [first | {"sigma": "5.0"}, *rest]}},
        {"parameters": {"steps": [first | {"sigma": "-5"}, *rest]}},
        {"parameters": {"steps": [first | {"event": "poisson-gaussian"}, *rest]}},
        {"parameters": {"steps": [first, *rest], "delta": "0"}},
        {"claim": claim | {"relation": "listed"}},
        {"claim": claim | {"delta": "1"}},
    ]
    for change in changes:
        with pytest.raises(CertificateError):
            verify(resealed(certificate, **change))
    with pytest.raises(CertificateError, match="statement"):
        verify(replace(certificate, statement="nothing is lost").sealed())


def test_a_delta_of_zero_is_the_sum_of_the_largest_losses() -> None:
    """It must hold of claims and of answers, and that normal noise has no such sum."""
    pure = [{"event": "pure-dp", "count": 3, "epsilon": "1/10"}, noise("laplace", "scale", "2", 1)]
    zero = Fraction(0)
    assert lost_together(pure, "add-remove", Fraction(8, 10), zero).delta == 0
    assert lost_together(pure, "add-remove", Fraction(799, 1000), zero).delta == 1
    three = [response(2, 2)]
    assert lost_together(three, "swap", Fraction("2.19722457734"), zero).delta == 0
    assert lost_together(three, "swap", Fraction("2.19722457733"), zero).delta == 1
    assert lost_together([gaussian("5", 1)], "swap", Fraction(100), zero).delta == 1
    assert lost_together([APPROX], "swap", Fraction(100), zero).delta == 1


UNCERTIFIED: dict[str, tuple[list[Words], str, str]] = {
    "a sampled step": (
        [noise("poisson-gaussian", "sigma", "1", 1) | {"q": "1/10"}],
        *("add-remove", "sampled steps"),
    ),
    "losses without a common unit": (
        [response(2, 2), {"event": "pure-dp", "count": 1, "epsilon": "1/10"}],
        *("swap", "without a common unit"),
    ),
    "many losses": (
        [{"event": "pure-dp", "count": 10**5, "epsilon": "1/10000"}],
        *("swap", "a product of 100001 losses"),
    ),
    "many beside normal ones": (
        [gaussian("5", 1), response(2, 20)],
        *("swap", "beside more than 16 losses"),
    ),
}


@pytest.mark.parametrize("name", UNCERTIFIED)
def test_what_is_not_gone_through_has_no_certificate(name: str) -> None:
    """It must hold whatever is claimed, without an error; and it is said why."""
    steps, relation, words = UNCERTIFIED[name]
    read, claim = (
        read_steps(steps, Relation(relation)),
        AccountClaim(Relation(relation), DELTA, None),
    )
    found = certified(read, claim, Enclosed(Fraction(1), Fraction(10**4)), "test")
    assert isinstance(found, Uncertified)
    assert words in found.why


def test_a_claim_that_the_recheck_finds_false_is_a_fault_of_ours() -> None:
    """It must hold of a total that is too small by a thousandth, and not of Laplace noise."""
    read = read_steps([gaussian("5", 1)], Relation.SWAP)
    for text, is_false in (("1.5550", False), ("1.5534", True)):
        claim = AccountClaim(Relation.SWAP, DELTA, Fraction(text))
        if is_false:
            with pytest.raises(Disagreement, match="recheck disagree"):
                certified(read, claim, Enclosed(Fraction(1), Fraction(2)), "test")
        else:
            found = certified(read, claim, Enclosed(Fraction(1), Fraction(2)), "test")
            assert isinstance(found, Certificate)
    laplace = read_steps([noise("laplace", "scale", "10", 100)], Relation.ADD_REMOVE)
    claim = AccountClaim(Relation.ADD_REMOVE, DELTA, Fraction("4.23"))  # 4.2203 is lost
    found = certified(laplace, claim, Enclosed(Fraction(4), Fraction(5)), "test")
    assert isinstance(found, Uncertified)
    assert "takes Laplace noise as the claim" in found.why


HOSTILE: dict[str, Words] = {
    "noise that is hardly any": gaussian("1/1" + "0" * 300, 10**9),
    "noise that is endless": noise("discrete-gaussian", "sigma_squared", "1" + "0" * 300, 1),
    "a shift that is endless": noise("geometric", "t", "1", 1) | {"sensitivity": "1" + "0" * 300},
    "an epsilon that is endless": {"event": "pure-dp", "count": 1, "epsilon": "1" + "0" * 300},
    "an epsilon that is nothing": {"event": "pure-dp", "count": 1, "epsilon": "1/1" + "0" * 300},
    "so many answers": response(10**9, 10**9),
    "a law of one ratio": {
        "event": "law",
        "count": 10**9,
        "p": ["1/1" + "0" * 390, "9" * 390 + "/1" + "0" * 390],
        "q": ["1/2", "1/2"],
    },
    "no words": {},
    "an event that is a list": {"event": [], "count": 1},
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("epsilon", ["0", "1", "9" * 390])
def test_a_hostile_account_ends_at_once(name: str, epsilon: str) -> None:
    """It must hold that it is accepted or rejected, and goes through few digits."""
    relation = "listed" if name.startswith("a law") else "swap"
    claim = {"relation": relation, "epsilon": epsilon, "delta": "1/100000"}
    made = Certificate.read(
        Certificate(**document("account", {"steps": [HOSTILE[name]]}, claim=claim)).text()
    )
    fields = {"covers": {"pairs": AS_STATED}, "lemmas": ["ENG-K1", "ENG-K3"]}
    more = {"loss": [], "evidence": {}}
    with pytest.raises(CertificateError):
        # a sentence of another mechanism: what is accepted fails at the sentence
        verify(replace(made, **fields, **more).sealed())


@pytest.mark.parametrize("epsilon", ["70", "1000", "40"])
def test_what_is_next_to_nothing_is_told(epsilon: str) -> None:
    """It must hold of normal noise far below its claim, and not of one that is nearer to it."""
    steps, claim = [gaussian("10", 1)], Fraction(epsilon)
    found = lost_together(steps, "swap", claim, DELTA)
    assert 0 < found.delta < Fraction(1, 10**20)
    with pytest.raises(TooLarge, match="exponentials"):
        lost_together([gaussian("1/50", 1)], "swap", claim, DELTA)


def test_a_list_of_laws_is_bounded() -> None:
    """It must hold: more than a hundred steps, and steps that are no list, are rejected."""
    for steps in ([gaussian("5", 1)] * 101, "steps", {"event": "gaussian"}):
        with pytest.raises(CertificateError, match="steps must be a list"):
            lost_together(steps, "swap", Fraction(1), DELTA)
