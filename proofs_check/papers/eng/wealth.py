"""T3, T4 and T6: wealth over batches, lower bounds from nested claims, and many pairs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Condition, for_all
from proofs_check.papers.eng.binomial import binomial
from proofs_check.papers.eng.e_values import line_factors
from proofs_check.smt import all_of, any_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import diff, identical, log, symbols

__all__ = ["CLAIMS", "harmonic_level"]

ONE_PERCENT = Fraction(101, 100)
ALPHA = Fraction(1, 20)


@proves("A mixture of e-values has mean at most 1.", Method.SMT)
@mutant("weights that sum to 1.01", total=ONE_PERCENT)
def mixtures(total: Fraction = Fraction(1)) -> Finding:
    """Weights w >= 0 that sum to 1 and means E_j <= 1 give sum w_j E_j <= 1, for three experts."""

    def statement(*terms: Any) -> Any:
        w, e = terms[:3], terms[3:]
        given = all_of(*(x >= 0 for x in w), *(x <= 1 for x in e), sum(w) == exact(total))
        return implies(given, sum(u * x for u, x in zip(w, e, strict=True)) <= 1)

    return valid(reals("w0 w1 w2 e0 e1 e2"), statement, polynomial=True)


@proves(
    "A prefix of equal share of both arms is an e-value of its own, and so is the rest.",
    Method.SYMBOLIC,
)
@mutant("m2 = 1.01 c n2", times=ONE_PERCENT)
def prefixes(times: Fraction = Fraction(1)) -> Finding:
    """m1 = c n1, m2 = c n2: d/dw [m1 log(1 + w/n1) + m2 log(1 - w/n2)] has the sign of -w."""
    n1, n2, c, w = symbols("n1 n2 c w", positive=True)
    prefix = c * n1 * log(1 + w / n1) + times * c * n2 * log(1 - w / n2)
    right = -c * w * (1 / n1 + 1 / n2) / ((1 + w / n1) * (1 - w / n2))
    return identical(diff(prefix, w), right, {n1: (1, 9), n2: (1, 9), c: (0, 1), w: (0, 1)})


def outcomes() -> list[tuple[Fraction, Fraction]]:
    """E-value and probability of one draw of each arm: P(S) = 3/4, Q(S) = 1/4, s = 3, mu = 1/3."""
    p, q, mu = Fraction(3, 4), Fraction(1, 4), Fraction(1, 3)
    factors = [line_factors(inside, p, q, 3, mu) for inside in (0, 1)]
    return [
        (factors[x][0] * factors[y][1], (p if x else 1 - p) * (q if y else 1 - q))
        for x, y in product((0, 1), repeat=2)
    ]


def crossing_probability(batches: int, level: Fraction, multiplied: bool) -> Fraction:
    """P(wealth >= 1 / level at some look or end of a batch); each batch has a look half-way."""
    one = outcomes()
    alive, crossed = {Fraction(1): Fraction(1)}, Fraction(0)
    for _ in range(batches):
        following: dict[Fraction, Fraction] = {}
        for wealth, chance in alive.items():
            for (first, p), (second, q) in product(one, repeat=2):
                look = wealth * first
                end = (look if multiplied else wealth) * first * second
                if max(look, end) * level >= 1:
                    crossed += chance * p * q
                else:
                    following[end] = following.get(end, Fraction(0)) + chance * p * q
        alive = following
    return crossed


@confirms("Exactly, over six batches: looks that are compared keep the level.", Method.EXACT)
@mutant("a half look multiplied in", multiplied=True)
def looks_are_compared(multiplied: bool = False, level: Fraction = Fraction(1, 4)) -> Finding:
    """Six batches at level 1/4: looks that are compared keep it; multiplied in they break it."""
    one = outcomes()
    fair = sum(e * p for e, p in one) == 1
    found = crossing_probability(6, level, multiplied)
    return exactly(fair and found <= level, f"P = {float(found):.4f} for level {level}")


@confirms(
    "Looks of unequal share do not: their mean exceeds 1, and P(>= 20) exceeds 0.05.",
    Method.ENCLOSURE,
)
@mutant("shares of 1/10 each", looks=(1, 100))
def unequal_looks(looks: tuple[int, int] = (10, 10), level: Fraction = ALPHA) -> Finding:
    """Arms of 10 and 1000: 10 draws of both are no prefix (mean 20.9); one draw of 10, 100 is one."""
    numbers = Balls(128)
    e = numbers.exp(numbers.rational(Fraction(1)))
    p, mu = Fraction(9, 10), 5
    p0, q = p / 5, p / e
    (first, rest), (second, other) = (
        [line_factors(inside, p0, q / 5, e, Fraction(mu, size))[arm] for inside in (1, 0)]
        for arm, size in ((0, 10), (1, 1000))
    )
    mean = (p * first + (1 - p) * rest) ** looks[0] * (q * second + (1 - q) * other) ** looks[1]
    if certainly_less(1, mean) is not True:
        return exactly(False, f"mean {mean!r}")
    chance = numbers.rational(Fraction(0))
    for x, y in product(range(looks[0] + 1), range(looks[1] + 1)):
        value = first**x * rest ** (looks[0] - x) * second**y * other ** (looks[1] - y)
        if certainly_less(1 / level, value) is True:
            chance = chance + binomial(looks[0], x, p) * binomial(looks[1], y, q)
    holds = certainly_less(level, chance)
    return Finding(holds=holds, detail=f"mean {mean!r}, P(at least 20) > {chance!r}")


@confirms("A choice made from the batch itself has a mean above 1.", Method.EXACT)
@mutant("the better bet after the draw", after=True)
def choices_are_made_before(after: bool = False) -> Finding:
    """Two fair bets: a choice fixed before the draw has mean 1, the better one after it more."""
    values = [Fraction(3, 2), Fraction(1, 2)]
    pairs = [(x, 2 - x) for x in values]
    found = sum(max(pair) if after else pair[0] for pair in pairs) / 2
    return exactly(found <= 1, f"mean {found}")


@proves("A claim implies every weaker one.", Method.SMT)
@mutant("0.99 s", larger=Fraction(99, 100))
@for_all(reals("p q s t more extra"), polynomial=True)
def nested_claims(
    p: Any, q: Any, s: Any, t: Any, more: Any, extra: Any, *, larger: Fraction = Fraction(1)
) -> Condition:
    """P <= s q + t, s <= s' and t <= t' imply p <= s' q + t': a claim implies all weaker ones."""
    given = all_of(q >= 0, more >= 0, extra >= 0, s >= 0, t >= 0, p <= s * q + t)
    return implies(given, p <= (s * larger + more) * q + t + extra)


@confirms(
    "A limit above theta* needs the rejection of one null that is fixed in advance.", Method.EXACT
)
@mutant("the largest point rejected anywhere", anywhere=True)
def rejected_prefix(points: int = 6, anywhere: bool = False) -> Finding:
    """For every pattern of rejections a limit above theta* means that one fixed null was rejected."""
    cases = 0
    for pattern in product((False, True), repeat=points):
        if anywhere:
            reported = max((j for j in range(points) if pattern[j]), default=-1)
        else:
            reported = next((j for j in range(points) if not pattern[j]), points) - 1
        for first_true in range(points):  # smallest grid point that is at least theta*
            cases += 1
            if reported >= first_true and not pattern[first_true]:
                return exactly(False, f"reported point {reported} of {pattern}")
    return exactly(True, f"{cases} cases")


@confirms(
    "Ten refinements keep the level if inserted points inherit the wealth at hand.", Method.EXACT
)
@mutant("fresh wealth for each", inherited=False)
def refinement(inherited: bool = True, rounds: int = 10) -> Finding:
    """Points inserted ten times, each with an all-in bet of chance alpha: error alpha if inherited."""
    wealth_law = {Fraction(1): Fraction(1)}
    error = Fraction(0)
    for _ in range(rounds):
        following: dict[Fraction, Fraction] = {}
        for wealth, chance in wealth_law.items():
            held = wealth if inherited else Fraction(1)
            target = 1 / (ALPHA * held) if held else Fraction(0)
            won = (
                1 / target if target else Fraction(0)
            )  # a fair bet: the chance of reaching 1/alpha
            error += chance * won
            following[Fraction(0)] = following.get(Fraction(0), Fraction(0)) + chance * (1 - won)
        wealth_law = following
    return exactly(error <= ALPHA, f"error {float(error):.4f} at level {float(ALPHA)}")


@proves("e-BH rejects only where the mean of the e-values is 1 / alpha or more.", Method.SMT)
@mutant("1.01 / alpha", times=ONE_PERCENT)
def rejection_needs_a_large_mean(places: int = 3, times: Fraction = Fraction(1)) -> Finding:
    """Sorted e-values with e_(k) >= m / (k alpha) for some k have a mean of at least 1 / alpha."""

    def statement(*e: Any) -> Any:
        level = exact(ALPHA)
        sorted_ = [e[j] >= e[j + 1] for j in range(places - 1)]
        found = any_of(*(e[k - 1] * k * level >= places for k in range(1, places + 1)))
        given = all_of(e[-1] >= 0, *sorted_, found)
        return implies(given, sum(e) * level >= exact(times) * places)

    return valid(reals(" ".join(f"e{j}" for j in range(places))), statement)


def harmonic_level(alpha: Fraction, pairs: int) -> Fraction:
    """Alpha (1 + 1/2 + ... + 1/m): what e-BH on running maxima can reach."""
    return sum((alpha / k for k in range(1, pairs + 1)), Fraction(0))


@confirms(
    "On running maxima of fair games e-BH can err with alpha (1 + 1/2 + ... + 1/12).", Method.EXACT
)
@mutant("wealth when stopped", stopped=True)
def maxima_are_no_e_values(stopped: bool = False, pairs: int = 12) -> Finding:
    """K of 12 pairs peak at 12 / (k alpha) together, with chance alpha / k: e-BH errs 0.1552."""
    error = Fraction(0)
    reached = [Fraction(0)] * (pairs + 1)  # P(a given pair peaks at 12 / (k alpha))
    for k in range(1, pairs + 1):
        chance = ALPHA / k
        reached[k] = chance * Fraction(k, pairs)
        height = Fraction(pairs) / (k * ALPHA)
        values = [height] * k + [Fraction(1)] * (pairs - k)
        if stopped:  # all but the highest rung fall to 0 before the end
            values = [height if k == 1 else Fraction(0)] * k + [Fraction(0)] * (pairs - k)
        values.sort(reverse=True)
        if any(values[j - 1] * j * ALPHA >= pairs for j in range(1, pairs + 1)):
            error += chance
    # the ladder is a fair game: P(peak >= h) = 1 / h on every rung
    fair = all(sum(reached[: k + 1]) == k * ALPHA / pairs for k in range(1, pairs + 1))
    holds = error > ALPHA and error == harmonic_level(ALPHA, pairs)
    return exactly(fair and holds, f"error {float(error):.4f}")


CLAIMS = (
    Claim(
        id="ENG-T3",
        source="our own",
        says=(
            "Wealth that is multiplied, batch by batch, by mixtures of e-values chosen from the "
            "past is a non-negative supermartingale; refuting when it reaches 1/alpha, at any look "
            "that is a prefix of equal share of both arms, errs with probability at most alpha."
        ),
        latex=(
            r"W_k = W_{k-1} \sum_j w_{jk} E_{jk} \implies "
            r"P(\sup_k W_k \ge 1/\alpha) \le \alpha"
        ),
        domain="weights, bets, partitions and sizes fixed before each batch; m1 / n1 = m2 / n2",
        status=Status.PROVED,
        checks=checks_of(
            mixtures, prefixes, looks_are_compared, unequal_looks, choices_are_made_before
        ),
        assumes=("ENG-T1", "ENG-T2"),
        ours=True,
        steps=(
            ByCheck("prefixes"),
            Cited(
                "Ville 1939, Etude critique de la notion de collectif",
                "the maximal inequality for non-negative supermartingales",
                "Given the past each E_jk has mean at most 1, so W is a supermartingale with W_0 = 1, and Ville's inequality gives the bound.",
            ),
            ByHand(
                "A look is W_(k-1) times the e-value of a prefix; the rest of the batch has conditional mean at most 1 (the derivative has the sign of -w, so prefix and rest are largest at w = 0), so the sequence of looks and ends is a supermartingale as long as a look is compared and not kept."
            ),
            ByCheck(
                "mixtures",
                "Mixtures over partitions, events, lines or restarts are mixtures with weights fixed in advance.",
            ),
        ),
    ),
    Claim(
        id="ENG-T4",
        source="our own",
        says=(
            "For nested claims the largest point of the rejected prefix of a grid, fixed before "
            "the first bet, exceeds the true parameter with probability at most alpha."
        ),
        latex=r"L = \max\{\theta_i : \sup_k W_k(\theta_j) \ge 1/\alpha\ \forall j \le i\},\ P(L > \theta^*) \le \alpha",
        domain="claims that grow with theta; points inserted later inherit the next larger wealth",
        status=Status.PROVED,
        checks=checks_of(nested_claims, rejected_prefix, refinement),
        assumes=("ENG-T3",),
        ours=True,
        steps=(
            ByCheck("nested_claims"),
            ByClaim(
                "ENG-T3",
                "Let theta_i be the smallest grid point that is at least theta*. The claim holds there, so its test errs with probability at most alpha, and L > theta* needs it to reject.",
            ),
            ByHand(
                "An e-process against the claim at theta' is one against each smaller claim, so a point inserted below theta' may go on with the wealth of theta'."
            ),
        ),
        note="With fresh wealth the error can reach 1 - (1 - alpha)^10 = 0.40.",
    ),
    Claim(
        id="ENG-T6",
        source="our own",
        says=(
            "One wealth, bet on pairs that the past chooses, tests the claim for all pairs at level "
            "alpha; pairs are named by Bonferroni on running maxima or by e-BH on the wealths held "
            "when the audit stops, not on their maxima."
        ),
        latex=(
            r"E[E_k \mid \mathcal F_{k-1}] \le 1;\quad e_{(k)} \ge m/(k\alpha) \implies "
            r"\tfrac1m \textstyle\sum_j e_j \ge 1/\alpha"
        ),
        domain="every batch draws afresh from both arms of its pair",
        status=Status.PROVED,
        checks=checks_of(
            Check(
                "Shares of the wealth among pairs, fixed before the batch, keep its mean at 1.",
                Method.SMT,
                mixtures,
                mutants={"shares that sum to 1.01": {"total": ONE_PERCENT}},
            ),
            rejection_needs_a_large_mean,
            maxima_are_no_e_values,
        ),
        assumes=("ENG-T3",),
        ours=True,
        steps=(
            *by_checks(mixtures, rejection_needs_a_large_mean),
            ByClaim(
                "ENG-T3",
                "A batch of whichever pair has conditional mean at most 1, so the wealth is the supermartingale of T3.",
            ),
            ByHand(
                "Bonferroni: each pair's wealth reaches m / alpha with probability at most alpha / m by Ville. e-BH with all pairs at the claim: if e_(k) >= m / (k alpha) then the k largest alone sum to m / alpha (checked for three), and the mean of e-values reaches 1 / alpha with probability at most alpha (Markov)."
            ),
            Cited(
                "Wang and Ramdas 2022, False discovery rate control with e-values",
                "the e-BH procedure",
                "With some pairs beyond it the share of false discoveries is the sum over true nulls of 1(e_j >= m / (k alpha)) / k <= alpha e_j / m, of mean at most alpha (Wang and Ramdas).",
            ),
            ByHand(
                "At a stopping time wealths are e-values; maxima are not: on the ladder each pair's peak exceeds h with probability exactly 1 / h, as for a fair game, and the level is 0.1552."
            ),
        ),
    ),
)
