"""Claims and what they imply."""

from tests.mutations.mutation import Mutation

MEANS = "mechanisms/add_remove/test_means.py"
IMPLIED = "mechanisms/test_implications.py"

MUTATIONS = (
    Mutation(
        "claim-of-own-scales",
        "mechanisms/add_remove/shifted_mean.py",
        "count_loss = half if self.count_scale is None else 1 / self.count_scale",
        "count_loss = half if self.count_scale is None else 1 / (2 * self.count_scale)",
        "the claim with a count scale of one's own is too small",
        (f"{MEANS}::test_claim_is_the_loss_of_the_pair",),
    ),
    Mutation(
        "pure-to-zcdp",
        "mechanisms/implications.py",
        "return ZeroConcentratedDP(level.epsilon**2 / 2)",
        "return ZeroConcentratedDP(level.epsilon**2 / 4)",
        "rho = epsilon^2 / 4 is false",
        (f"{IMPLIED}::test_pure_to_concentrated_is_true_and_sharp",),
    ),
    Mutation(
        "pure-group",
        "mechanisms/group_privacy.py",
        "return PureDP(2 * eps), GROUP_PURE",
        "return PureDP(eps), GROUP_PURE",
        "a swap costs as much as one step",
        (f"{IMPLIED}::test_add_remove_to_swap_names_its_theorem",),
    ),
    Mutation(
        "zcdp-group",
        "mechanisms/group_privacy.py",
        "return ZeroConcentratedDP(4 * rho), GROUP_ZCDP",
        "return ZeroConcentratedDP(2 * rho), GROUP_ZCDP",
        "rho grows with the square of the number of steps",
        (f"{IMPLIED}::test_renyi_and_concentrated_doubling_hold_for_the_gaussian",),
    ),
    Mutation(
        "zcdp-to-approx",
        "mechanisms/implications.py",
        "return rho + 2 * next_up(",
        "return rho + next_up(",
        "half of the root is missing",
        (f"{IMPLIED}::test_concentrated_to_approximate_holds_for_the_gaussian",),
    ),
)
