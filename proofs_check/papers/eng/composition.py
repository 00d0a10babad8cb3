"""K1 to K6: what an account adds up, and why both of its ends are theorems on equally spaced losses.

`proofs_check/composition` computes with them: masses of a loss on nodes j h, rounded outward, cells
between two nodes spread over their ends (upper) or merged into one (lower).
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.arguments import by_hand
from proofs_check.claim import Check, Claim, Method, Status
from proofs_check.language import (
    Domain,
    Inequality,
    Term,
    decided,
    largest,
    real_symbols,
    solve,
)
from proofs_check.statements.decision import Decided
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS"]

LESS = Fraction(99, 100)


def excess(p: Term, q: Term, e: Term) -> Term:
    """What P exceeds e Q by: max(0, p - e q)."""
    return largest(p - e * q, 0)


@decided(solve, polynomial=True)
def the_past_shifts_the_level(part: Fraction = Fraction(1)) -> Inequality:
    """A past of the probabilities x and y, then an outcome of the probabilities p and q."""
    x, y, p, q, e = real_symbols("x y p q e")
    domain = Domain((x > 0, y >= 0, p >= 0, q >= 0, e >= 0))
    right = x * excess(p, q, part * e * y / x)
    says = "The excess of an outcome behind a past is that of the outcome at a shifted level."
    return Inequality(domain, excess(x * p, y * q, e), "==", right, says)


@decided(solve, polynomial=True)
def equal_laws_exceed_least(part: Fraction = Fraction(1)) -> Inequality:
    """A mass p under both laws, told apart into (x, y) and the rest of both."""
    p, x, y, e = real_symbols("p x y e")
    domain = Domain((x >= 0, y >= 0, p >= x, p >= y, e >= 0))
    right = part * (excess(x, y, e) + excess(p - x, p - y, e))
    says = "Two equal laws exceed no more than any other pair."
    return Inequality(domain, excess(p, p, e), "<=", right, says)


@decided(solve, polynomial=True)
def larger_losses_exceed_more(part: Fraction = Fraction(1)) -> Inequality:
    """Of a mass p at the ratio r the excess is p max(0, 1 - e / r)."""
    p, r, s, e = real_symbols("p r s e")
    domain = Domain((p >= 0, r > 0, s >= part * r, e >= 0))
    says = "Moving mass to a larger loss lowers no excess."
    return Inequality(domain, excess(p, p / r, e), "<=", excess(p, p / s, e), says)


@decided(solve, polynomial=True)
def infinite_masses_add_up(part: Fraction = Fraction(1)) -> Inequality:
    """What is lost in one of two steps has at most the sum of the two masses."""
    a, b = real_symbols("a b")
    domain = Domain((a >= 0, a <= 1, b >= 0, b <= 1))
    says = "Masses at infinity add up at most."
    return Inequality(domain, 1 - (1 - a) * (1 - b), "<=", part * (a + b), says)


@decided(solve, polynomial=True)
def a_cell_is_below_its_chord(part: Fraction = Fraction(1)) -> Inequality:
    """An outcome (p, q) with r q <= p <= g r q, and its masses on the two nodes; e = e^eps."""
    p, q, r, g, e = real_symbols("p q r g e")
    upper = part * (p - r * q) * g / (g - 1)
    lower = p - upper
    domain = Domain((q >= 0, r > 0, g > 1, e >= 0, r * q <= p, p <= g * r * q))
    right = excess(upper, upper / (g * r), e) + excess(lower, lower / r, e)
    says = "Spread over the two nodes about it, with both of its masses kept, no cell exceeds less."
    return Inequality(domain, excess(p, q, e), "<=", right, says)


@decided(solve, polynomial=True)
def the_chord_keeps_both_masses(part: Fraction = Fraction(1)) -> Inequality:
    """The Q-mass of the two nodes is q again."""
    p, q, r, g = real_symbols("p q r g")
    upper = part * (p - r * q) * g / (g - 1)
    domain = Domain((q >= 0, r > 0, g > 1), free=(p,))
    says = "The Q-mass of the nodes is that of the cell."
    return Inequality(domain, upper / (g * r) + (p - upper) / r, "==", q, says)


@decided(solve, polynomial=True)
def merging_exceeds_no_more(part: Fraction = Fraction(1)) -> Inequality:
    """Two outcomes, or shares of them, that are told as one."""
    p, q, x, y, e = real_symbols("p q x y e")
    domain = Domain((p >= 0, q >= 0, x >= 0, y >= 0, e >= 0))
    right = part * (excess(p, q, e) + excess(x, y, e))
    says = "Merging outcomes raises no excess."
    return Inequality(domain, excess(p + x, q + y, e), "<=", right, says)


@decided(solve, polynomial=True)
def a_merged_node_has_its_ratio(part: Fraction = Fraction(1)) -> Inequality:
    """A = p - r q of the cell above, B = r y - x of the cell below; l and m are their shares."""
    p, q, x, y, r, share, other = real_symbols("p q x y r l m")
    above, below = p - r * q, r * y - x
    domain = Domain((r > 0, share * above >= part * other * below))
    left, right = r * (share * q + other * y), share * p + other * x
    says = "The merged ratio is no smaller than that of the node where l A >= m B."
    return Inequality(domain, left, "<=", right, says)


def _check(says: str, decide: Decided, mutant: str) -> Check:
    return Check(says, Method.SMT, decide, mutants={mutant: {"part": LESS}})


PRODUCTS = ByHand(
    "The excess of a product is that of one factor, at shifted levels and with non-negative weights, added up over the other: what holds of one step at every level holds of the product."
)

CLAIMS = (
    Claim(
        id="ENG-K1",
        source="our own, after Zhu, Dong and Wang 2022, Theorem 10",
        says=(
            "If pairs of laws dominate the steps of an account in one direction, their product "
            "dominates the adaptive composition in that direction, in any order of the steps. Where "
            "one pair of data sets has these laws in every step, it loses as much."
        ),
        latex=(
            r"H_{e^\varepsilon}(M_{1:k}(D) \| M_{1:k}(D')) \le "
            r"H_{e^\varepsilon}\Big(\prod_i P_i \Big\| \prod_i Q_i\Big)"
        ),
        domain="parameters of later steps do not depend on what earlier ones released; records are added or removed in all steps alike, or replaced in all; x and y are the probabilities of a past, p and q those of an outcome of the next step, e = e^eps",
        status=Status.PROVED,
        ours=True,
        checks=(
            _check(
                "A past shifts the level of the next step.",
                the_past_shifts_the_level,
                "0.99 e y / x",
            ),
        ),
        steps=(
            ByCheck(
                "the_past_shifts_the_level",
                "So the excess of a composition is the mean over pasts of excesses of the last step, each at most that of its pair, at levels that only the past sets.",
            ),
            *by_hand(
                "Put the pair of the last step in place of it, for every past; the last step is then independent, may be drawn first, and the same holds of the step before it.",
                "Factors of a product commute, so the order of the steps does not matter.",
                "On data sets that have these laws in every step the composition is the product itself.",
            ),
        ),
    ),
    Claim(
        id="ENG-K2",
        source="our own",
        says=(
            "If two neighbors have the dominating pair of every step as their laws, in the same "
            "order of P and Q, the account's total of that direction is what the composition loses "
            "on them, and no smaller total holds of it. And for every list of pairs some mechanisms "
            "are dominated by these in each step, and lose that much in both directions: no smaller "
            "total follows from the parts alone."
        ),
        latex=(
            r"H_{e^\varepsilon}(M_{1:k}(D) \| M_{1:k}(D')) ="
            r" H_{e^\varepsilon}\Big(\prod_i P_i \Big\| \prod_i Q_i\Big)"
        ),
        domain="steps are independent given the data; e = e^eps at least 0, that is eps any real number; of the second part each pair dominates in its own direction, (P_i, Q_i) to remove a record or to put another in place of it, (Q_i, P_i) the other way round",
        status=Status.PROVED,
        ours=True,
        checks=(_check("Equal laws exceed least.", equal_laws_exceed_least, "0.99 of the sum"),),
        steps=(
            ByClaim(
                "ENG-K1",
                "On data sets that have these laws in every step the composition is the product, and nothing else loses more.",
            ),
            *by_hand(
                "For noise, sampled or not, these are data sets of which one record contributes, as much as it may and in one direction in every step, and all others nothing. For a randomized answer they are two answers.",
                "For any pairs let M_i draw from P_i if the data have a fixed record x, and from Q_i otherwise. Neighbors of which one has it and the other has not are (P_i, Q_i), or (Q_i, P_i), in all steps alike; all others have equal laws.",
            ),
            ByCheck(
                "equal_laws_exceed_least",
                "So the pairs dominate these neighbors, too, if they have two outcomes.",
            ),
            ByClaim(
                "ENG-K6", "Of more outcomes all but one are merged first, which raises no excess."
            ),
        ),
        assumes=("ENG-K1",),
    ),
    Claim(
        id="ENG-K3",
        source="our own",
        states=(larger_losses_exceed_more,),
        domain="p is a mass under P at the ratio r of P to Q, e = e^eps",
        status=Status.PROVED,
        ours=True,
        checks=(
            _check("The excess grows with the loss.", larger_losses_exceed_more, "0.99 r for r"),
        ),
        steps=(
            PRODUCTS,
            ByHand(
                "Less mass on a node, or none, exceeds less, and convolution of non-negative numbers is monotone: floors below and ceilings above need no further account."
            ),
        ),
    ),
    Claim(
        id="ENG-K4",
        source="our own",
        states=(infinite_masses_add_up,),
        domain="a and b are masses under P where Q has none, or that are counted so",
        status=Status.PROVED,
        ours=True,
        checks=(
            _check("One or both steps.", infinite_masses_add_up, "0.99 (a + b)"),
            _check("The excess grows with the loss.", larger_losses_exceed_more, "0.99 r for r"),
        ),
        steps=(
            ByCheck(
                "larger_losses_exceed_more",
                "Mass above the last node that is counted as infinite, and mass below the first that stands there, exceed no less; dropped, they exceed no more.",
            ),
        ),
    ),
    Claim(
        id="ENG-K5",
        source="our own, after Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022",
        states=(a_cell_is_below_its_chord, the_chord_keeps_both_masses),
        domain="(p, q) is an outcome of a cell, whose ends have the ratios r and g r, g = e^h; e = e^eps",
        status=Status.PROVED,
        ours=True,
        checks=(
            _check("The excess is convex in the ratio.", a_cell_is_below_its_chord, "0.99 of A"),
            _check("Both masses are kept.", the_chord_keeps_both_masses, "0.99 of A"),
        ),
        steps=(
            ByHand("A cell is a sum, or an integral, of such outcomes, and so are its masses."),
            PRODUCTS,
        ),
    ),
    Claim(
        id="ENG-K6",
        source="our own",
        states=(merging_exceeds_no_more, a_merged_node_has_its_ratio),
        domain="(p, q) and (x, y) are masses under P and Q; l and m are shares",
        status=Status.PROVED,
        ours=True,
        checks=(
            _check(
                "Merging outcomes raises no excess.", merging_exceeds_no_more, "0.99 of the sum"
            ),
            _check("The ratio of what is merged.", a_merged_node_has_its_ratio, "0.99 of m B"),
        ),
        steps=(
            ByHand(
                "So the P-mass of what is merged may stand at the node, with the Q-mass of the node's ratio, which is no smaller than its own: the excess is no larger."
            ),
            PRODUCTS,
        ),
    ),
)
