"""Errors of PDP on Gaussian records, of TRI's symmetric mean, and of SUB's grid statistics."""

from tests.mutations.mutation import Mutation

CROSS = "cross/test_gaussian_errors.py"
BORDER = "mechanisms/personalized/test_gaussian_errors.py"
REACH = f"{CROSS}::test_reach_is_that_of_the_ledger"
MEAN = f"{CROSS}::test_errors_of_the_mean_are_those_of_the_ledger"
GROUPS = f"{CROSS}::test_errors_of_the_group_mean_are_those_of_the_ledger"
SUBSET = "cross/test_subset_errors.py"
RANGE = "mechanisms.personalized.range.gaussian_range"
GAUSS = "mechanisms.personalized.range.gaussian_mean"
COUNTS = "mechanisms.personalized.groups.gaussian_groups"

# fmt: off
MUTATIONS = (
    Mutation(f"{RANGE}:reach", old="2 * math.log(stage.users / stage.share)",
        new="1.98 * math.log(stage.users / stage.share)",
        breaks="records are said to be nearer than they are", tests=(REACH,)),
    Mutation(f"{RANGE}:reach", old="math.log(3 / stage.share)", new="math.log(2 / stage.share)",
        breaks="three events have the share of two", tests=(REACH,)),
    Mutation(f"{RANGE}:_width_is_fair", old="stage.survivors / 4 - 0.5", new="stage.survivors / 2",
        breaks="every survivor has a pair of its own", tests=(REACH,)),
    Mutation(f"{RANGE}:_cut_off", old="24 / stage.tau", new="23.76 / stage.tau",
        breaks="the radius leaves out more than is said", tests=(REACH,)),
    Mutation(f"{RANGE}:_last_step", old="middle / STEPS + 1", new="middle / STEPS",
        breaks="the rounding to the grid is left out", tests=(REACH,)),
    Mutation(f"{RANGE}:survival", old="math.expm1(-tau)", new="-1.0",
        breaks="fewer survive than do",
        tests=(f"{CROSS}::test_survivors_are_those_of_the_ledger",)),
    Mutation(f"{RANGE}:Reach.width", old="8 * self.spread + 4", new="8 * self.spread",
        breaks="the width forgets the grid", tests=(MEAN,)),
    Mutation("mechanisms.personalized.range.interval:PersonalizedRange.utility_claims_under",
        old="not law.normal", new="False",
        breaks="something is promised of every law",
        tests=(f"{BORDER}::test_nothing_is_stated_of_other_records",)),
    Mutation(f"{GAUSS}:event_share", old="Fraction(RADII, SHARES * STAGES)", new="Fraction(0)",
        breaks="the radii have no share of beta",
        tests=(f"{CROSS}::test_shares_of_failures_are_those_of_the_ledger",)),
    Mutation(f"{GAUSS}:error_bound",
        old="2 / z * math.sqrt(beyond * weights.squares * both)", new="0",
        breaks="clipping has its mean alone", tests=(MEAN,)),
    Mutation(f"{GAUSS}:error_bound", old="weights.largest / z * both", new="0",
        breaks="clipping has no linear term", tests=(MEAN,)),
    Mutation(f"{GAUSS}:mean_error", old="spent.squares - 8", new="spent.squares",
        breaks="the sum of squares has the 8 of the noise", tests=(MEAN,)),
    Mutation(f"{COUNTS}:count_box", old="2 * offsets", new="offsets",
        breaks="counts are said to be nearer than they are",
        tests=(f"{CROSS}::test_counts_lie_in_the_box_of_the_ledger",)),
    Mutation(f"{COUNTS}:group_error", old="_saturated(spent, most).threshold",
        new="few.threshold",
        breaks="the threshold of few users bounds that of many", tests=(GROUPS,)),
    Mutation(f"{COUNTS}:group_error", old="event_share(beta / 2)", new="event_share(beta)",
        breaks="the counts have no share of beta", tests=(GROUPS,)),
    Mutation("mechanisms.trilemma.symmetric.error:conditional_error",
        old="1 - gamma", new="1 + gamma",
        breaks="the chance of success is on the wrong side",
        tests=("cross/test_symmetric_error.py",)),
    Mutation("mechanisms.trilemma.symmetric.error:law_bounds", old="not inside", new="False",
        breaks="bounds are stated of laws beyond the class",
        tests=("mechanisms/trilemma/test_symmetric_errors.py::test_no_bound_outside_of_the_class",)),
    Mutation("audit.utility.cases:by_success", old="np.where(fails, np.nan, read(releases))",
        new="read(releases)",
        breaks="draws that fail count for the error given that they do not",
        tests=("mechanisms/trilemma/test_symmetric_errors.py::test_claims_given_success_are_a_case_of_their_own",)),
    Mutation("mechanisms.subset.noisy_size_error:noisy_size_error",
        old="log_argument(count + t, radius, epsilon, finest)",
        new="log_argument(count - t, radius, epsilon, finest)",
        breaks="beta is that of too small a size",
        tests=(f"{SUBSET}::test_the_noisy_bound_is_that_of_the_ledger",)),
    Mutation("mechanisms.subset.selection_error:score_claims", old="2 / float(epsilon)",
        new="1.98 / float(epsilon)",
        breaks="scores are said to be nearer than they are",
        tests=(f"{SUBSET}::test_the_reach_of_scores_is_that_of_the_ledger",)),
    Mutation("mechanisms.subset.selection_error:monotone_claims", old="ordered[4 * r :]",
        new="ordered[r:]",
        breaks="the extreme subsets lack too few records",
        tests=(f"{SUBSET}::test_errors_of_pruned_statistics_are_below_their_bounds",)),
)
