"""The transform engine: moments, decay, and sums that other engines enclose too."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb, ctx

from audit.accounting.enclosed_total import directions_of
from audit.accounting.release_plan import read_steps
from mechanisms.claims import Relation
from proofs_check.composition.closed_forms import OneLoss
from proofs_check.composition.decay import Layer, layers_of, upper_bound
from proofs_check.composition.epsilon import Composition
from proofs_check.composition.laws import Gaussian, Geometric, Laplace, Law, Sampled
from proofs_check.composition.moments import moments_of
from proofs_check.composition.parts import Part
from proofs_check.composition.saddle import Saddle
from proofs_check.composition.sums import lattice_of, steps_of
from proofs_check.composition.transform import Transform, transform_of
from proofs_check.enclosure import endpoints
from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import SAMPLED
from tests.slow import by_default

ONE = Fraction(1), Fraction(1)
SECOND = SAMPLED | {"q": ".02", "sigma": 2}
OF_LAPLACE = {"event": "poisson-laplace", "scale": 1, "sensitivity": 1, "q": ".01"}

Rows = dict[str, tuple[list[dict[str, Any]], str, int, str]]
REMOVE, ADD = 0, 1
KNOWN: Rows = {
    "1000": ([SAMPLED | {"count": 1000}], "1e-5", REMOVE, "1.8282366665166"),
    "1000, add": ([SAMPLED | {"count": 1000}], "1e-5", ADD, "1.4166619480362"),
    "10000": ([SAMPLED | {"count": 10000}], "1e-5", REMOVE, "6.1877123899716"),
    "10000, add": ([SAMPLED | {"count": 10000}], "1e-5", ADD, "5.6115086176520"),
    "10000, 1e-8": ([SAMPLED | {"count": 10000}], "1e-8", REMOVE, "8.1851229677998"),
    "10000, 1e-10": ([SAMPLED | {"count": 10000}], "1e-10", REMOVE, "9.3161385258823"),
    "10000, 1e-12": ([SAMPLED | {"count": 10000}], "1e-12", REMOVE, "10.3466898376740"),
    "10000, 1e-14": ([SAMPLED | {"count": 10000}], "1e-14", REMOVE, "11.3035588123165"),
    "3000, 1e-10": ([SAMPLED | {"count": 3000}], "1e-10", REMOVE, "5.119312499554"),
    "3000, 1e-11": ([SAMPLED | {"count": 3000}], "1e-11", REMOVE, "5.458973884393"),
    "1000, 1e-8": ([SAMPLED | {"count": 1000}], "1e-8", REMOVE, "2.697867934494"),
    "1000, 1e-10": ([SAMPLED | {"count": 1000}], "1e-10", REMOVE, "3.29044375"),
    "two kinds": (
        [SAMPLED | {"count": 500}, SECOND | {"count": 300}],
        *("1e-5", REMOVE, "1.50225228054391"),
    ),
    "laplace": ([OF_LAPLACE | {"count": 1000}], "1e-5", REMOVE, "1.12376810536633"),
    "laplace, 10000": ([OF_LAPLACE | {"count": 10000}], "1e-5", REMOVE, "4.0288099261602"),
    "laplace, 1e-10": ([OF_LAPLACE | {"count": 1000}], "1e-10", REMOVE, "1.8147421559117"),
}


def enclosed(steps: list[dict[str, Any]], delta: str, side: int) -> Enclosed:
    """Ends of epsilon in one direction, by this engine alone."""
    directions = directions_of(read_steps(steps, Relation.ADD_REMOVE), Relation.ADD_REMOVE)
    found = transform_of(directions[side].parts, Fraction(delta))
    assert found is not None
    return Composition(((found, ONE),)).epsilon(Fraction(delta))


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_sums_are_those_that_another_program_found(name: str) -> None:
    """It must hold to the last digit printed, with a relative width below 2e-13."""
    steps, delta, side, printed = KNOWN[name]
    found = enclosed(steps, delta, side)
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    assert found.width < 2e-13
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower - unit <= Fraction(printed) <= found.upper + unit
    more = [step | {"count": step["count"] + 1} for step in steps]
    assert enclosed(more, delta, side).lower > found.upper + unit


def test_the_smallest_delta_is_enclosed_as_well() -> None:
    """It must hold of 1e-20: both ends of delta at the ends of epsilon say so."""
    found = enclosed([SAMPLED | {"count": 10000}], "1e-20", REMOVE)
    assert found.width < 2e-13
    assert 13.8797 < float(found.lower or 0) < 13.8798


LAWS: dict[str, tuple[Law, int]] = {
    "gaussian": (Gaussian(Fraction(1, 4)), 1),
    "sampled gaussian": (Sampled(Gaussian(Fraction(1)), Fraction(1, 10), adds=False), 60),
    "sampled gaussian, add": (Sampled(Gaussian(Fraction(1)), Fraction(1, 10), adds=True), 60),
    "laplace": (Laplace(Fraction(1)), 100),
    "long laplace": (Laplace(Fraction(5, 2)), 80),
    "sampled laplace": (Sampled(Laplace(Fraction(2)), Fraction(1, 4), adds=False), 80),
    "sampled laplace, add": (Sampled(Laplace(Fraction(2)), Fraction(1, 4), adds=True), 80),
}


@pytest.mark.parametrize("name", by_default(["gaussian", "sampled gaussian"], LAWS))
def test_two_engines_overlap(name: str) -> None:
    """It must hold at every epsilon, and not of one part more."""
    law, count = LAWS[name]
    parts = (Part(law, count),)
    found = transform_of(parts, Fraction(1, 10**4))
    assert found is not None
    step = list(steps_of(parts, 45.0))[5]
    nodes = OneLoss(law) if count == 1 else lattice_of(parts, step, 45.0)
    more = transform_of((Part(law, count + max(count // 20, 1)),), Fraction(1, 10**4))
    assert nodes is not None
    assert more is not None
    guess = found.guess()
    for share in (0.0, 0.3, 0.9, 1.0, 1.2):
        epsilon = Fraction(guess * share).limit_denominator(1000)
        (low, high), (least, most) = found.excess(epsilon), nodes.excess(epsilon)
        assert low <= most
        assert least <= high
        assert high - low <= Fraction(1, 1000) * high + Fraction(1, 10**12) or not share
    assert more.excess(epsilon)[0] > high


@pytest.mark.parametrize("accuracy", [1.0, 3.0, 36.0])
def test_a_rule_of_few_points_encloses_as_well(
    accuracy: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of rules whose aliasing and truncation are as large as delta, of a known sum."""
    monkeypatch.setattr("proofs_check.composition.saddle.ACCURACIES", ((accuracy, 1e6),))
    monkeypatch.setattr("proofs_check.composition.transform.MOST_LINES", 1)
    law = Gaussian(Fraction(1))
    found = transform_of((Part(law, 1),), Fraction(1, 1000))
    known = OneLoss(law)
    shapes = [] if found is None else [found]
    if found is None:  # too few points to be used: the ends hold nevertheless
        moments = moments_of(law)
        assert moments is not None
        made = Transform(Saddle(((moments, 1),)), 1e-3)
        made.prepare()
        shapes = [made]
    for transform in shapes:
        for epsilon in (Fraction(0), Fraction(1), Fraction(2), Fraction(3), Fraction(5)):
            (low, high), (least, most) = transform.excess(epsilon), known.excess(epsilon)
            assert low <= most
            assert least <= high
        assert accuracy < 36 or high - low < high / 10**6


MOMENTS = [name for name in LAWS if name != "gaussian"]


@pytest.mark.parametrize("spare", [60.0, 1.0])
@pytest.mark.parametrize("name", MOMENTS)
def test_moments_on_a_line_are_integrals(name: str, spare: float) -> None:
    """It must hold of flint's own quadrature, of rules of few nodes too, and of no conjugate."""
    law, _ = LAWS[name]
    moments = moments_of(law)
    assert moments is not None
    c, step = Fraction(3, 2), Fraction(5, 4) if spare > 1 else Fraction(1, 100)
    line = moments.line(c, step, 4, spare)
    share = law.rate if isinstance(law, Sampled) else Fraction(1)
    with ctx.workprec(256):
        rate = arb(share.numerator) / share.denominator
    inner = law.inner if isinstance(law, Sampled) else law
    adds = isinstance(law, Sampled) and law.adds
    for n, value in enumerate(line.values):
        with ctx.workprec(256):
            z = acb(arb(3) / 2, arb(step.numerator * n) / step.denominator)
            power = -z if adds else z + 1
            exact = _integral(inner, rate, power)
        assert value.overlaps(exact), (n, value, exact)
        assert spare < 60 or float(value.real.rad()) < 1e-20
        assert spare < 60 or not n or not value.overlaps(acb(exact.real, -exact.imag))


def _integral(inner: Law, rate: arb, power: acb) -> acb:
    def ratio(loss: acb) -> acb:
        return 1 - rate + rate * loss.exp()

    if isinstance(inner, Gaussian):
        assert inner.mu_squared == 1
        half = arb(1) / 2
        scale = 1 / (2 * arb.pi()).sqrt()
        return acb.integral(
            lambda x, _: (-x * x / 2).exp() * scale * (ratio(x - half).log() * power).exp(), -24, 26
        )
    assert isinstance(inner, Laplace)
    size = arb(inner.epsilon.numerator) / inner.epsilon.denominator
    between = acb.integral(
        lambda x, _: (-(size + x) / 2).exp() / 4 * (ratio(x).log() * power).exp(), -size, size
    )
    ends = [(size, (-size).exp() / 2), (-size, arb(1) / 2)]
    return between + sum(mass * (ratio(acb(at)).log() * power).exp() for at, mass in ends)


@pytest.mark.parametrize("name", MOMENTS)
def test_moments_decay_as_bounded(name: str) -> None:
    """It must hold at many heights beyond, and that the bound is not 1."""
    moments = moments_of(LAWS[name][0])
    assert moments is not None
    c = Fraction(2)
    layers = moments.layers(c)
    assert layers is not None
    step = Fraction(1, 2)
    line = moments.line(c, step, 120, 60.0)
    top = float(endpoints(moments.moment(c))[0])
    sizes = [float(abs(value).mid()) / top for value in line.values]
    for first in (1, 4, 20, 60):
        bound = upper_bound(layers, step * first)
        assert max(sizes[first:]) <= bound < 1
    assert max(sizes[60:]) > float(upper_bound(layers, step * 60)) / 5 - 0.2


def test_a_uniform_law_decays_as_its_sinc() -> None:
    """It must hold that the bound of one cell is the sinc itself, up to where that rises again."""
    layers = layers_of([Layer(Fraction(1, 2), Fraction(1)), Layer(Fraction(1, 2), Fraction(1))])
    assert len(layers) == 1
    for height in (Fraction(1, 2), Fraction(2)):
        bound = float(upper_bound(layers, height))
        assert math.isclose(bound, math.sin(height) / float(height), rel_tol=1e-9)
    assert float(upper_bound(layers, Fraction(4))) >= 0.2172
    assert float(upper_bound(layers, Fraction(40))) >= 1 / 40


def test_what_has_no_moments_is_left_to_the_nodes() -> None:
    """It must hold of losses with mass alone, whose moments do not decay."""
    assert transform_of((Part(Geometric(1, Fraction(1)), 10),), Fraction(1, 100)) is None
