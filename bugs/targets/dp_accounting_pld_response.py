"""dp-accounting 0.6.0: the PLD accountant composes randomized response once, whatever the count."""

import dp_accounting
from dp_accounting.pld import PLDAccountant

RELATION = dp_accounting.NeighboringRelation.REPLACE_ONE


def release(_, __):
    """Answer the epsilon of 100 answers by randomized response."""
    accountant = PLDAccountant(RELATION)
    accountant.compose(dp_accounting.RandomizedResponseDpEvent(0.5, 2), 100)
    return accountant.get_epsilon(1e-5)
