"""Claims and what they imply."""

from tests.mutations.mutation import Mutation

IMPLICATIONS = "mechanisms/test_implications.py"

# fmt: off
MUTATIONS = (
    Mutation("mechanisms.add_remove.shifted_mean:ShiftedMean.claim", old="1 / self.count_scale",
        new="1 / (2 * self.count_scale)",
        breaks="the claim with a count scale of one's own is too small",
        tests=("mechanisms/add_remove/test_means.py::test_claim_is_the_loss_of_the_pair",)),
    Mutation("mechanisms.implications:pure_to_zcdp", old="level.epsilon**2 / 2",
        new="level.epsilon**2 / 4",
        breaks="rho = epsilon^2 / 4 is false",
        tests=(f"{IMPLICATIONS}::test_pure_to_concentrated_is_true_and_sharp",)),
    Mutation("mechanisms.group_privacy:_pure_of_two", old="2 * level.epsilon",
        new="level.epsilon",
        breaks="a swap costs as much as one step",
        tests=(f"{IMPLICATIONS}::test_add_remove_to_swap_names_its_theorem",)),
    Mutation("mechanisms.group_privacy:_zcdp_of_two", old="4 * level.rho", new="2 * level.rho",
        breaks="rho grows with the square of the number of steps",
        tests=(f"{IMPLICATIONS}::test_renyi_and_concentrated_doubling_hold_for_the_gaussian",)),
    Mutation("mechanisms.implications:zcdp_to_approx",
        old="2 * next_up((next_up(rho * next_up(inverse_delta.ln()))).sqrt())",
        new="next_up((next_up(rho * next_up(inverse_delta.ln()))).sqrt())",
        breaks="half of the root is missing",
        tests=(f"{IMPLICATIONS}::test_concentrated_to_approximate_holds_for_the_gaussian",)),
)
