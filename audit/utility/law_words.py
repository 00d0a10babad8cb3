"""Laws of one record in a user's words: a point, uniform, normal, Bernoulli, points, tilted.

What the words mean:

    point X               X itself
    uniform A B           uniform between A and B
    normal MU SIGMA       Gauss's law
    bernoulli P           1 with probability P, else 0
    points X:P X:P ...    X with probability P; the probabilities add up to 1
    tilted ETA            density (1 - ETA^2) / 2 e^(-|x| + ETA x), whose sign has the mean ETA
"""

from __future__ import annotations

from fractions import Fraction

from audit.utility.record_densities import Normal, Tilted, Uniform
from audit.utility.record_laws import Law, PointLaw
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_fraction, exact

KINDS = (
    "point X, uniform A B, normal MU SIGMA, bernoulli P, points X:P X:P ..., or tilted ETA "
    "(density proportional to e^(-|x| + ETA x))"
)
"""What `read_law` reads."""


def read_law(text: str) -> Law:
    """Read a law in words.

    `text`: such as "normal 0 1"; numbers as 1, 0.1 or 1/10. Raises InvalidArgument if it is none of
    `KINDS`, or a parameter is out of its domain.

    Examples
    --------
    >>> from audit.utility.law_words import read_law
    >>> read_law("points 0:9/10 10:1/10").mean
    1.0
    """
    try:
        return _law(text.split())
    except ValueError as exc:
        reason = f": {exc}" if isinstance(exc, InvalidArgument) else ""
        msg = f"law must be one of {KINDS}, got {text!r}{reason}"
        raise InvalidArgument(msg) from exc


def _law(words: list[str]) -> Law:
    match words:
        case ["point", value]:
            return PointLaw(((exact(value, "X"), Fraction(1)),))
        case ["uniform", low, high]:
            lower = exact(low, "A")
            return Uniform(float(lower), float(check_fraction(high, "B", above=lower)))
        case ["normal", mu, sigma]:
            return Normal(float(exact(mu, "MU")), float(check_fraction(sigma, "SIGMA", above=0)))
        case ["bernoulli", chance]:
            one = check_fraction(chance, "P", at_least=0, at_most=1)
            pairs = ((Fraction(0), 1 - one), (Fraction(1), one))
            return PointLaw(tuple(pair for pair in pairs if pair[1]))
        case ["points", *some]:
            atoms: dict[Fraction, Fraction] = {}
            for word in some:
                value, chance = word.split(":")
                place = exact(value, "X")
                atoms[place] = atoms.get(place, Fraction(0)) + exact(chance, "P")
            return PointLaw(tuple(sorted(atoms.items())))
        case ["tilted", eta]:
            return Tilted(float(check_fraction(eta, "ETA", above=-1, below=1)))
    raise ValueError
