"""Exact conditional test of p <= s q from draws with random labels (ENG-T7).

T7. Each draw gets its arm by an independent coin, "likelier" with probability pi. Let the event
have probability p in that arm and q in the other, and let the claim be p <= s q. Then a draw in the
event comes from the likelier arm with probability

    r = pi p / (pi p + (1 - pi) q) <= pi s / (pi s + 1 - pi),

independently of all others. Given the number m of draws in the event, the hits of the likelier arm
are therefore Bin(m, r), whatever p and q are: the binomial tail is an exact p-value, and the exact
interval of Clopper and Pearson for r is one for log(p / q).

Proof sketch. The pairs (label, is in the event) are independent and equally distributed, so given
which draws are in the event their labels are independent, each with the probability above, which
grows with p / q.

The labels must be random. With arms of fixed sizes n1 and n2 the hits given m are not binomial but
noncentral hypergeometric with odds p (1 - q) / (q (1 - p)), a law that depends on p and q
themselves and not on their ratio alone; the test may then err more often than it says.
"""

from __future__ import annotations

import math

from audit.draws.binomial_tails import binomial_above

__all__ = ["conditional_epsilon_lower", "conditional_p_value"]


def conditional_p_value(
    hits: int, other_hits: int, epsilon: float, *, label_share: float = 0.5
) -> float:
    """Probability of at least so many hits of the likelier arm, given the hits of both (T7).

    Parameters
    ----------
    hits, other_hits : int
        Draws in the event on the likelier and on the other arm.
    epsilon : float
        The claim is p <= e^epsilon q.
    label_share : float
        pi, in (0, 1).
    """
    odds = math.exp(epsilon) * label_share / (1 - label_share)
    return binomial_above(hits - 1, hits + other_hits, odds / (1 + odds))


def conditional_epsilon_lower(
    hits: int, other_hits: int, alpha: float, *, label_share: float = 0.5
) -> float:
    """Lower confidence limit on log(p / q), wrong with probability at most `alpha`; may be -inf.

    The smallest epsilon that `conditional_p_value` does not reject: Clopper and Pearson's lower
    limit r of the binomial parameter, as log(r / (1 - r)) - log(pi / (1 - pi)).
    """
    from scipy.special import betaincinv

    if hits == 0:
        return -math.inf
    odds = (1 - label_share) / label_share
    if other_hits == 0:
        r = alpha ** (1 / hits)
        return math.log(odds) + math.log(r) - math.log(-math.expm1(math.log(alpha) / hits))
    r = float(betaincinv(hits, other_hits + 1, alpha))
    return math.log(odds) + math.log(r) - math.log1p(-r)
