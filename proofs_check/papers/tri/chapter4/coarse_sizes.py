"""How many records DPUCOARSE needs (Regehr, Section 4.1, equation (4.1))."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.smt import all_of, implies, reals, valid
from proofs_check.steps import ByClaim, ByHand
from proofs_check.symbolic import diff, identical, symbols

__all__ = ["CLAIMS", "sample_sizes"]

Formula = Callable[..., Any]


def sample_sizes(n: Any, eps: Any, delta: Any, gamma: Any, *, numbers: Any) -> tuple[Any, Any, Any]:
    """The three lower bounds on n of equation (4.1), the third one in terms of n itself."""
    return (
        7 + 7 / eps * numbers.log(1 / delta),
        128 * numbers.log(2 / gamma),
        16 / eps * numbers.log(n / gamma),
    )


@proves("At equality each of the two terms of the failure bound is gamma / 2.", Method.SYMBOLIC)
@mutant("exponents smaller by 1 percent", logarithm=Fraction(99, 100))
def failure_at_the_sizes(logarithm: Fraction = Fraction(1)) -> Finding:
    """At n = 128 log(2/gamma) and n = (16/eps) log(n/gamma) each of the two terms is gamma / 2."""
    n, eps, delta, gamma = symbols("n epsilon delta gamma", positive=True)
    _, second, third = sample_sizes(n, eps, delta, gamma, numbers=SYMBOLIC)
    box: dict[Any, tuple[int, int]] = {n: (7, 99), eps: (0, 3), gamma: (0, 1)}
    first = SYMBOLIC.exp(-logarithm * second / 128)
    last = n / 2 * SYMBOLIC.exp(-logarithm * third * eps / 16)
    return every(identical(term, gamma / 2, box) for term in (first, last))


@proves("The third condition, once true for some n >= 16/eps, stays true.", Method.SYMBOLIC)
@mutant("15.9 for 16", constant=Fraction(159, 10))
def stays_true(constant: Fraction = Fraction(16)) -> Finding:
    """N - (16/eps) log(n/gamma) grows from n = 16/eps on: its derivative is 1 - 16 / (n eps)."""
    n, eps, gamma = symbols("n epsilon gamma", positive=True)
    _, _, third = sample_sizes(n, eps, gamma, gamma, numbers=SYMBOLIC)
    box: dict[Any, tuple[int, int]] = {n: (7, 99), eps: (0, 3), gamma: (0, 1)}
    return every(
        (
            identical(diff(n - third, n), 1 - constant / (n * eps), box),
            valid(
                reals("n epsilon"),
                lambda n, eps: implies(all_of(eps > 0, n * eps >= 16), 1 - 16 / (n * eps) >= 0),
                polynomial=True,
            ),
        )
    )


SIZES = (
    (".5", "1e-6", 3626),
    (".9", "1e-3", 1858),
    (".1", "1e-6", 5808),
    (".5", ".1", 679),
    (".9", "1e-2", 1268),
)
"""eps, delta and the smallest n for gamma = delta^2."""


@encloses("The smallest n for gamma = delta^2 at five points.", Method.ENCLOSURE)
@mutant(
    "bounds larger by 1 percent",
    formula=lambda *row, numbers: tuple(
        b * Fraction(101, 100) for b in sample_sizes(*row, numbers=numbers)
    ),
)
@mutant(
    "log(2 n/gamma) in the third",
    formula=lambda n, e, d, g, *, numbers: (
        *sample_sizes(n, e, d, g, numbers=numbers)[:2],
        sample_sizes(2 * n, e, d, g, numbers=numbers)[2],
    ),
)
def smallest_sizes(formula: Formula = sample_sizes) -> Finding:
    """Each size satisfies the three bounds with gamma = delta^2, and the one before does not."""
    for eps_text, delta_text, n in SIZES:
        eps, delta = Fraction(eps_text), Fraction(delta_text)
        for size, wanted in ((n, True), (n - 1, False)):
            bounds = formula(Fraction(size), eps, delta, delta**2, numbers=ENCLOSED)
            below = [certainly_less(bound, size) for bound in bounds]
            enough = False if False in below else all(below) or None
            if enough is not wanted:
                return Finding(
                    holds=None if enough is None else False,
                    detail=f"eps = {eps}, delta = {delta}: {size} is {'' if enough else 'not '}enough",
                )
    return exactly(True, f"{len(SIZES)} sizes, each the smallest")


CLAIMS = (
    Claim(
        id="TRI-E4.1",
        source="Section 4.1, equation (4.1)",
        says="Three explicit lower bounds on n make the failure probability at most gamma.",
        latex=(
            r"n \ge \max\{7 + \tfrac{7}{\varepsilon}\log\tfrac1\delta,\ 128\log\tfrac2\gamma,\ "
            r"\tfrac{16}{\varepsilon}\log\tfrac{n}{\gamma}\} \Rightarrow \Pr[\text{failure}] \le \gamma"
        ),
        status=Status.PROVED,
        domain="eps > 0, 0 < delta, gamma <= 1; the form O(log(n / (gamma delta)) / eps) needs eps = O(1)",
        checks=checks_of(failure_at_the_sizes, stays_true, smallest_sizes),
        assumes=("TRI-P4.1.3",),
        steps=(
            *by_checks(failure_at_the_sizes, stays_true),
            ByHand(
                "exp(-n/128) falls in n, and (n/2) exp(-n eps/16) <= gamma/2 is the third condition itself."
            ),
            ByClaim("TRI-P4.1.3", "The failure probability that these sizes bound."),
        ),
    ),
)
