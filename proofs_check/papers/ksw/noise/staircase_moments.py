"""Moments of univariate staircase noise, and their reference values (KSW, Section 3.2).

Each moment is summed over all levels of equation (11) and compared with its closed form in y.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.enclosure import Ball, Balls
from proofs_check.language import (
    Condition,
    Function,
    Quantity,
    ValuesAre,
    all_of,
    decided,
    for_all,
    implies,
    reals,
    rearrange,
    right_digits,
    tabled,
)
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
from proofs_check.symbolic import integrate, symbols

__all__ = ["BOX", "CLAIMS", "Y", "staircase"]

Formula = Callable[..., Any]

B, GAMMA, K, Z = symbols("b gamma k z", positive=True)


def moment(power: int) -> Any:
    """E |Z|^m, summed over the levels of equation (11)."""
    near = integrate(Z**power, (Z, K, K + GAMMA))
    far = integrate(Z**power, (Z, K + GAMMA, K + 1))
    level = (near + B * far).expand()
    return 2 * height(B, y_of_gamma(B, GAMMA)) * geometric_sum(level, K, B)


def quantity(name: str, tex: str, power: int) -> Quantity:
    """A moment of the staircase, summed over its levels."""
    return Quantity(name, tex, lambda b, gamma: moment(power).subs({B: b, GAMMA: gamma}))


def staircase(b: Any, gamma: Any) -> Condition:
    """The parameters of a staircase."""
    return all_of(0 < b, b < 1, 0 < gamma, gamma <= 1)


Y = Function("y", y_of_gamma, short=True)
"""The y of a gamma."""
BOX = {"b": (0, 1), "gamma": (0, 1)}
"""Where identities are tried."""
COLUMNS = (
    ("y*", "y_*"),
    ("gamma*", r"\gamma_*"),
    ("V*", "V_*"),
    ("E Z^4", r"\mathrm{E} Z^4"),
    ("gamma of least E |Z|", r"\gamma_1"),
    ("least E |Z|", r"\min \mathrm{E} |Z|"),
    ("2 b / (1 - b)^2", r"2 b / (1 - b)^2"),
)


@proves("E |Z| summed over all levels.", Method.SYMBOLIC)
@mutant("y^2 - b for y^2 + b", closed=lambda b, y: (y**2 - b) / (2 * y * (1 - b)))
@mutant("1.01 b for b", closed=lambda b, y: (y**2 + b * 101 / 100) / (2 * y * (1 - b)))
@for_all(
    reals("b gamma"), "The mean absolute value of the staircase is {right}.", by=rearrange, box=BOX
)
def mean_absolute_is(b: Any, gamma: Any, *, closed: Formula = mean_absolute) -> Condition:
    """E |Z|, summed over all levels."""
    summed = quantity("E |Z|", r"\mathrm{E} |Z|", 1)
    return implies(staircase(b, gamma), summed(b, gamma) == closed(b, Y(b, gamma)))


@proves("E Z^2 summed over all levels.", Method.SYMBOLIC)
@mutant("V - b y / 100", closed=lambda b, y: second_moment(b, y) - b * y / 100)
@mutant(
    "1 - b for 1 + b", closed=lambda b, y: (y**3 + 3 * b * y + b * (1 - b)) / (3 * y * (1 - b) ** 2)
)
@for_all(reals("b gamma"), "The second moment of the staircase is {right}.", by=rearrange, box=BOX)
def second_moment_is(b: Any, gamma: Any, *, closed: Formula = second_moment) -> Condition:
    """E Z^2, summed over all levels."""
    summed = quantity("E Z^2", r"\mathrm{E} Z^2", 2)
    return implies(staircase(b, gamma), summed(b, gamma) == closed(b, Y(b, gamma)))


@proves("E Z^4 summed over all levels.", Method.SYMBOLIC)
@mutant("E Z^4 - b y / 100", closed=lambda b, y: fourth_moment(b, y) - b * y / 100)
@mutant(
    "E Z^4 with 1 - b^3",
    closed=lambda b, y: fourth_moment(b, y) - 2 * b**4 / (5 * y * (1 - b) ** 4),
)
@for_all(reals("b gamma"), "The fourth moment of the staircase is {right}.", by=rearrange, box=BOX)
def fourth_moment_is(b: Any, gamma: Any, *, closed: Formula = fourth_moment) -> Condition:
    """E Z^4, summed over all levels."""
    summed = quantity("E Z^4", r"\mathrm{E} Z^4", 4)
    return implies(staircase(b, gamma), summed(b, gamma) == closed(b, Y(b, gamma)))


TABLE = (  # eps, and the columns
    "0.1 0.951625687574975 0.491666667437583 199.916680561059 239900.045821092 0.48750260351579 9.99583454829084 199.833416633609",
    "0.5 0.786871701996278 0.458335691802401 7.91701721536634 380.045524088374 0.437823499114202 1.979317581651 7.83539617806553",
    "1 0.631307741423467 0.416737434928882 1.91810353123553 23.0445635606475 0.377540668798145 0.959517375667472 1.84134718841558",
    "2 0.425110395428302 0.335130029679452 0.422732849046547 1.2905458303758 0.268941421369995 0.425459064119661 0.362030830483155",
    "5 0.150246608626809 0.144482174864272 0.0297110241363729 0.020288688612489 0.0758581800212436 0.0826418349275478 0.0136593457603841",
    "10 0.0283148957687918 0.0282707793304253 0.000847210176978857 0.000369238383482203 0.00669285092428486 0.00673825291529454 9.08081047009508e-5",
)


@encloses("All 42 printed values at eps = 0.1, 0.5, 1, 2, 5, 10.", Method.ENCLOSURE)
@mutant("0.505 b (1 + b) for y*^3", cubed=lambda b: b * (1 + b) * Fraction(505, 1000))
@mutant("1.01 b + y*^2", variance=lambda b, y: best_variance(b, y) + b / 100)
@mutant("E Z^4 - b y / 100", fourth=lambda b, y: fourth_moment(b, y) - b * y / 100)
@decided(right_digits)
def table(
    cubed: Formula = best_y_cubed,
    fourth: Formula = fourth_moment,
    variance: Formula = best_variance,
) -> ValuesAre:
    """Printed values at eps = 0.1, ..., 10; all but two columns at gamma*."""
    numbers = Balls(128)

    def row(epsilon: Fraction) -> Sequence[Ball]:
        b = decay(epsilon, numbers=numbers)
        root = 1 / numbers.sqrt(b)
        y = numbers.root(cubed(b), 3)
        return (
            y,
            gamma_of_y(b, y),
            variance(b, y),
            fourth(b, y),
            mean_absolute_best_gamma(root),
            mean_absolute(b, 1 / root),
            geometric_variance(b),
        )

    lines = [line.partition(" ") for line in TABLE]
    rows = [((Fraction(epsilon),), printed) for epsilon, _, printed in lines]
    return tabled(COLUMNS, rows, row, "Reference values: {values}.")


CLAIMS = (
    Claim(
        id="KSW-S1",
        source="our own",
        states=(
            mean_absolute_is,
            second_moment_is,
        ),
        domain="b = e^-eps, y = gamma + b (1 - gamma), eps > 0; Delta = 1 (else times Delta, Delta^2)",
        status=Status.PROVED,
        checks=checks_of(mean_absolute_is, second_moment_is),
        ours=True,
    ),
    Claim(
        id="KSW-S3",
        source="our own",
        states=(
            fourth_moment_is,
            table,
        ),
        domain="b = e^-eps, y = gamma + b (1 - gamma), eps > 0; Delta = 1",
        status=Status.PROVED,
        checks=checks_of(fourth_moment_is, table),
        ours=True,
    ),
)
