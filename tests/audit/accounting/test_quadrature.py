"""Rules of quadrature that end early: what lies beyond their nodes is in their error."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import acb, arb, ctx

from proofs_check.composition import quadrature
from proofs_check.composition.laws import Gaussian
from proofs_check.composition.ratio import Ratio, added
from proofs_check.enclosure import endpoints

SPARE = 60.0
"""The step of the rule costs exp(-60) of the moment: nothing beside what the tests ask for."""
EARLY = 4.0
"""Nodes on the left end where the normal law has exp(-4) of its height."""
NEARLY = Fraction(1, 8)
"""Of what is bounded, so much is really left out."""
FAR = 40
"""Of the exact integral: a normal law has 1e-350 beyond."""


def ratio(mu_squared: str, rate: str, adds: bool) -> Ratio:
    """The ratio of a sampled mechanism."""
    return Ratio(Gaussian(Fraction(mu_squared)), Fraction(rate), adds)


FULL = 30.0
"""So many standard deviations leave nothing out."""
RULES = {
    "left": (ratio("1", "1/1000", False), Fraction(2), EARLY - SPARE, FULL),
    "right": (ratio("1", "1/2", False), Fraction(6), 0.0, 8.0),
    "right, before the middle": (ratio("1", "1/2", False), Fraction(6), 0.0, 6.0),
    "right, no sampling": (ratio("1/4", "1", False), Fraction(3), 0.0, 4.0),
    "left, to add": (ratio("1", "1/10", True), Fraction(2), EARLY - SPARE, FULL),
    "right, to add": (ratio("1", "1/10", True), Fraction(2), 0.0, 2.0),
}


@pytest.mark.parametrize("name", RULES)
def test_what_lies_beyond_the_nodes_is_in_the_error(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold at y = 0, where all of it is positive; an eighth of the bound is too little."""
    of, c, beyond, top = RULES[name]
    monkeypatch.setattr(quadrature, "BEYOND", beyond)
    monkeypatch.setattr(quadrature, "_top", lambda *_: top)
    weights, _, error = quadrature.terms_of(of, c, Fraction(0), SPARE)
    (least, most), bound = endpoints(added(weights)), endpoints(error)[1]
    low, high = moment(of, c)
    assert high - least <= bound
    assert low - most > bound * NEARLY


def moment(of: Ratio, c: Fraction) -> tuple[Fraction, Fraction]:
    """Ends of M(c), as an integral of arb."""
    assert isinstance(of.inner, Gaussian)
    with ctx.workprec(192):
        rate, square, power = (
            arb(x.numerator) / x.denominator for x in (of.rate, of.inner.mu_squared, of.power(c))
        )
        mu, scale = square.sqrt(), 1 / (2 * arb.pi()).sqrt()

        def integrand(x: acb, _: bool) -> acb:
            ratio = 1 - rate + rate * (mu * x - square / 2).exp()
            return (ratio.log() * power - x * x / 2).exp() * scale

        found = acb.integral(integrand, -FAR, FAR).real
        return exactly(found.lower()), exactly(found.upper())


def exactly(number: arb) -> Fraction:
    """A ball without a radius."""
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
