"""dp-accounting 0.6.0: at a delta of 1e-10 a sum of 10,000 losses comes out too small."""

import dp_accounting
from dp_accounting.pld import PLDAccountant

STEP = dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(1.0))


def release(_, __):
    """Answer the epsilon of 10,000 sampled Gaussian releases."""
    accountant = PLDAccountant()
    accountant.compose(STEP, 10_000)
    return accountant.get_epsilon(1e-10)
