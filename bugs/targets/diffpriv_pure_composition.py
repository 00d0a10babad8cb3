"""diffpriv-pure 0.1.0: advanced composition without its second term, e^epsilon - 1."""

from diffpriv_pure import PrivacyBudget

BUDGET = PrivacyBudget(total_epsilon=1000.0)


def release(_, __):
    """Answer the epsilon of 100 releases of epsilon 1 each, at delta 1/1000."""
    epsilon, delta = BUDGET.advanced_composition(100, 1.0, 1e-5)
    assert abs(delta - 1e-3) < 1e-15
    return epsilon
