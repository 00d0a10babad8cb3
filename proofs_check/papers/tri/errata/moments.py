"""Errata of the moments and error bounds of Chapter 4 (Regehr, Sections 1.2 and 4.2, Appendix C.4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import certainly_less, endpoints
from proofs_check.language import (
    CONSTANT,
    Counterexample,
    Diverges,
    Domain,
    Inequality,
    all_of,
    decided,
    fails,
    implies,
    real_symbols,
    reals,
    solve,
    valid,
)
from proofs_check.papers.tri.chapter4.coarse_sizes import sample_sizes
from proofs_check.papers.tri.chapter4.gaussian import gaussian_moment
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


@refutes(
    "The roots at lam = 10, 100, 1000 against sqrt(log lam), and sqrt(lam/e).", Method.ENCLOSURE
)
@mutant("against sqrt(lam/e), the right form", base="linear")
def moments_grow(base: str = "log") -> Finding:
    """The root E[|Z|^lam]^(1/lam) outgrows sqrt(log lam): it grows like sqrt(lam/e)."""
    rows, ratios = [], []
    table = ((10, "1.984", "1.517"), (100, "6.086", "2.146"), (1000, "19.187", "2.628"))
    for lam, root_text, log_text in table:
        root = ENCLOSED.power(gaussian_moment(Fraction(lam), numbers=ENCLOSED), Fraction(1, lam))
        claimed = ENCLOSED.sqrt(ENCLOSED.log(lam))
        rate = claimed if base == "log" else ENCLOSED.sqrt(lam / ENCLOSED.exp(1))
        ratios.append(root / rate)
        rows += [(f"the root at lam = {lam}", root_text, root)]
        rows += [(f"sqrt(log {lam})", log_text, claimed)]
    rows.append(("sqrt(1000/e)", "19.180", ENCLOSED.sqrt(1000 / ENCLOSED.exp(1))))
    first, second, third = ratios
    grows = certainly_less(2 * first, second) and certainly_less(2 * second, third)
    return every((exactly(bool(grows), "the ratio more than doubles"), as_printed(rows)))


def third_term(
    n: int, eps: Fraction, delta: Fraction, lam: Fraction, n1: int, last: int, *, numbers: Any
) -> Any:
    """delta^(2-4/lam) (16 n1^(2/lam) + 8 (n2 eps)^(2/lam) + last), psi = 1 and n2 = n/2."""
    n2 = Fraction(n, 2)
    powers = 16 * numbers.power(n1, 2 / lam) + 8 * numbers.power(n2 * eps, 2 / lam) + last
    return numbers.power(delta, 2 - 4 / lam) * powers


def smallest_size(eps: Fraction, delta: Fraction) -> int:
    """Smallest n of equation (4.1) with gamma = delta^2, by iteration from below."""
    n = 1
    while True:
        bounds = [
            endpoints(ENCLOSED.ball(bound))[1]
            for bound in sample_sizes(n, eps, delta, delta**2, numbers=ENCLOSED)
        ]
        need = max(int(-(-bound // 1)) for bound in bounds)
        if need <= n:
            return n
        n = need


RATIOS = {
    3: ("1.1e5", "3.6e6", "3.2e8"),
    4: ("2.3e3", "6.1e3", "4.2e4"),
    5: ("273", "175", "225"),
    6: ("70", "19", "8.2"),
    8: ("13.6", "1.5", ".19"),
}
"""By lam: the third term over 1/n + (n eps)^(-(2 - 2/lam)), at n = 1e4, 1e6, 1e8."""


@refutes(
    "The third term over the claimed rate at delta = 1/n, eps = 1/2, fifteen values.",
    Method.ENCLOSURE,
)
@mutant("1188 for 1200", last=1188)
def third_term_dominates(last: int = 1200) -> Finding:
    """At delta = 1/n and eps = 1/2 the third term exceeds the claimed rate, the more so below 6."""
    rows, eps = [], Fraction(1, 2)
    for column, n in enumerate((10**4, 10**6, 10**8)):
        delta = Fraction(1, n)
        n1 = smallest_size(eps, delta)
        for lam, printed in RATIOS.items():
            rate = Fraction(1, n) + ENCLOSED.power(n * eps, Fraction(2, lam) - 2)
            term = third_term(n, eps, delta, Fraction(lam), n1, last, numbers=ENCLOSED)
            rows.append((f"lam = {lam}, n = {n}", printed[column], term / rate))
    return as_printed(rows)


@proves(
    "Its exponent at delta = 1/n is -2 + 6/lam, at most -1 from lam = 6 on only.", Method.SYMBOLIC
)
@mutant("gamma = delta^3", power=3)
def exponent_at_one_over_n(power: int = 2) -> Finding:
    """gamma^(1-2/lam) n^(2/lam) at gamma = n^(-power) is n^(-2+6/lam) for power = 2.

    -2 + 6/lam <= -1 holds from lam = 6 on only.
    """
    n, lam = symbols("n lambda", positive=True)
    term = identical(
        (1 / n) ** (power * (1 - 2 / lam)) * n ** (2 / lam),
        n ** (-2 + 6 / lam),
        {n: (1, 9), lam: (3, 9)},
    )
    small = valid(
        reals("lam"),
        lambda lam: implies(lam > 2, (6 - 2 * lam <= -lam) == (lam >= 6)),
        polynomial=True,
    )
    return every((term, small))


@proves("The two repairs: gamma = delta^((lam+2)/(lam-2)), or a smaller delta.", Method.SYMBOLIC)
@mutant("(lam+1)/(lam-2)", shift=1)
def repaired_gamma(shift: int = 2) -> Finding:
    """Gamma = delta^((lam+2)/(lam-2)) gives gamma^(1-2/lam) n^(2/lam) = 1/n at delta = 1/n.

    The other repair: gamma = delta^2 with delta = n^(-(lam+2)/(2 (lam-2))).
    """
    n, more = symbols("n more", positive=True)
    lam = 2 + more
    box: dict[Any, tuple[int, int]] = {n: (1, 9), more: (1, 9)}
    gamma = (1 / n) ** ((lam + shift) / (lam - 2))
    delta = (1 / n) ** ((lam + shift) / (2 * (lam - 2)))
    return every(
        identical(g ** (1 - 2 / lam) * n ** (2 / lam), 1 / n, box) for g in (gamma, delta**2)
    )


@refutes("The ratio is 3200 (n2 eps)^(-2/lam): 10119 at n2 eps = 0.01, lam = 8.", Method.SYMBOLIC)
@mutant("1/lam for 2/lam", power=1)
def small_scale(power: int = 2) -> Finding:
    """3200/N^2 over N^(-(2-2/lam)) is 3200 N^(-2/lam): 10119 at N = 0.01, lam = 8; unbounded."""
    N, lam = symbols("N lambda", positive=True)
    ratio = identical(
        3200 / N**2 / N ** (-(2 - 2 / lam)), 3200 * N ** (-power / lam), {N: (0, 5), lam: (2, 9)}
    )
    value = 3200 * ENCLOSED.power(Fraction(1, 100), -Fraction(power, 8))
    return every((ratio, as_printed([("the ratio at N = 0.01, lam = 8", "10119", value)])))


@refutes("At lam = 2 the power of delta is 0; 1/(1 - delta^2) is unbounded.", Method.SMT)
@mutant("2.02 - 4/lam", power=Fraction(101, 50))
def conditional_error(power: int = 2) -> Finding:
    """At lam = 2 the factor delta^(2-4/lam) is 1; and 1/(1 - delta^2) exceeds every K.

    At delta^2 = 1 - 1/(K + 1). With the exponent 2 - 4/lam = 0 the term does not fall with delta.
    """
    no_decay = power - Fraction(4, 2) == 0

    def statement(K: Any, d: Any) -> Any:
        given = all_of(K >= 1, (1 - d) * (K + 1) == 1)
        return implies(given, all_of(0 <= d, d < 1, 1 > K * (1 - d)))

    return every(
        (exactly(no_decay, "2 - 4/2 = 0"), valid(reals("K d"), statement, polynomial=True))
    )


@refutes("delta = 0.1, mu = 3, Var = 1: 8.2 > 1, around delta mu it is 0.91.", Method.EXACT)
@mutant("delta mu for mu, the right form", center=lambda d, mu: d * mu)
@decided(fails)
def fallback_variance(
    center: Callable[[Any, Any], Any] = lambda _, mu: mu,
) -> Counterexample:
    """E(X xi - m)^2 = delta (Var + mu^2) - 2 m delta mu + m^2; at delta = 1/10, mu = 3: 8.2 > 1."""
    d, mu, variance = real_symbols("delta mu V")
    second = d * (variance + mu**2)
    shift = center(d, mu)
    around = second - 2 * shift * d * mu + shift**2
    printed = Inequality(
        Domain((d > 0, d <= 1, variance >= 0), free=(mu,)),
        around,
        "<=",
        second,
        "The squared error of a sampled term around {mu} is at most its second moment, {right}.",
        {"mu": mu},
    )
    return Counterexample(printed, {"delta": Fraction(1, 10), "mu": 3, "V": 1})


@refutes("For every constant C: n2 eps = 1 / (C + 1).", Method.SMT)
@mutant("n2 eps to infinity", shift=0)
@decided(solve, polynomial=True)
def bound_for_all_sizes(shift: int = 1) -> Diverges:
    """3200 / N^2 is not O(psi^2 / N^(2 - 2 / lam)) at lam = 2, psi = 1: N to 0."""
    (N,) = real_symbols("N")
    return Diverges(
        Domain((N > 0,)),
        3200 / (N * N),
        1 / N,
        {"N": 1 / (CONSTANT + 1) if shift else CONSTANT + 9999},
        "The bound holds up to a constant for all sizes and budgets, at the least moment like at "
        "the others: its term {left} is of the order of {right};",
    )


@refutes("For every constant C: delta = 1 - 1 / (2 (C + 1)).", Method.SMT)
@mutant("no factor", power=0)
@decided(solve, polynomial=True)
def bound_given_no_failure(power: int = 1) -> Diverges:
    """1 / (1 - delta^2) is not O(1): delta to 1."""
    (delta,) = real_symbols("delta")
    return Diverges(
        Domain((delta > 0, delta < 1)),
        1 / (1 - delta * delta) if power else 1 + 0 * delta,
        1,
        {"delta": 1 - 1 / (2 * (CONSTANT + 1))},
        "the conditional error has no further factor: {left} is of the order of {right}.",
    )


CLAIMS = (
    Claim(
        id="TRI-ER-04",
        source="Sections 1.2 and 4.2",
        says="The moments of a (sub)normal variable are O((log lam)^(lam/2)).",
        latex=r"\mathbb{E}|Z|^{\lambda} \le O\bigl((\log\lambda)^{\lambda/2}\bigr)",
        status=Status.REFUTED,
        domain="Z standard normal, lam to infinity",
        checks=checks_of(moments_grow),
        why="The moment is 2^(lam/2) Gamma((lam+1)/2)/sqrt(pi), of order (lam/e)^(lam/2).",
        right="O(lam)^(lam/2).",
        corrected_by="TRI-R1.2-gauss",
        steps=(
            ByHand("The roots are at least sqrt(lam/e) times 1 + o(1), by Stirling's formula."),
        ),
        obligations=parts_of(moments_grow),
    ),
    Claim(
        id="TRI-ER-06",
        source="Theorem 1.2.3",
        says="Theorem 1.2.3 (delta <= 1/n, lam > 2) is a special case of Theorem 4.2.1.",
        latex=r"\delta^{2-4/\lambda}(n_1 + n_2\varepsilon)^{2/\lambda} \le O\bigl(\tfrac1n + (n\varepsilon)^{-(2-2/\lambda)}\bigr)",
        status=Status.REFUTED,
        domain="gamma = delta^2, 2 < lam < 6",
        checks=checks_of(third_term_dominates, exponent_at_one_over_n, repaired_gamma),
        why="The third term of Theorem 4.2.1 is of order n^(-2+6/lam) at delta = 1/n.",
        right=(
            "gamma = delta^max(2, (lam+2)/(lam-2)), which leaves the privacy alone and n1 within a "
            "constant factor that depends on lam; or delta <= n^(-(lam+2)/(2(lam-2)))."
        ),
        corrected_by="TRI-T1.2.3",
        obligations=parts_of(third_term_dominates, exponent_at_one_over_n, repaired_gamma),
    ),
    Claim(
        id="TRI-ER-08",
        source="Theorem 4.2.1",
        states=(
            bound_for_all_sizes,
            bound_given_no_failure,
        ),
        status=Status.REFUTED,
        domain="N = n2 eps, lam = 2, psi = 1",
        checks=checks_of(
            bound_given_no_failure, bound_for_all_sizes, small_scale, conditional_error
        ),
        why=(
            "As n2 eps tends to 0 the constant term dominates; conditioning divides by P[not "
            "failed] >= 1 - delta^2, not bounded away from 0."
        ),
        right=(
            "n2 eps >= Omega(1); at lam = 2 no decay in delta; the conditional error has the factor "
            "1/(1 - delta^2) and, from the proof, the exponent 2/lam for the printed 2/(lam - 1)."
        ),
        corrected_by="TRI-T4.2.1",
        obligations=parts_of(small_scale, conditional_error),
    ),
    Claim(
        id="TRI-ER-18",
        source="Appendix C.4, variance of the fallback",
        states=(fallback_variance,),
        status=Status.REFUTED,
        domain="xi is Bernoulli(delta), independent of X with variance V and mean mu",
        checks=checks_of(fallback_variance),
        why="The mean of X xi is delta mu, not mu.",
        right="E(X xi - delta mu)^2 <= E(X xi)^2; the result is unaffected.",
        corrected_by="TRI-T4.2.1",
    ),
)
