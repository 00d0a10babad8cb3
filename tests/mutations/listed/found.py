"""The fixed budget, witnesses, upper limits, pair search."""

from tests.mutations.mutation import Mutation

ENGINE = "audit/engine"

MUTATIONS = (
    # The fixed budget
    Mutation(
        "bound-nuisance-cut",
        "audit/engine/berger_boos.py",
        "    p = np.minimum(1.0, slopes[1] * right + delta)",
        "    p = np.where(slopes[1] * right + delta > 1, 0.0, slopes[1] * right + delta)",
        "p = 1 with s q > 1 is left out of the claim",
        ("theorems/test_bound.py::test_the_claim_contains_certain_events",),
    ),
    Mutation(
        "bound-cells-at-one-end",
        "audit/engine/berger_boos.py",
        "    return probability_upper(counts, slopes, p, left, tail=TAIL_SHARE * alpha)",
        "    return probability_upper(counts, slopes, p, right, tail=TAIL_SHARE * alpha)",
        "the tail over a cell of q is taken at one of its ends",
        ("audit/engine/bound/test_cells.py",),
    ),
    Mutation(
        "bound-labels-of-fixed-number",
        "audit/engine/bound/held_out.py",
        "    if choice.conditional:\n        labels = ",
        "    if False:\n        labels = ",
        "the conditional test gets arms of fixed sizes",
        (f"{ENGINE}/bound/test_audit.py::test_rare_events_are_tested_with_random_labels",),
    ),
    # Witnesses, upper limits, pair search
    Mutation(
        "streams-of-attempts",
        "audit/engine/witness/smallest.py",
        "attempt.purpose, attempt.first_pair = Purpose.SHRINK, self.made",
        "attempt.purpose, attempt.first_pair = Purpose.RUN, 0",
        "smaller pairs are tried on the draws of the run that suggested them",
        (f"{ENGINE}/test_shrink.py::test_draws_that_choose_a_pair_are_not_reported",),
    ),
    Mutation(
        "shrinking-below-the-smallest-size",
        "audit/domain.py",
        "if size < self.min_size:",
        "if size < self.min_size - 1:",
        "a witness has fewer records than the user allows",
        (f"{ENGINE}/test_shrink.py::test_every_pair_tried_is_a_pair_of_neighbors",),
    ),
    Mutation(
        "upper-limits-share-their-level",
        "audit/engine/upper.py",
        "each = settings.false_alarm / (2 * len(events))",
        "each = settings.false_alarm / 2",
        "limits on many events err together more often than stated",
        (f"{ENGINE}/test_upper.py::test_limits_keep_their_level",),
    ),
    Mutation(
        "upper-limit-of-a-count",
        "audit/engine/upper.py",
        "betainccinv(hits + 1, rest, level)",
        "betainccinv(np.maximum(hits, 1), rest, level)",
        "the upper limit of a probability is that of one hit fewer",
        (f"{ENGINE}/test_upper.py::test_each_of_the_two_limits_keeps_its_own_level",),
    ),
    Mutation(
        "pair-search-within-bounds-of-size",
        "audit/engine/search.py",
        "if key in self.tried or not near.admits(*sides):",
        "if key in self.tried:",
        "pairs that join a run may be smaller than the user allows",
        (f"{ENGINE}/test_search.py::test_every_pair_that_joins_is_new_and_allowed",),
    ),
    Mutation(
        "noise-of-many-pairs",
        "audit/engine/experts/posterior_bets.py",
        "direction, best, VIOLATION / pairs)",
        "direction, best, VIOLATION)",
        "the wealth is staked on what is noise among many pairs",
        (f"{ENGINE}/experts/test_posterior_bets.py::test_noise_among_many_pairs_costs_little",),
    ),
)
