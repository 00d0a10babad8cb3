"""Reference values of the moments of hourglass noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import encloses, mutant
from proofs_check.claim import Method
from proofs_check.enclosure import Ball, Balls
from proofs_check.language import ValuesAre, decided, right_digits, tabled
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.hourglass import hourglass_height
from proofs_check.papers.ksw.noise.hourglass_sums import (
    covariance,
    mixed_moment,
    sum_fourth_moment,
    sum_probability,
)
from proofs_check.papers.ksw.noise.staircase import (
    best_y_cubed,
    gamma_of_y,
    second_moment,
    y_of_gamma,
)

__all__ = ["table"]

Formula = Callable[..., Any]

TABLE = (
    # eps, gamma (empty for gamma*), A, P(T = 0), P(T = 1), V, Cov, E T^4, E Z1^2 T^2
    (
        "0.5",
        None,
        "0.0612348774746684 0.127406804536083 0.114416963839282 7.91701721536634 0e-15 1136.26462917032 442.746599335254",
    ),
    (
        "1",
        None,
        "0.231356069729801 0.265252083448721 0.182691929872497 1.91810353123553 0e-15 68.2583193166881 26.7446769963333",
    ),
    (
        "1",
        "0.2",
        "0.295480129523367 0.210687758514074 0.186208759790143 1.97375858671058 0.220798711208296 81.0283636342777 30.1629864919917",
    ),
    (
        "1",
        "0.8",
        "0.167194264188024 0.319848526924786 0.17917302982116 2.03783576006874 -0.396348726234221 55.480758087677 23.9788775355058",
    ),
    (
        "2",
        "0.5",
        "0.580025658385974 0.601669153843459 0.159925002112306 0.445364163816489 -0.0833333333333333 3.08325546093213 1.33983355777261",
    ),
    (
        "5",
        None,
        "3.26119355457814 0.942664804198478 0.0283253748130992 0.0297110241363729 0e-15 0.0680425775509074 0.0260978181442848",
    ),
    (
        "10",
        None,
        "17.6561449602259 0.99830602877715 0.000846910764658456 0.000847210176978857 0e-15 0.00169621728249735 0.000581830354128199",
    ),
)


COLUMNS = (
    ("A", "A"),
    ("P(T = 0)", "P(T = 0)"),
    ("P(T = 1)", "P(T = 1)"),
    ("V", "V"),
    ("Cov", r"\operatorname{Cov}"),
    ("E T^4", r"\mathrm{E} T^4"),
    ("E Z1^2 T^2", r"\mathrm{E} Z_1^2 T^2"),
)


@encloses("Printed values of the table of KSW-H3.", Method.ENCLOSURE)
@mutant("P(T = t) 1 % too large", law=lambda b, g, t: sum_probability(b, g, t) * Fraction(101, 100))
@mutant(
    "1.01 + b in A", height=lambda b, y: hourglass_height(b, y) * (1 + b) / (Fraction(101, 100) + b)
)
@decided(right_digits)
def table(
    law: Formula = sum_probability,
    cov: Formula = covariance,
    fourth: Formula = sum_fourth_moment,
    mixed: Formula = mixed_moment,
    height: Formula = hourglass_height,
) -> ValuesAre:
    """Printed values; at gamma* the covariance is 0."""
    numbers = Balls(128)

    def row(epsilon: Fraction, given: Fraction | None = None) -> Sequence[Ball]:
        b = decay(epsilon, numbers=numbers)
        if given is None:
            y = numbers.root(best_y_cubed(b), 3)
            gamma = gamma_of_y(b, y)
        else:
            gamma = numbers.rational(given)
            y = y_of_gamma(b, gamma)
        return (
            height(b, y),
            law(b, gamma, 0),
            law(b, gamma, 1),
            second_moment(b, y),
            cov(b, y),
            fourth(b, gamma),
            mixed(b, gamma),
        )

    rows = [
        ((Fraction(epsilon), *([Fraction(gamma)] if gamma else [])), printed)
        for epsilon, gamma, printed in TABLE
    ]
    says = "Reference values, at gamma* where no gamma is given: {values}."
    return tabled(COLUMNS, rows, row, says)
