"""T1 and T2: bets whose mean is at most 1 under a privacy claim, computed from counts.

Arms are P (the data) and Q (the neighbor), independent, with independent draws in each.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, for_all
from proofs_check.papers.eng.binomial import mean_over_counts
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, choose, exact, implies, reals, valid
from proofs_check.symbolic import diff, exp, identical, log, symbols

__all__ = ["CLAIMS", "graded_factors", "line_factors"]

ONE_PERCENT = Fraction(101, 100)


def line_factors(inside: Any, p0: Any, q0: Any, s: Any, mu: Any) -> tuple[Any, Any]:
    """A = 1 + mu (1_S - p0) and b = 1 - s mu (1_S - q0); `inside` is 1_S of each draw."""
    return 1 + mu * (inside - p0), 1 - s * mu * (inside - q0)


def graded_factors(
    h: Any, g: Any, alpha: Any, beta: Any, s: Any, times: Any = 1
) -> tuple[Any, Any]:
    """A = alpha + h - s g and b = beta - s h + g of a cell."""
    return alpha + h - s * g * times, beta - s * h + g


@proves("E a = 1 + x and E b = 1 - y with x - y = mu (p - s q - t).", Method.SYMBOLIC)
@mutant("mu larger by 1 % on the event", scale=ONE_PERCENT)
def line_means(scale: Fraction = Fraction(1)) -> Finding:
    """E a = 1 + x and E b = 1 - y with x = mu (p - p0), y = mu s (q - q0); x - y = mu (p - sq - t)."""
    p, q, q0, s, t, mu = symbols("p q q0 s t mu", positive=True)
    p0 = s * q0 + t
    (a, b), (rest_a, rest_b) = (
        line_factors(i, p0, q0, s, mu * (scale if i else 1)) for i in (1, 0)
    )
    x, y = mu * (p - p0), mu * s * (q - q0)
    domain = dict.fromkeys((p, q, q0, t, mu), (0, 1)) | {s: (1, 3)}
    return every(
        [
            identical(p * a + (1 - p) * rest_a, 1 + x, domain),
            identical(q * b + (1 - q) * rest_b, 1 - y, domain),
            identical(x - y, mu * (p - s * q - t), domain),
        ]
    )


@proves("x <= y <= 1 implies (1 + x)(1 - y) <= 1.", Method.SMT)
@mutant("at most 0.99", slack=Fraction(1, 100))
@for_all(reals("x y"), polynomial=True)
def line_product(x: Any, y: Any, *, slack: Fraction = Fraction(0)) -> Condition:
    """X <= y and E b = 1 - y >= 0 imply (1 + x)(1 - y) <= 1."""
    return implies(all_of(x <= y, y <= 1), (1 + x) * (1 - y) <= (1 - slack))


@proves("With mu / n1 and mu / n2 the product of all draws is largest at w = 0.", Method.SYMBOLIC)
@mutant("stakes not divided by the sizes", divided=False)
@mutant("1.01 mu / n2", times=ONE_PERCENT)
def unequal_sizes(divided: bool = True, times: Fraction = Fraction(1)) -> Finding:
    """d/dw [n1 log(1 + w/n1) + n2 log(1 - w/n2)] = -w (1/n1 + 1/n2)/((1 + w/n1)(1 - w/n2))."""
    n1, n2, w = symbols("n1 n2 w", positive=True)
    up, down = (w / n1, times * w / n2) if divided else (w, times * w)
    slope = diff(n1 * log(1 + up) + n2 * log(1 - down), w)
    right = -w * (1 / n1 + 1 / n2) / ((1 + up) * (1 - down))
    return identical(slope, right, {n1: (2, 9), n2: (20, 30), w: (0, 1)})


@confirms(
    "Summed over all counts the mean is at most 1 on the boundary of the claim.", Method.EXACT
)
@mutant("a draw lost in one arm", lost=1)
@mutant("p = 3.03 q + t", slope=3 * ONE_PERCENT)
def mean_from_counts(
    lost: int = 0, slope: Fraction = Fraction(3), offset: Fraction = Fraction(1, 10)
) -> Finding:
    """Arms of 3 draws, p = min(1, 3q + 1/10): the mean over counts is at most 1, and 1 at q = q0."""
    q0, mu = Fraction(1, 5), Fraction(2, 5)
    p0 = Fraction(3) * q0 + Fraction(1, 10)
    (a, b), (rest_a, rest_b) = (line_factors(i, p0, q0, Fraction(3), mu) for i in (1, 0))
    sizes = (3, 3 - lost)

    def e_value(x: int, y: int) -> Fraction:
        return Fraction(a**x * rest_a ** (sizes[0] - x) * b**y * rest_b ** (sizes[1] - y))

    for j in range(41):
        q = Fraction(j, 40)
        p = min(Fraction(1), slope * q + offset)
        found = mean_over_counts(e_value, sizes, p, q)
        if found > 1 or (q == q0 and found != 1):
            return exactly(False, f"mean {float(found):.6f} at q = {q}")
    return exactly(True, "41 pairs on the boundary of the claim")


@proves("Cell by cell P a + Q b = alpha P + beta Q + h (P - sQ) + g (Q - sP).", Method.SYMBOLIC)
@mutant("a = alpha + h - 1.01 s g", times=ONE_PERCENT)
def cell_identity(times: Fraction = Fraction(1)) -> Finding:
    """P a + Q b = alpha P + beta Q + h (P - sQ) + g (Q - sP), cell by cell."""
    p, q, h, g, s, alpha, beta = symbols("P Q h g s alpha beta", positive=True)
    a, b = graded_factors(h, g, alpha, beta, s, times)
    right = alpha * p + beta * q + h * (p - s * q) + g * (q - s * p)
    return identical(p * a + q * b, right, dict.fromkeys((p, q, h, g, s, alpha, beta), (0, 2)))


@proves("Stakes between 0 and l gain at most l times the largest gap of an event.", Method.SMT)
@mutant("0.99 l", limit=Fraction(99, 100))
def stakes_are_bounded(limit: Fraction = Fraction(1), cells: int = 3) -> Finding:
    """0 <= h_j <= l gives sum h_j x_j <= l max over events of sum x_j, for three cells."""

    def statement(*terms: Any) -> Any:
        h, x, bound, largest = terms[:cells], terms[cells:-2], terms[-2], terms[-1]
        given = [0 <= stake for stake in h] + [stake <= bound for stake in h]
        for mask in range(2**cells):
            event = [x[j] for j in range(cells) if mask >> j & 1]
            given.append(sum(event, exact(0)) <= largest)
        # per cell h x <= bound max(x, 0), and the positive cells are an event
        parts = [choose(v >= 0, v, exact(0)) for v in x]
        per_cell = all_of(
            *(u * v <= bound * exact(limit) * part for u, v, part in zip(h, x, parts, strict=True))
        )
        return implies(all_of(*given), all_of(per_cell, sum(parts, exact(0)) <= largest))

    names = [f"{letter}{j}" for letter in "hx" for j in range(cells)]
    return valid(reals(" ".join([*names, "bound", "largest"])), statement)


@proves("Two means that sum to at most 2 have a product of at most 1.", Method.SMT)
@mutant("a sum of 2.02", total=Fraction(202, 100))
@for_all(reals("a b"), polynomial=True)
def product_of_means(a: Any, b: Any, *, total: Fraction = Fraction(2)) -> Condition:
    """A, B >= 0 and A + B <= 2 imply A B <= 1."""
    return implies(all_of(a >= 0, b >= 0, a + b <= total), a * b <= 1)


@confirms("Arms of one seed break the product, though not the sum a + b - 1.", Method.EXACT)
@mutant("independent arms", coupled=False)
def arms_must_be_independent(coupled: bool = True) -> Finding:
    """Drawn with one seed, randomized response gives E a(X) b(Y) > 1; a + b - 1 still has mean 1."""
    p, q, s, mu = Fraction(3, 4), Fraction(1, 4), Fraction(3), Fraction(1, 3)
    factors = {i: line_factors(i, p, q, s, mu) for i in (0, 1)}
    # X = 1 where the seed is below p; Y = 1 where it is above 1 - q: never larger together
    joint = {(1, 1): Fraction(0), (1, 0): p, (0, 1): q, (0, 0): Fraction(0)}
    if not coupled:
        joint = {(x, y): (p if x else 1 - p) * (q if y else 1 - q) for x in (0, 1) for y in (0, 1)}
    product = sum(chance * factors[x][0] * factors[y][1] for (x, y), chance in joint.items())
    added = sum(chance * (factors[x][0] + factors[y][1] - 1) for (x, y), chance in joint.items())
    return exactly(product > 1 and added == 1, f"product {product}, sum {added}")


@proves(
    "The likelihood ratio of randomized response to its projection is a graded bet.",
    Method.SYMBOLIC,
)
@mutant("another p', larger by 1 %", times=ONE_PERCENT)
def projection_is_a_graded_bet(times: Fraction = Fraction(1)) -> Finding:
    """Randomized response: p / p' and (1-p)/(1-p') with p' = s/(1+s) are 1 + h and 1 - s h."""
    p, s = symbols("p s", positive=True)
    near = s / (1 + s) * times
    h = p / near - 1
    a, rest = graded_factors(h, 0, 1, 1, s)
    domain = {p: (0, 1), s: (1, 4)}
    return every([identical(a, p / near, domain), identical(rest, (1 - p) / (1 - near), domain)])


@encloses("Its growth against the claim 0.9 is 1.996e-3.", Method.ENCLOSURE)
@mutant("the claim 0.909", claimed=Fraction(909, 1000))
def growth_of_the_projection(claimed: Fraction = Fraction(9, 10)) -> Finding:
    """2 KL(p | p') of randomized response of eps 1 against the claim 0.9 is 1.996e-3."""
    numbers = Balls(192)
    one, far = (numbers.exp(numbers.rational(x)) for x in (Fraction(1), claimed))
    p, near = one / (1 + one), far / (1 + far)
    kl = p * numbers.log(p / near) + (1 - p) * numbers.log((1 - p) / (1 - near))
    return as_printed([("growth", "1.996e-3", 2 * kl)])


@proves("log x <= x - 1, with equality at 1 only.", Method.SYMBOLIC)
@mutant("1.01 log x", times=ONE_PERCENT)
def gibbs(times: Fraction = Fraction(1)) -> Finding:
    """d/dx (x - 1 - log x) = (x - 1) / x, 0 only at 1: log x <= x - 1, so E log e <= KL."""
    x = symbols("x", positive=True)
    found = identical(diff(x - 1 - log(x) * times, x), (x - 1) / x, {x: (0, 5)})
    return every([found, identical(exp(log(x)), x, {x: (0, 5)})])


CLAIMS = (
    Claim(
        id="ENG-T1",
        source="our own",
        says=(
            "Under the claim P(S) <= s Q(S) + t a bet on an event S against a line, with factors "
            "a on one arm and b on the other, has mean at most 1; the counts of both arms suffice."
        ),
        latex=(
            r"E\prod_i a(X_i) b(Y_i) \le 1,\quad a = 1 + \mu(1_S - p_0),\ "
            r"b = 1 - s\mu(1_S - q_0),\ p_0 = s q_0 + t"
        ),
        domain="s, t, mu >= 0, 0 <= q0 <= 1, a, b >= 0; arms of sizes n1, n2 with mu/n1 and mu/n2",
        status=Status.PROVED,
        checks=checks_of(line_means, line_product, unequal_sizes, mean_from_counts),
        ours=True,
        steps=(
            *by_checks(line_means, line_product, unequal_sizes),
            *by_hand(
                "p <= s q + t gives x <= y; b >= 0 gives y <= 1, and a >= 0 gives 1 + x >= 0.",
                "Draws are independent, so the mean of the product is (1 + x)^m (1 - y)^m <= 1, and the product depends on the draws through the counts alone.",
                "For sizes n1 and n2: x <= y = w, so it is at most (1 + w/n1)^n1 (1 - w/n2)^n2, whose logarithm has a derivative of the sign of -w where both factors are positive, and is 0 at w = 0.",
            ),
        ),
    ),
    Claim(
        id="ENG-T2",
        source="our own",
        says=(
            "Under (eps, delta)-privacy in both directions a graded bet on the cells of any "
            "partition has mean at most 1, and the best one grows as fast as any e-value can."
        ),
        latex=(
            r"a_j = \alpha + h_j - s g_j,\ b_j = \beta - s h_j + g_j,\ \alpha + \beta = "
            r"2 - \delta(l_1 + l_2) \implies E_P a \cdot E_Q b \le 1"
        ),
        domain="0 <= h <= l1, 0 <= g <= l2, a, b >= 0, s = e^eps; independent arms",
        status=Status.PROVED,
        checks=checks_of(
            cell_identity,
            stakes_are_bounded,
            product_of_means,
            arms_must_be_independent,
            projection_is_a_graded_bet,
            growth_of_the_projection,
            gibbs,
        ),
        ours=True,
        steps=(
            *by_checks(
                cell_identity,
                stakes_are_bounded,
                product_of_means,
                projection_is_a_graded_bet,
                gibbs,
            ),
            *by_hand(
                "Sum over cells: E_P a + E_Q b = alpha + beta + sum h (P - sQ) + sum g (Q - sP), and each sum is at most l delta by the claim for the event of positive cells; with a, b >= 0 the product of the means is at most 1, which is the mean of the product for independent arms.",
                "Growth: an e-value e has mean at most 1 under each pair (P', Q') of the claim, so by log x <= x - 1 its growth is at most KL(P|P') + KL(Q|Q'); a bet with a = P/P' and b = Q/Q' attains it.",
                "At the projection of (P, Q) on the claim, a convex program with the constraints sum (P' - sQ')_+ <= delta and sum (Q' - sP')_+ <= delta, the conditions of Karush, Kuhn and Tucker read P/P' = alpha + h - s g and Q/Q' = beta - s h + g with h = l1 u, g = l2 v and subgradients u, v in [0, 1] of the positive parts; summed against P' and Q' they give alpha + beta = 2 - delta (l1 + l2) by complementary slackness and the cells' identity.",
                "So the ratio to the projection is a graded bet.",
            ),
        ),
        note="The checks confirm it for randomized response.",
    ),
)
