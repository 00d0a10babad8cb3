"""Densities that the tests of the density auditor share."""

from fractions import Fraction

from audit.exact.density.pair import DensityPair
from audit.exact.density.tail_lemmas import Density
from mechanisms.noise.gaussian import GaussianLaw
from mechanisms.noise.laplace import LaplaceLaw
from proofs_check.enclosure import Balls


def laplace(shift=0, rate=Fraction(1)):
    """Laplace noise about a point."""
    return Density.from_law(LaplaceLaw(rate), shift, (Fraction(0),))


def gaussian(shift=0, sigma=Fraction(1)):
    """Gaussian noise about a point."""
    return Density.from_law(GaussianLaw(sigma), shift)


def mixture(shift=0):
    """0.7 Laplace(0, 1) + 0.3 Laplace(3, 2), shifted."""
    return Density(mixture_formula, Fraction(shift), (Fraction(shift), Fraction(3 + shift)))


def mixture_formula(x, n):
    """Log-density of the mixture."""
    near, far = n.exp(n.rational(-abs(x))), n.exp(n.rational(-abs(x - 3) / 2))
    return n.log(near * Fraction(7, 20) + far * Fraction(3, 40))


def logistic(shift=0):
    """Logistic noise about a point: e^-x / (1 + e^-x)^2, log-concave and no sum of exponentials."""
    return Density(logistic_formula, Fraction(shift))


def logistic_formula(x, n):
    """Log-density of the logistic law."""
    return n.rational(-x) - 2 * n.log(1 + n.exp(-x))


def cauchy(shift=0):
    """Cauchy noise about a point, whose tails no lemma covers."""
    return Density(lambda x, n: -n.log(n.pi() * (1 + n.rational(x) ** 2)), Fraction(shift))


def pair(p, q, bits=128):
    """Two densities as a pair."""
    return DensityPair(p, q, numbers=Balls(bits))
