"""Compositions of private steps, clones, and the comparators of the papers."""

from tests.mutations.mutation import Mutation

COMPOSITIONS = "certificate/test_compositions.py"
STATEMENTS = "contracts/test_statements.py"
BASELINES = "mechanisms/personalized/test_baselines.py"
COUNT = "mechanisms/add_remove/test_count_then_swap.py"
CLONES = "mechanisms/trilemma/test_clones.py"
L1_ERROR = "cross/test_l1_error.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.exact.auditors.composition:_amplified", old="delta or epsilon > tau",
        new="delta",
        breaks="a stage that loses more than tau is amplified all the same",
        tests=(f"{COMPOSITIONS}::test_losses_are_those_of_the_lemmas",)),
    Mutation("audit.exact.auditors.composition:losses_of", old="move / bar + 2 * move / query",
        new="move / bar + move / query",
        breaks="a scan counts the firing query once",
        tests=(f"{COMPOSITIONS}::test_losses_are_those_of_the_lemmas",)),
    Mutation("audit.exact.auditors.composition:losses_of", old="2 * factor * move",
        new="factor * move",
        breaks="the normalizer of an exponential mechanism is free",
        tests=(f"{COMPOSITIONS}::test_losses_are_those_of_the_lemmas",)),
    Mutation("audit.exact.auditors.composition:by_composition",
        old="members and level != asked.mechanism.claim.level", new="False",
        breaks="budgets that users bring are proved at those of the parameters",
        tests=(f"{COMPOSITIONS}::test_what_is_not_shown_is_not_proved",)),
    Mutation("audit.exact.auditors.composition:by_composition",
        old="stated.relation is Relation.ADD_REMOVE and stated.users", new="False",
        breaks="one epsilon is proved for users who may bring any budget",
        tests=(f"{COMPOSITIONS}::test_what_is_not_shown_is_not_proved",)),
    Mutation("audit.exact.auditors.composition:by_composition",
        old="stated.relation is not asked.claim.relation", new="False",
        breaks="steps prove claims about other neighbors",
        tests=(f"{COMPOSITIONS}::test_what_is_not_shown_is_not_proved",
            f"{STATEMENTS}::test_steps_say_nothing_of_the_other_relation")),
    Mutation("mechanisms.personalized.groups.unbounded_mean:UnboundedMean._left",
        old="max(budget, as_typed(float(budget)))", new="budget",
        breaks="a user is charged for the exact budget, where the row shows more",
        tests=(f"{COMPOSITIONS}::test_what_is_not_shown_is_not_proved",)),
    Mutation("audit.certificate.verify:_verify_composed",
        old="loss[0] > budget or loss[1] > delta", new="loss[0] > budget",
        breaks="a certificate of a smaller delta is accepted",
        tests=(f"{COMPOSITIONS}::test_a_smaller_claim_is_rejected",)),
    Mutation("mechanisms.trilemma.clones:_delta", old="least = int(share * size) + 1",
        new="least = int(share * size) + 2",
        breaks="the event of clones leaves out its first count",
        tests=(f"{CLONES}::test_tails_agree_with_the_sum_over_all_outcomes",)),
    Mutation("mechanisms.trilemma.clones:_delta", old="DIGITS + ceil(epsilon)", new="16",
        breaks="tails that cancel have the digits of doubles",
        tests=(f"{CLONES}::test_tails_agree_with_the_sum_over_all_outcomes",
            f"{CLONES}::test_a_single_block_loses_what_its_answer_does")),
    Mutation("mechanisms.add_remove.count_then_swap:distinct_places",
        old="place >= found[:, earlier]", new="place > found[:, earlier]",
        breaks="a place is drawn twice",
        tests=(f"{COUNT}::test_places_are_uniform_sets",)),
    Mutation("mechanisms.add_remove.count_then_swap:mse_count_then_swap",
        old="variance * (n - k) / (k * max(n - 1, 1))", new="variance * (n - k) / (k * n)",
        breaks="samples are drawn with replacement",
        tests=(f"{COUNT}::test_the_error_is_that_of_all_samples",)),
    Mutation("mechanisms.personalized.baselines.partitioned_mean:octave",
        old="Fraction(2) ** found <= budget",
        new="Fraction(2) ** found < budget",
        breaks="a budget that is a power of 2 is in the group below",
        tests=(f"{BASELINES}::test_octaves_are_exact",)),
    Mutation("mechanisms.add_remove.mse_l1_staircase:_tail", old="2 * (larger - smaller)",
        new="2 * larger",
        breaks="the slope of the trapezoid is another one",
        tests=(f"{L1_ERROR}::test_doubles_agree_with_the_reference_values",)),
)
