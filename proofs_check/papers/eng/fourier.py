"""K7, K8 and K9: the errors of a sum of losses by a Fourier integral.

`proofs_check/composition` computes with them: what the trapezoid rule adds (`transform`), what lies
beyond its last point (`transform`, `decay`), and the moments that it adds up (`quadrature`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Domain, Inequality, decided, real_symbols, solve
from proofs_check.steps import ByCheck, ByHand, Cited
from proofs_check.symbolic import diff, exp, identical, sin, symbols

__all__ = ["CLAIMS"]

LESS, MORE = Fraction(99, 100), Fraction(101, 100)
NUMBERS = Balls(64)
CELLS = 1_000
"""In a unit: the largest value is met to a thousandth, and mutants are 1 % off."""


def the_kernel_and_its_transform(times: Fraction = Fraction(1)) -> Finding:
    """-e^(-z s) / z + e^(-(z+1) s) / (z+1) has the derivative e^(-z s) (1 - e^-s), and at 0 the value -1 / (z (z+1))."""
    z, s = symbols("z s", positive=True)
    whole = -times * exp(-z * s) / z + exp(-(z + 1) * s) / (z + 1)
    slope = identical(diff(whole, s), exp(-z * s) * (1 - exp(-s)), {z: (0, 4), s: (0, 4)})
    return every([slope, identical(whole.subs(s, 0), -1 / (z * (z + 1)), {z: (0, 4)})])


@decided(solve, polynomial=True)
def one_alias_more(part: Fraction = Fraction(1)) -> Inequality:
    """The sum of n powers of x is x (1 - y) / (1 - x), y = x^n."""
    x, y = real_symbols("x y")
    domain = Domain((x > 0, x < 1, y >= 0, y <= 1))
    right = x * (1 - part * x * y) / (1 - x)
    says = "One power more is the same formula with one more."
    return Inequality(domain, x * (1 - y) / (1 - x) + x * y, "==", right, says)


@decided(solve, polynomial=True)
def all_aliases_add_up(part: Fraction = Fraction(1)) -> Inequality:
    """However many of them."""
    x, y = real_symbols("x y")
    domain = Domain((x > 0, x < 1, y >= 0, y <= 1))
    says = "Finitely many powers add up to no more than all of them."
    return Inequality(domain, x * (1 - y) / (1 - x), "<=", part * x / (1 - x), says)


@decided(solve, polynomial=True)
def the_poles_are_far(part: Fraction = Fraction(1)) -> Inequality:
    """Of z = c + i y: |z|^2 |z + 1|^2 >= y^4."""
    c, y = real_symbols("c y")
    domain = Domain((c > 0,), free=(y,))
    right = (c**2 + y**2) * ((c + 1) ** 2 + y**2)
    return Inequality(
        domain, part * y**4, "<=", right, "Both poles are at least as far as the height."
    )


@decided(solve, polynomial=True)
def squares_add_up(part: Fraction = Fraction(1)) -> Inequality:
    """1 / n^2 <= 1 / (n - 1) - 1 / n, so the sum over n > N is at most 1 / N."""
    (n,) = real_symbols("n")
    says = "An inverse square is at most a difference of inverses."
    return Inequality(Domain((n > 1,)), part / n**2, "<=", 1 / (n - 1) - 1 / n, says)


def a_uniform_law_and_its_transform(times: Fraction = Fraction(1)) -> Finding:
    """The mean of cos(y x) over |x| <= s / 2 is sin(t) / t, t = y s / 2."""
    x, y, s = symbols("x y s", positive=True)
    whole = sin(y * x) / (times * y)
    domain = {x: (0, 1), y: (1, 3), s: (1, 2)}
    slope = identical(diff(whole, x), sin(y * x).diff(x) / y, domain)
    t = y * s / 2
    mean = (whole.subs(x, s / 2) - whole.subs(x, -s / 2)) / s
    return every([slope, identical(mean, sin(t) / t, domain)])


def the_wave_falls(times: Fraction = Fraction(1)) -> Finding:
    """sin(t) / t has the slope (t cos t - sin t) / t^2, and t cos t - sin t the slope -t sin t."""
    t = symbols("t", positive=True)
    inner = t * sin(t).diff(t) - times * sin(t)
    domain = {t: (1, 3)}
    return every(
        [
            identical(diff(sin(t) / t, t), inner / t**2, domain),
            identical(diff(inner, t), -t * sin(t), domain),
        ]
    )


@proves("|sin(t) / t| <= 0.2173 beyond.", Method.ENCLOSURE)
@mutant("0.2172 for 0.2173", most=Fraction(2172, 10_000))
def the_wave_beyond(most: Fraction = Fraction(2173, 10_000)) -> Finding:
    """|sin(t) / t| <= 0.2173 from pi to 5, cell by cell; from 5 on it is at most 1 / 5."""
    cells = range(3 * CELLS, 5 * CELLS)
    below = (Fraction(at, CELLS) for at in cells)
    values = [abs(NUMBERS.sinc(NUMBERS.between(at, at + Fraction(1, CELLS)))) for at in below]
    found = [certainly_less(value, most) is True for value in values]
    return exactly(all(found) and most >= Fraction(1, 5), f"{sum(found)} of {len(found)} cells")


@decided(solve, polynomial=True)
def turned_ratios_are_smaller(part: Fraction = Fraction(1)) -> Inequality:
    """With b = 1 - q, x = q e^(Re l), k = cos(Im l) >= 0: |R|^2 = b^2 + 2 b x k + x^2."""
    b, x, k = real_symbols("b x k")
    domain = Domain((b >= 0, x >= 0, k >= 0, k <= 1))
    right = part * (b + x) ** 2
    return Inequality(
        domain, b**2 + 2 * b * x * k + x**2, "<=", right, "A turned ratio is at most the ratio."
    )


@decided(solve, polynomial=True)
def turned_ratios_are_no_poles(part: Fraction = Fraction(1)) -> Inequality:
    """The same, from below."""
    b, x, k = real_symbols("b x k")
    domain = Domain((b >= 0, x >= 0, k >= 0, k <= 1))
    says = "A turned ratio is at least what it is without the record."
    return Inequality(domain, part * b**2, "<=", b**2 + 2 * b * x * k + x**2, says)


@decided(solve, polynomial=True)
def turned_ratios_turn_less(part: Fraction = Fraction(1)) -> Inequality:
    """The tangent of the argument of R, x s / (b + x k), is at most s / k, s = sin(Im l)."""
    b, x, k, s = real_symbols("b x k s")
    domain = Domain((b >= 0, x >= 0, k > 0, s >= 0))
    left, right = part * (x * s) * k, s * (b + x * k)
    return Inequality(domain, left, "<=", right, "The ratio turns less than the loss.")


def tilted_normal_laws_move(times: Fraction = Fraction(1)) -> Finding:
    """-x^2 / 2 + a (m x - m^2 / 2) is -(x - a m)^2 / 2 + a (a - 1) m^2 / 2."""
    x, a, m = symbols("x a m", real=True)
    tilted = -(x**2) / 2 + a * (m * x - m**2 / 2)
    right = -((x - a * m) ** 2) / 2 + times * a * (a - 1) * m**2 / 2
    return identical(tilted, right, {x: (-3, 3), a: (1, 5), m: (0, 2)})


def powers_are_convex(times: Fraction = Fraction(1)) -> Finding:
    """y^a has the second derivative a (a - 1) y^(a - 2), which is at least 0 for a >= 1."""
    y, a = symbols("y a", positive=True)
    right = times * a * (a - 1) * y ** (a - 2)
    return identical(diff(y**a, y, 2), right, {y: (1, 4), a: (1, 5)})


@decided(solve, polynomial=True)
def the_error_speaks_of_itself(part: Fraction = Fraction(1)) -> Inequality:
    """An error d <= s m, m <= w + d the moment, w all weights and the tails, s < 1."""
    d, s, m, w = real_symbols("d s m w")
    domain = Domain((d >= 0, s >= 0, s < 1, m >= 0, w >= 0, d <= s * m, m <= w + d))
    says = "An error that is a share of the moment is bounded by the sum alone."
    return Inequality(domain, d, "<=", part * s * w / (1 - s), says)


def _symbolic(says: str, decide: Any, mutant: str, times: Fraction = MORE) -> Check:
    return Check(says, Method.SYMBOLIC, decide, mutants={mutant: {"times": times}})


def _solved(says: str, decide: Any, mutant: str, part: Fraction) -> Check:
    return Check(says, Method.SMT, decide, mutants={mutant: {"part": part}})


ALIASING = Claim(
    id="ENG-K7",
    source="our own, by Poisson's summation",
    says=(
        "For a sum S of finite losses, c > 0 and z = c + i y, the trapezoid rule of step h for the "
        "integral of e^(-e z) E e^(z S) / (2 pi z (z + 1)) is the excess at e and the sum over m != "
        "0 of e^(-c m T) E (1 - e^(-(S - e + m T)))_+, T = 2 pi / h. That sum is at least 0 and at "
        "most x / (1 - x) + A w / (1 - w), x = e^(-c T), w = e^(-(c' - c) T), A = e^(-c' e) E "
        "e^(c' S), for every c' > c."
    ),
    latex=(
        r"\frac{h}{2\pi}\sum_n \frac{e^{-\varepsilon z_n} E e^{z_n S}}{z_n(z_n+1)} ="
        r" \sum_m e^{-cmT} E(1 - e^{-(S - \varepsilon + mT)})_+"
    ),
    domain="E e^(c' S) finite; z_n = c + i n h, n and m over all integers",
    status=Status.PROVED,
    ours=True,
    checks=(
        _symbolic("The kernel has this transform.", the_kernel_and_its_transform, "1.01 / z"),
        _solved("The sum of powers, one by one.", one_alias_more, "0.99 x y", LESS),
        _solved("All of them.", all_aliases_add_up, "0.99 x / (1 - x)", LESS),
    ),
    steps=(
        ByCheck(
            "the_kernel_and_its_transform",
            "So the integral of e^(-z s) (1 - e^-s) over s > 0 is 1 / (z (z + 1)), first for z > 0, and for Re z > 0 since both are analytic.",
        ),
        *by_hand(
            "F(t) = sum over m of e^(-c (t + m T)) (1 - e^(-(t + m T)))_+ has the period T, is continuous with pieces that have a derivative, and its n-th Fourier coefficient is that integral at z_n over T: absolutely summable, so the series is F(t).",
            "Times e^(c t), at t = S - e, in the mean: both sums converge absolutely, since E e^(c S) is finite, |z_n (z_n + 1)| grows like n^2, and terms of the other side are at least 0. The term of m = 0 is the excess.",
            "A term of m > 0 is at most x^m, as what is in brackets is at most 1. For t >= 0, 1 - e^-t <= 1 <= e^(c' t), so the excess at e + |m| T is at most A e^(-c' |m| T), and the term of m < 0 at most A w^|m|.",
        ),
        ByCheck(
            "one_alias_more", "By induction the first n powers add up to x (1 - x^n) / (1 - x)."
        ),
        ByCheck("all_aliases_add_up"),
    ),
)

TRUNCATION = Claim(
    id="ENG-K8",
    source="our own",
    says=(
        "If |M_i(c + i y)| <= r_i M_i(c) for |y| >= N h, what lies beyond N steps of the rule of K7 "
        "is at most e^(-e c) prod (r_i M_i(c))^k_i / (pi N h) in absolute value. Such an r is 1 - "
        "sum w_j (1 - B(N h s_j / 2)) if the tilted law is at least a sum of uniform laws of masses "
        "w_j on intervals of lengths s_j, with B(t) the larger of sin(t) / t and 0.2173 below pi, "
        "and the smaller of 0.2173 and 1 / t from there on."
    ),
    latex=(
        r"\frac{h}{2\pi}\Big|\sum_{|n|>N} \frac{e^{-\varepsilon z_n}\prod_i M_i(z_n)^{k_i}}"
        r"{z_n(z_n+1)}\Big| \le \frac{e^{-\varepsilon c}\prod_i (r_i M_i(c))^{k_i}}{\pi N h}"
    ),
    domain="c > 0, N >= 1, k_i >= 1; the tilted law of a loss has the density e^(c l) / M(c) under its own",
    status=Status.PROVED,
    ours=True,
    checks=checks_of(
        _solved("The poles are far.", the_poles_are_far, "1.01 y^4", MORE),
        _solved("Squares add up.", squares_add_up, "1.01 / n^2", MORE),
        _symbolic("A uniform law.", a_uniform_law_and_its_transform, "1.01 y"),
        _symbolic("sin(t) / t falls up to pi.", the_wave_falls, "1.01 sin t"),
        the_wave_beyond,
    ),
    steps=(
        ByCheck("the_poles_are_far"),
        ByCheck(
            "squares_add_up",
            "Added over n > N, on both sides of 0: twice h / (2 pi) times the sum of 1 / (n h)^2 is at most 1 / (pi N h).",
        ),
        ByCheck(
            "a_uniform_law_and_its_transform",
            "The transform of a uniform law on an interval of length s has the modulus |sin(t) / t|, t = y s / 2: its middle only turns it.",
        ),
        ByHand(
            "M(c + i y) / M(c) is the transform of the tilted law: a mixture of the uniform laws and of something else, whose transform is at most its mass, 1 - sum w_j."
        ),
        ByCheck(
            "the_wave_falls",
            "The inner slope is at most 0 up to pi, from 0 on, so sin(t) / t falls there; |sin(t) / t| <= 1 / t always.",
        ),
        ByCheck("the_wave_beyond", "So B(t) bounds |sin(x) / x| for all x >= t."),
    ),
    note=(
        "`decay` finds such uniform laws from least values of the density in cells: lowered so that "
        "they rise to one cell and fall from there, what lies above each height is an interval."
    ),
)

MOMENTS = Claim(
    id="ENG-K9",
    source="our own, after Trefethen and Weideman 2014 and Trefethen 2013",
    says=(
        "Let R(l) = 1 - q + q e^l, w = 1 + c + i y or w = -c - i y, l = m x - m^2 / 2 with x "
        "standard normal under Q. For a <= pi / (2 m) the trapezoid rule of step t for E R(l)^w, "
        "over all nodes, is in error by at most 2 N / (e^(2 pi a / t) - 1), with N the product of "
        "e^(a^2 / 2 + |y| m a) and E R(l)^(1 + c), or (1 - q)^(-c). Nodes beyond u and below v add "
        "at most (1 - q) T(0) + q e^(c (1 + c) m^2 / 2) T((1 + c) m), or (1 - q)^(-c) T(0), with "
        "T(k) the mass of N(k, 1) beyond u and below v."
    ),
    latex=r"\Big|E R^w - t\sum_n \phi(nt) R(mnt - m^2/2)^w\Big| \le \frac{2N}{e^{2\pi a/t} - 1}",
    domain="0 < q <= 1; c > 0, m > 0, t > 0; v < 0 and u > (1 + c) m are nodes; of w = -c - i y q < 1, and u > 0 is enough",
    status=Status.PROVED,
    ours=True,
    checks=(
        _solved("|R| from above.", turned_ratios_are_smaller, "0.99 (b + x)^2", LESS),
        _solved("|R| from below.", turned_ratios_are_no_poles, "1.01 b^2", MORE),
        _solved("The argument of R.", turned_ratios_turn_less, "1.01 x s k", MORE),
        _symbolic("A tilted normal law.", tilted_normal_laws_move, "1.01 a (a - 1) m^2 / 2"),
        _symbolic("Powers are convex.", powers_are_convex, "1.01 a (a - 1)"),
        _solved("The error, with its own part.", the_error_speaks_of_itself, "0.99 s w", LESS),
    ),
    steps=(
        ByCheck("turned_ratios_are_smaller"),
        ByCheck("turned_ratios_are_no_poles"),
        ByCheck(
            "turned_ratios_turn_less",
            "On |Im x| <= a, |Im l| <= m a <= pi / 2, so the cosine is at least 0: R has no negative real part and no zero, R^w is analytic, and |R^w| <= |R|^(Re w) e^(|y| m a).",
        ),
        ByHand(
            "The square of x + i v has the real part x^2 - v^2, so the normal density there is e^(v^2 / 2) times that at x in absolute value, and Re l is l at x. On every line of the strip the absolute value has an integral of at most N: |R|^(1 + c) is at most its value on the real line, |R|^(-c) at most (1 - q)^(-c)."
        ),
        Cited(
            "Trefethen and Weideman 2014, The exponentially convergent trapezoidal rule",
            "Theorem 5.1",
            "The rule over all nodes is in error by at most 2 N / (e^(2 pi a / t) - 1), for an integrand analytic in |Im x| < a.",
        ),
        ByCheck("powers_are_convex", "So R^(1 + c) <= 1 - q + q e^((1 + c) l)."),
        ByCheck(
            "tilted_normal_laws_move",
            "So q e^((1 + c) l) times the density is a normal density about (1 + c) m, times q e^(c (1 + c) m^2 / 2): a = 1 + c.",
        ),
        ByHand(
            "Beyond its middle a normal density falls: t times the sum over nodes beyond a node is at most the integral from it on. Both middles lie between v and u."
        ),
        ByCheck(
            "the_error_speaks_of_itself",
            "E R^(1 + c) in N is at most the weights, the tails and the error, so it need not be known.",
        ),
    ),
    note=(
        "Of Laplace noise the loss has a density between two masses; Gauss's rule there rests on the "
        "same bounds of R and on Trefethen 2013, Approximation Theory and Approximation Practice, "
        "Theorem 19.3."
    ),
)

CLAIMS = (ALIASING, TRUNCATION, MOMENTS)
