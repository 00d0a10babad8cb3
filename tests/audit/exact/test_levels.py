"""Claims of every level on stated laws: proved up to the true value, refuted just below it.

True values come from closed forms and sums in mpmath, which share nothing with the auditors. Each
witness is evaluated anew: its probabilities by the cdf of the law, its divergence by the formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from mpmath import mp

from audit.exact.comparison import lattice_comparison
from audit.exact.comparison.cells import OfCells
from audit.exact.comparison.gaussians import OfGaussians, gaussian_delta
from audit.exact.comparison.lattice_comparison import OfAtoms, OfLatticeGaussians, beyond, theta
from audit.exact.exact_audit import audit
from audit.exact.levels import Broken, Kept, Open, decide
from audit.exact.question import Question
from audit.exact.stated_laws import compared
from audit.results.exact_result import DivergenceWitness, ExactResult, ExactWitness
from audit.results.verdict import Verdict
from audit.targets.noisy_number import noisy_number
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.laws import LatticeAtoms, Moved, integers
from mechanisms.noise.discrete_gaussian import DiscreteGaussian, DiscreteGaussianLaw
from mechanisms.noise.gaussian import Gaussian
from mechanisms.noise.geometric import GeometricLaw
from mechanisms.noise.laplace import Laplace, LaplaceLaw
from mechanisms.noisy_query import NoisyQuery, PublicFact
from proofs_check.enclosure import endpoints
from tests.slow import all_but

F = Fraction
ONE = F(1)


def run(mechanism: Any, level: Level, relation: Relation = Relation.LISTED) -> ExactResult:
    """Audit a mechanism on its own pairs."""
    claim = PrivacyClaim(level, relation, Source("user", "a test"))
    pairs = getattr(mechanism, "pairs", ())
    return audit(Question("m", mechanism, claim, Order.FIXED, floating_point=True, pairs=pairs))


def laplace_renyi(order: Fraction) -> Any:
    """Divergence of Laplace noise of rate 1 moved by 1 (Mironov 2017, Corollary 2)."""
    a = mp.mpf(order.numerator) / order.denominator
    return mp.log(a / (2 * a - 1) * mp.exp(a - 1) + (a - 1) / (2 * a - 1) * mp.exp(-a)) / (a - 1)


def laplace_rho() -> float:
    """Largest divergence of an order over the order: its limit at order 1, the mean of the loss.

    The loss is 1 with probability 1/2, -1 with probability e^-1 / 2, and 1 - 2 z between.
    """
    true = math.exp(-1)
    orders = (F(n, 1000) for n in (1001, 1010, 1100, 2000, 10000))
    assert all(float(laplace_renyi(order)) / order < true for order in orders)
    return true


def gaussian_delta_twin(mu: float, epsilon: float) -> float:
    """Closed form of the Gaussian profile."""
    near, far = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
    return float(mp.ncdf(near) - mp.exp(epsilon) * mp.ncdf(far))


def lattice_sum(sigma: float, moved: int, keep: Callable[[int], bool]) -> Any:
    """P(K + moved in a set) of the discrete Gaussian law."""
    weights = {
        k: mp.exp(-(mp.mpf(k - moved) ** 2) / (2 * mp.mpf(sigma) ** 2)) for k in range(-80, 81)
    }
    return mp.fsum(w for k, w in weights.items() if keep(k)) / mp.fsum(weights.values())


def lattice_delta(sigma: float, epsilon: float) -> float:
    """Profile of the discrete Gaussian law moved by 1."""
    p, q = ({k: lattice_sum(sigma, m, k.__eq__) for k in range(-30, 31)} for m in (0, 1))
    return float(mp.fsum(max(mp.mpf(0), p[k] - mp.exp(epsilon) * q[k]) for k in p))


EDGES: dict[str, tuple[str, dict[str, Any], Callable[[float], Level], Callable[[], float]]] = {
    "laplace, pure": ("laplace", {}, lambda x: PureDP(x), lambda: 1.0),
    "laplace, approximate": (
        "laplace",
        {},
        lambda x: ApproxDP("1/2", x),
        lambda: 1 - math.exp(-0.25),  # of 1 - e^((epsilon - 1) / 2)
    ),
    "laplace, Renyi": (
        "laplace",
        {},
        lambda x: RenyiDP("5/2", x),
        lambda: float(laplace_renyi(F(5, 2))),
    ),
    "laplace, zero-concentrated": ("laplace", {}, lambda x: ZeroConcentratedDP(x), laplace_rho),
    "geometric, approximate": (
        "geometric",
        {},
        lambda x: ApproxDP("1/2", x),
        lambda: math.e / (math.e + 1) - math.exp(0.5) / (math.e + 1),
    ),
    "gaussian, approximate": (
        "gaussian",
        {"sigma": 2},
        lambda x: ApproxDP(1, x),
        lambda: gaussian_delta_twin(0.5, 1),
    ),
    "gaussian, Gaussian": ("gaussian", {"sigma": 2}, lambda x: GaussianDP(x), lambda: 0.5),
    "gaussian, Renyi": ("gaussian", {"sigma": 2}, lambda x: RenyiDP(3, x), lambda: 0.375),
    "gaussian, zero-concentrated": ("gaussian", {}, lambda x: ZeroConcentratedDP(x), lambda: 0.5),
    "discrete gaussian, approximate": (
        "discrete-gaussian",
        {"sigma": "3/2"},
        lambda x: ApproxDP("1/3", x),
        lambda: lattice_delta(1.5, 1 / 3),
    ),
    "discrete gaussian, Renyi": (
        "discrete-gaussian",
        {"sigma": "1/2"},
        lambda x: RenyiDP("3/2", x),
        lambda: float(
            2
            * mp.log(
                mp.fsum(
                    mp.exp(-2 * (F(3, 2) * k * k - F(1, 2) * (k - 1) ** 2)) for k in range(-30, 31)
                )
                / mp.fsum(mp.exp(-2 * k * k) for k in range(-30, 31))
            )
        ),
    ),
    "discrete gaussian, zero-concentrated": (
        "discrete-gaussian",
        {"sigma": 2},
        lambda x: ZeroConcentratedDP(x),
        lambda: 0.125,
    ),
}
"""Noise, parameters, the level at a value, and the least value at which it holds."""


@pytest.fixture
def compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims on the same laws share what compares these."""
    monkeypatch.setattr("audit.exact.auditors.by_law.compared", cache(compared))


@pytest.mark.usefixtures("compared_once")
@pytest.mark.parametrize("name", EDGES)
def test_a_claim_is_proved_from_its_true_value_on(name: str) -> None:
    """It must hold at 1e-3 more, and not at 1e-3 less, where the witness shows it."""
    noise, parameters, level, true = EDGES[name]
    mechanism, value = noisy_number(noise, **parameters), F(true())
    above = run(mechanism, level(float(value * F(1001, 1000))))
    below = run(mechanism, level(float(value * F(999, 1000))))
    assert (above.verdict, below.verdict) == (Verdict.PROVED, Verdict.REFUTED)
    proof, witness = above.proof, below.witness
    assert proof is not None
    ends = proof.loss or proof.excess or (proof.measured or ("", None))[1]
    assert ends is not None
    assert ends[0] <= value * (1 + F(1, 10**12))
    assert value * (1 - F(1, 10**12)) <= ends[1] <= value * F(1001, 1000)
    if isinstance(witness, DivergenceWitness):
        assert witness.value is not None
        assert witness.allowed < witness.value[0]
    else:
        assert isinstance(witness, ExactWitness)
        assert witness.excess[0] > 0
        assert 0 <= witness.q[0] <= witness.p[1] <= 1


PURE = ["laplace", "geometric", "staircase", "l1-staircase", "hourglass"]


@pytest.mark.usefixtures("compared_once")
@pytest.mark.parametrize(
    "noise",
    all_but(
        ["l1-staircase 1/2", "hourglass 1/2"],
        [f"{name} {epsilon}" for name in PURE for epsilon in ("1/2", "3")],
    ),
)
def test_noises_keep_their_claim_exactly(noise: str) -> None:
    """It must hold of pure noise at its epsilon itself, and not at 1 - 1e-9 of it."""
    name, epsilon = noise.split()
    mechanism = noisy_number(name, epsilon=epsilon)
    assert run(mechanism, mechanism.claim.level).verdict is Verdict.PROVED
    less = run(mechanism, PureDP(F(epsilon) * (1 - F(1, 10**9))))
    assert less.verdict is Verdict.REFUTED
    assert isinstance(less.witness, ExactWitness)
    assert less.witness.excess[0] > 0


def test_an_event_of_gaussian_noise_has_the_stated_probabilities() -> None:
    """It must hold of the classical formula at (10, 1/100), by the normal cdf of mpmath."""
    sigma = F(math.sqrt(2 * math.log(125)) / 10)
    found = OfGaussians(F(0), ONE, sigma**2).gap(F(10))
    end, s = mp.mpf(F(found.words.removeprefix("z < ")).numerator), float(sigma)
    end /= F(found.words.removeprefix("z < ")).denominator
    for ball, mean in ((found.p, 0), (found.q, 1)):
        lower, upper = endpoints(ball)  # type: ignore[arg-type]
        true = float(mp.ncdf((end - mean) / s))
        assert float(lower) * (1 - 1e-12) <= true <= float(upper) * (1 + 1e-12)
    assert found.exceeds(F(1, 100))
    assert not found.within(F(1, 100))
    assert found.within(F(7, 100))


def test_a_profile_that_is_halved_is_seen() -> None:
    """It must hold that closed form and lattice sums agree with mpmath, and not with half."""
    for mu, epsilon in ((ONE, ONE), (F(1, 3), F(2)), (F(4), F(-1))):
        lower, upper = endpoints(gaussian_delta(mu, epsilon))
        true = F(gaussian_delta_twin(float(mu), float(epsilon)))
        assert lower * (1 - F(1, 10**12)) <= true <= upper * (1 + F(1, 10**12))
        assert not lower <= true / 2 <= upper
    for first in (-3, 0, 2):
        tail = F(float(lattice_sum(1.5, 0, lambda k, at=first: k >= at)))
        lower, upper = endpoints(beyond(first, F(9, 4)))
        assert lower * (1 - F(1, 10**12)) <= tail <= upper * (1 + F(1, 10**12))
    whole = theta(F(1, 3), F(1, 4))
    direct = F(float(mp.fsum(mp.exp(-2 * (k - mp.mpf(1) / 3) ** 2) for k in range(-30, 31))))
    assert abs(endpoints(whole)[0] - direct) < F(1, 10**14)


@pytest.mark.parametrize("distance", [1, 2, -3])
def test_divergences_of_lattice_laws_are_the_sums(distance: int) -> None:
    """It must hold of orders at which the closed form is exact, and of others."""
    pair = OfLatticeGaussians(0, distance, F(4, 9))
    for order in (F(2), F(3, 2), F(7, 5)):
        found = pair.renyi(order)
        a, s2 = mp.mpf(order.numerator) / order.denominator, mp.mpf(4) / 9
        top = mp.fsum(
            mp.exp(-(a * k * k + (1 - a) * (k - distance) ** 2) / (2 * s2)) for k in range(-60, 61)
        )
        moment = top / mp.fsum(mp.exp(-k * k / (2 * s2)) for k in range(-60, 61))
        true = F(float(mp.log(moment) / (a - 1)))
        assert found[0] - F(1, 10**12) <= true <= found[1] + F(1, 10**12)
        assert found[1] - found[0] < F(1, 10**20)


def test_randomized_response_decides_a_gaussian_claim_exactly() -> None:
    """It must hold that 1 / (1 + e^L) >= Phi(-mu / 2) is proved, and a mu 1e-6 less refuted."""
    law, other = {0: F(3, 4), 1: F(1, 4)}, {0: F(1, 4), 1: F(3, 4)}

    class Response:
        pairs = (([0.0], [1.0]),)

        def exact_law(self, data: Any) -> Any:
            return other if data[0] else law

    edge = F(float(-2 * mp.sqrt(2) * mp.erfinv(2 * mp.mpf(1) / 4 - 1)))
    assert run(Response(), GaussianDP(edge * (1 + F(1, 10**6)))).verdict is Verdict.PROVED
    assert run(Response(), GaussianDP(edge * (1 - F(1, 10**6)))).verdict is Verdict.REFUTED


@pytest.mark.long
def test_nothing_is_proved_of_laws_without_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that Gaussian noise is not pure, and that heavy tails leave some levels open.

    800 atoms of the heavy law leave less than 1/1000 of its probability.
    """
    monkeypatch.setattr(lattice_comparison, "MOST_ATOMS", 800)
    for epsilon in (1, 30):
        found = run(noisy_number("gaussian"), PureDP(epsilon))
        assert found.verdict is Verdict.REFUTED
        assert isinstance(found.witness, ExactWitness)
        assert found.witness.excess[0] > 0
    pair = compared(Heavy(), Moved(Heavy(), 1)), compared(Moved(Heavy(), 1), Heavy())
    assert isinstance(pair[0], OfAtoms)
    pmf = {k: 3 / (2 * math.pi**2 * k * k) if k else 0.5 for k in range(-99, 99)}
    gaps = (pmf[k] - math.e * pmf[k - 1] for k in range(-98, 98))  # beyond, the ratio is near 1
    delta = F(math.fsum(gap for gap in gaps if gap > 0))
    assert isinstance(decide(ApproxDP(1, delta + F(1, 1000)), pair), Kept)
    assert isinstance(decide(ApproxDP(1, delta - F(1, 1000)), pair), Broken)
    assert isinstance(decide(PureDP(20), pair), Open)
    assert isinstance(decide(PureDP(1), pair), Broken)
    assert isinstance(decide(RenyiDP(2, 50), pair), Open)
    assert isinstance(decide(RenyiDP(2, "1/100"), pair), Broken)
    assert isinstance(decide(ZeroConcentratedDP(50), pair), Open)


class Heavy:
    """Pmf 3 / (2 pi^2 k^2) on the integers but 0, which has 1/2: no closed form."""

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """The integers."""
        return integers(lower, upper)

    def atoms(self, numbers: Any) -> Any:
        """Every integer."""
        return LatticeAtoms(1, lambda k: numbers.exp(self.log_density(k, numbers)))

    def log_density(self, point: Any, numbers: Any) -> Any:
        """Logarithm of the pmf."""
        if not point:
            return numbers.log(numbers.rational(F(1, 2)))
        return numbers.log(
            numbers.rational(F(3) / (2 * point * point)) / numbers.pi() / numbers.pi()
        )


class Scaled:
    """Gaussian density times a factor: it integrates to the factor."""

    def __init__(self, factor: Fraction) -> None:
        self.factor = factor

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:  # noqa: ARG002
        """None."""
        return ()

    def atoms(self, numbers: Any) -> Any:  # noqa: ARG002
        """None."""
        return {}

    def log_density(self, point: Any, numbers: Any) -> Any:
        """Logarithm of the density."""
        root = numbers.sqrt(2 * numbers.pi())
        return numbers.rational(-(point * point) / 2) + numbers.log(
            numbers.rational(self.factor) / root
        )


def test_a_density_that_is_none_is_refused() -> None:
    """It must hold of one that integrates to 1 + 1e-9, and of atoms held against a density."""
    assert isinstance(compared(Scaled(ONE), Scaled(ONE)), OfGaussians)
    with pytest.raises(InvalidArgument, match="integrates to"):
        compared(Scaled(1 + F(1, 10**9)), Scaled(ONE))
    with pytest.raises(InvalidArgument, match="one of the stated laws has atoms"):
        compared(GeometricLaw(ONE), LaplaceLaw(ONE))


def test_what_a_law_says_of_itself_beside_its_formula_is_no_lemma() -> None:
    """It must hold of a pmf that says it is discrete Gaussian: its atoms are gone through."""
    assert isinstance(
        compared(DiscreteGaussianLaw(ONE), DiscreteGaussianLaw(ONE)), OfLatticeGaussians
    )
    assert isinstance(compared(Liar(ONE), Moved(Liar(ONE), ONE)), OfAtoms)


class Liar(Heavy):
    """States that it is discrete Gaussian, and has another pmf."""

    def __init__(self, sigma: Fraction) -> None:
        self.lattice_sigma = sigma

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Liar)

    def __hash__(self) -> int:
        return 0


def test_lattices_that_do_not_meet_tell_everything() -> None:
    """It must hold of a discrete Gaussian law moved by 1/2."""
    law = DiscreteGaussianLaw(ONE)
    pair = compared(law, Moved(law, F(1, 2)))
    assert isinstance(pair, OfCells)
    assert pair.loss() is None
    assert pair.gap(F(5)).exceeds(F(99, 100))


class Sums:
    """Noisy sum and count, of records from 0 to 1."""

    def __init__(self, *noises: Any) -> None:
        self.noises = noises

    def noisy_query(self) -> NoisyQuery:
        """State it."""
        moves = ((ONE, F(0)), (F(0), ONE))
        return NoisyQuery("(sum, count)", moves, (F(0), ONE), self.noises, public=())


def test_gaussian_queries_are_proved_for_all_neighbors() -> None:
    """It must hold at mu^2 = 1/4 + 1/9 (a record of 1), and of no smaller mu."""
    query, size = Sums(Gaussian(2), Gaussian(3)), F(1, 4) + F(1, 9)
    delta = F(gaussian_delta_twin(math.sqrt(float(size)), 1))
    for level, less in (
        (ZeroConcentratedDP(size / 2), ZeroConcentratedDP(size / 2 * F(999, 1000))),
        (RenyiDP(4, 2 * size), RenyiDP(4, 2 * size * F(999, 1000))),
        (GaussianDP(F(601, 1000)), GaussianDP(F(6, 10))),
        (ApproxDP(1, delta * F(1001, 1000)), ApproxDP(1, delta * F(999, 1000))),
    ):
        assert run(query, level, Relation.ADD_REMOVE).verdict is Verdict.PROVED
        assert run(query, less, Relation.ADD_REMOVE).verdict is Verdict.REFUTED
    assert run(query, PureDP(40), Relation.ADD_REMOVE).verdict is Verdict.REFUTED


def test_the_number_of_records_is_still_public_or_not() -> None:
    """It must hold of Gaussian noise too that a release that uses the count has no proof."""

    class Mean:
        def noisy_query(self) -> NoisyQuery:
            return NoisyQuery(
                "sum", ((ONE, F(0)),), (F(0), ONE), (Gaussian(1),), public=(PublicFact.COUNT,)
            )

    with pytest.raises(InvalidArgument, match="is public for this release"):
        run(Mean(), GaussianDP(1), Relation.ADD_REMOVE)
    assert run(Mean(), GaussianDP(1), Relation.SWAP).verdict is Verdict.PROVED
    assert run(Mean(), GaussianDP("0.999"), Relation.SWAP).verdict is Verdict.REFUTED


def test_noise_without_a_lemma_is_refused_in_words() -> None:
    """It must hold of discrete Gaussian noise on a query; the law on a data set can be stated."""

    class Count:
        def noisy_query(self) -> NoisyQuery:
            noise = (DiscreteGaussian(2),)
            return NoisyQuery("count", ((F(0), ONE),), (F(0), ONE), noise)

    with pytest.raises(InvalidArgument, match="no lemma covers the noise of count; state"):
        run(Count(), ZeroConcentratedDP(1), Relation.ADD_REMOVE)


def test_other_noise_follows_from_its_loss() -> None:
    """It must hold of Laplace sums at loss 1: rho = 1/2 is implied, what a pair breaks refuted."""
    query = Sums(Laplace("1/2", 1), Laplace("1/2", 1))
    assert run(query, ZeroConcentratedDP("1/2"), Relation.ADD_REMOVE).verdict is Verdict.PROVED
    assert run(query, RenyiDP(2, 1), Relation.ADD_REMOVE).verdict is Verdict.PROVED
    assert run(query, ZeroConcentratedDP("1/20"), Relation.ADD_REMOVE).verdict is Verdict.REFUTED
    assert run(query, RenyiDP(2, "1/100"), Relation.ADD_REMOVE).verdict is Verdict.REFUTED
