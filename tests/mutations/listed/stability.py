"""Declared sensitivities: exact distances, and what refutes nothing."""

from tests.mutations.mutation import Mutation

NORMS = "audit/stability/test_norms.py"
VERDICTS = "audit/stability/test_verdicts.py"
PROPERTIES = f"{VERDICTS}::test_each_property_is_seen_and_no_other"

# fmt: off
MUTATIONS = (
    Mutation("audit.stability.norms:Distance.exceeds",
        old="self.exact > (bound * bound if self.is_square else bound)",
        new="float(self) > float(bound)",
        breaks="a distance is rounded before it is held against the claim",
        tests=(f"{NORMS}::test_a_comparison_in_floats_differs",)),
    Mutation("audit.stability.norms:Distance.exceeds",
        old="bound * bound if self.is_square else bound",
        new="bound",
        breaks="the square of an L2 distance is held against the claim itself",
        tests=(f"{NORMS}::test_an_excess_is_strict",)),
    Mutation("audit.stability.norms:_differences",
        old="key_of(first) != key_of(second)", new="True",
        breaks="NaN on both sides is infinitely far from itself",
        tests=(f"{NORMS}::test_equal_answers_are_at_distance_0",)),
    Mutation("audit.stability.norms:common_length", old="free + used", new="free",
        breaks="common subsequences are counted wrongly",
        tests=(f"{NORMS}::test_common_subsequences_agree_with_the_recursion",)),
    Mutation("audit.stability.properties:is_same",
        old="one.is_silent or other.is_silent", new="False",
        breaks="a call that was given up is another answer",
        tests=(PROPERTIES,)),
    Mutation("audit.stability.properties:measured", old="first[0].member and second[0].member",
        new="True",
        breaks="data sets outside of the query's own domain count",
        tests=(PROPERTIES,)),
    Mutation("audit.stability.claim:StabilityClaim.bound", old="return self.at_zero",
        new="return Fraction(0)",
        breaks="two orders of the same records must have one answer",
        tests=("audit/stability/test_opendp.py::test_two_orders_have_the_claim_of_distance_0",)),
    Mutation("audit.stability.audit:_confirmed",
        old="confirmed(calls, claim, smaller) or confirmed(calls, claim, entry)", new="smaller",
        breaks="an answer that follows the calls before it refutes a claim",
        tests=(f"{VERDICTS}::test_a_distance_that_a_fresh_process_does_not_show_is_none",)),
    Mutation("audit.targets.domain:Domain.neighbors", old="found[0] == found[1] <= self.rows",
        new="found[0] <= self.rows",
        breaks="a data set that lacks records is a neighbor of the whole",
        tests=("audit/test_domain.py::test_neighbors_may_differ_in_several_records",)),
)
