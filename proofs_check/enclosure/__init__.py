"""Rigorous enclosures: the only door to python-flint."""

from proofs_check.enclosure.ball import (
    Ball,
    Balls,
    Undecided,
    agrees_with_print,
    certainly_less,
    contains,
    endpoints,
)
from proofs_check.enclosure.integers import fixed_point, polynomial_at, product
from proofs_check.enclosure.integral import (
    ComplexBall,
    Complexes,
    gauss_rule,
    integral,
    polynomial,
)
from proofs_check.enclosure.line import Line
from proofs_check.enclosure.roots import largest_root

__all__ = [
    "Ball",
    "Balls",
    "ComplexBall",
    "Complexes",
    "Line",
    "Undecided",
    "agrees_with_print",
    "certainly_less",
    "contains",
    "endpoints",
    "fixed_point",
    "gauss_rule",
    "integral",
    "largest_root",
    "polynomial",
    "polynomial_at",
    "product",
]
