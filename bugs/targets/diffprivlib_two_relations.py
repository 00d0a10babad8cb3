"""diffprivlib 0.6.6: histogram counts records added or removed, sum counts records replaced."""

from diffprivlib import BudgetAccountant, tools


def release(data, rng):
    """Answer two counts and a sum under an accountant that says epsilon 1 in total."""
    accountant = BudgetAccountant(epsilon=1.0)
    words = {"epsilon": 0.5, "random_state": rng, "accountant": accountant}
    counts = tools.histogram(data, bins=2, range=(0, 1), **words)[0]
    return [*counts, tools.sum(data, bounds=(0, 1), **words)]


def event(output):
    """Say whether all three answers are on the side of the right data set."""
    return output[0] <= 19 and output[1] >= 21 and output[2] >= 21
