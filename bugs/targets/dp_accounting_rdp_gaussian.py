"""dp-accounting 0.6.0: the RDP accountant moves a replaced record's value once, not twice."""

import dp_accounting
from dp_accounting.rdp import RdpAccountant

RELATION = dp_accounting.NeighboringRelation.REPLACE_ONE


def release(_, __):
    """Answer the epsilon of a Gaussian release."""
    accountant = RdpAccountant(neighboring_relation=RELATION)
    accountant.compose(dp_accounting.GaussianDpEvent(5.0))
    return accountant.get_epsilon(1e-5)
