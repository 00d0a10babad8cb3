"""dp-accounting 0.6.0: the RDP accountant moves a replaced record's value once, not twice."""

import dp_accounting
from dp_accounting.rdp import RdpAccountant

RELATION = dp_accounting.NeighboringRelation.REPLACE_ONE


def release(_, __):
    """Answer the epsilon of 100 Laplace releases."""
    accountant = RdpAccountant(neighboring_relation=RELATION)
    accountant.compose(dp_accounting.LaplaceDpEvent(10.0), 100)
    return accountant.get_epsilon(1e-5)
