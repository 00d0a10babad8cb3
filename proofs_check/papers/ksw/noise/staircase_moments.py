"""Moments of univariate staircase noise, and their reference values (KSW, Section 3.2).

Each moment is summed over all levels of equation (11) and compared with its closed form in y.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Obligation, Role, Status
from proofs_check.enclosure import Balls
from proofs_check.papers.ksw.common import decay, geometric_sum
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    best_y_cubed,
    fourth_moment,
    gamma_of_y,
    geometric_variance,
    height,
    mean_absolute,
    mean_absolute_best_gamma,
    second_moment,
    y_of_gamma,
)
from proofs_check.printed import as_printed
from proofs_check.symbolic import identical, integrate, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]

B, GAMMA, K, Z = symbols("b gamma k z", positive=True)
UNIT = {B: (0, 1), GAMMA: (0, 1)}


def moment(power: int) -> Any:
    """E |Z|^m, summed over the levels of equation (11)."""
    near = integrate(Z**power, (Z, K, K + GAMMA))
    far = integrate(Z**power, (Z, K + GAMMA, K + 1))
    level = (near + B * far).expand()
    return 2 * height(B, y_of_gamma(B, GAMMA)) * geometric_sum(level, K, B)


def moment_is(closed: Formula, power: int) -> Finding:
    """The sum over all levels is the closed form."""
    return identical(moment(power), closed(B, y_of_gamma(B, GAMMA)), UNIT)


def mean_absolute_is(closed: Formula = mean_absolute, power: int = 1) -> Finding:
    """E |Z|."""
    return moment_is(closed, power)


def second_moment_is(closed: Formula = second_moment, power: int = 2) -> Finding:
    """E Z^2."""
    return moment_is(closed, power)


def fourth_moment_is(closed: Formula = fourth_moment, power: int = 4) -> Finding:
    """E Z^4."""
    return moment_is(closed, power)


TABLE = (
    # eps, y*, gamma*, V*, E Z^4 at gamma*, gamma of E |Z|, least E |Z|, 2 b / (1 - b)^2
    "0.1 0.951625687574975 0.491666667437583 199.916680561059 239900.045821092 0.48750260351579 9.99583454829084 199.833416633609",
    "0.5 0.786871701996278 0.458335691802401 7.91701721536634 380.045524088374 0.437823499114202 1.979317581651 7.83539617806553",
    "1 0.631307741423467 0.416737434928882 1.91810353123553 23.0445635606475 0.377540668798145 0.959517375667472 1.84134718841558",
    "2 0.425110395428302 0.335130029679452 0.422732849046547 1.2905458303758 0.268941421369995 0.425459064119661 0.362030830483155",
    "5 0.150246608626809 0.144482174864272 0.0297110241363729 0.020288688612489 0.0758581800212436 0.0826418349275478 0.0136593457603841",
    "10 0.0283148957687918 0.0282707793304253 0.000847210176978857 0.000369238383482203 0.00669285092428486 0.00673825291529454 9.08081047009508e-5",
)


def table(
    columns: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7),
    cubed: Formula = best_y_cubed,
    fourth: Formula = fourth_moment,
    variance: Formula = best_variance,
) -> Finding:
    """Printed values at eps = 0.1, ..., 10."""
    numbers = Balls(128)
    rows = []
    for line in TABLE:
        epsilon, *printed = line.split()
        b = decay(epsilon, numbers=numbers)
        root = 1 / numbers.sqrt(b)
        y = numbers.root(cubed(b), 3)
        values = (
            y,
            gamma_of_y(b, y),
            variance(b, y),
            fourth(b, y),
            mean_absolute_best_gamma(root),
            mean_absolute(b, 1 / root),
            geometric_variance(b),
        )
        rows += [(f"column {i} at eps = {epsilon}", printed[i - 1], values[i - 1]) for i in columns]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="KSW-S1",
        source="our own",
        says="The mean absolute value and the second moment of the staircase are short in y.",
        latex=r"\mathrm{E}|Z| = \frac{y^2 + b}{2 y (1 - b)}, \qquad \mathrm{E} Z^2 = V(y) = \frac{y^3 + 3 b y + b (1 + b)}{3 y (1 - b)^2}, \qquad y = \gamma + b (1 - \gamma)",
        domain="eps > 0, 0 < gamma <= 1, Delta = 1 (else times Delta, Delta^2)",
        status=Status.PROVED,
        checks=(
            Check(
                "E |Z| summed over all levels.",
                Method.SYMBOLIC,
                mean_absolute_is,
                mutants={
                    "y^2 - b for y^2 + b": {"closed": lambda b, y: (y**2 - b) / (2 * y * (1 - b))},
                    "1.01 b for b": {
                        "closed": lambda b, y: (y**2 + b * 101 / 100) / (2 * y * (1 - b))
                    },
                },
            ),
            Check(
                "E Z^2 summed over all levels.",
                Method.SYMBOLIC,
                second_moment_is,
                mutants={
                    "V - b y / 100": {"closed": lambda b, y: second_moment(b, y) - b * y / 100},
                    "1 - b for 1 + b": {
                        "closed": lambda b, y: (
                            (y**3 + 3 * b * y + b * (1 - b)) / (3 * y * (1 - b) ** 2)
                        )
                    },
                },
            ),
        ),
        ours=True,
        obligations=(
            Obligation("mean absolute is", "mean_absolute_is"),
            Obligation("second moment is", "second_moment_is"),
        ),
    ),
    Claim(
        id="KSW-S3",
        source="our own",
        says="The fourth moment of the staircase, and a table of its reference values.",
        latex=r"\mathrm{E} Z^4 = \frac{y^5 + 10 b y^3 + 10 b (1 + b) y^2 + 5 b (1 + 7 b + b^2) y + b (1 + 21 b + 21 b^2 + b^3)}{5 y (1 - b)^4}",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "E Z^4 summed over all levels.",
                Method.SYMBOLIC,
                fourth_moment_is,
                mutants={
                    "E Z^4 - b y / 100": {"closed": lambda b, y: fourth_moment(b, y) - b * y / 100},
                    "E Z^4 with 1 - b^3": {
                        "closed": lambda b, y: (
                            fourth_moment(b, y) - 2 * b**4 / (5 * y * (1 - b) ** 4)
                        )
                    },
                },
            ),
            Check(
                "All 42 printed values at eps = 0.1, 0.5, 1, 2, 5, 10.",
                Method.ENCLOSURE,
                table,
                mutants={
                    "0.505 b (1 + b) for y*^3": {
                        "cubed": lambda b: b * (1 + b) * Fraction(505, 1000)
                    },
                    "1.01 b + y*^2": {"variance": lambda b, y: best_variance(b, y) + b / 100},
                    "E Z^4 - b y / 100": {"fourth": lambda b, y: fourth_moment(b, y) - b * y / 100},
                },
                role=Role.VALUE,
            ),
        ),
        ours=True,
        obligations=(Obligation("fourth moment is", "fourth_moment_is"),),
    ),
)
