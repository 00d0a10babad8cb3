"""The fixed budget, witnesses, upper limits, pair search."""

from tests.mutations.mutation import Mutation

AUDIT = "audit/engine/bound/test_audit.py"
ROWS = "audit/test_rows.py"
POSTERIOR_BETS = "audit/engine/experts/test_posterior_bets.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.engine.berger_boos:_over_cells",
        old="np.minimum(1.0, slopes[1] * right + delta)",
        new="np.where(slopes[1] * right + delta > 1, 0.0, slopes[1] * right + delta)",
        breaks="p = 1 with s q > 1 is left out of the claim",
        tests=("theorems/test_bound.py::test_the_claim_contains_certain_events",)),
    Mutation("audit.engine.berger_boos:_over_cells",
        old="probability_upper(counts, slopes, p, left, tail=TAIL_SHARE * alpha)",
        new="probability_upper(counts, slopes, p, right, tail=TAIL_SHARE * alpha)",
        breaks="the tail over a cell of q is taken at one of its ends",
        tests=("audit/engine/bound/test_cells.py",)),
    Mutation("audit.engine.bound.held_out:HeldOut._sizes", old="choice.conditional", new="False",
        breaks="the conditional test gets arms of fixed sizes",
        tests=(f"{AUDIT}::test_rare_events_are_tested_with_random_labels",)),
    Mutation("audit.engine.witness.smallest:_Attempts._audited", old="Purpose.SHRINK, self.made",
        new="Purpose.RUN, 0",
        breaks="smaller pairs are tried on the draws of the run that suggested them",
        tests=("audit/engine/test_shrink.py::test_draws_that_choose_a_pair_are_not_reported",)),
    Mutation("audit.targets.domain:Domain.fault", old="size < self.min_size",
        new="size < self.min_size - 1",
        breaks="a witness has fewer records than the user allows",
        tests=("audit/engine/test_shrink.py::test_every_pair_tried_is_a_pair_of_neighbors",)),
    Mutation("audit.engine.upper:upper_limits", old="2 * len(events)", new="2",
        breaks="limits on many events err together more often than stated",
        tests=("audit/engine/test_upper.py::test_limits_keep_their_level",)),
    Mutation("audit.engine.upper:loss_upper", old="hits + 1", new="np.maximum(hits, 1)",
        breaks="the upper limit of a probability is that of one hit fewer",
        tests=("audit/engine/test_upper.py::test_each_of_the_two_limits_keeps_its_own_level",)),
    Mutation("audit.engine.search:Search.next_pair",
        old="key in self.tried or not near.admits(*sides)", new="key in self.tried",
        breaks="pairs that join a run may be smaller than the user allows",
        tests=("audit/engine/test_search.py::test_every_pair_that_joins_is_new_and_allowed",)),
    Mutation("audit.engine.experts.posterior_bets:PosteriorBets.make", old="VIOLATION / pairs",
        new="VIOLATION",
        breaks="the wealth is staked on what is noise among many pairs",
        tests=(f"{POSTERIOR_BETS}::test_noise_among_many_pairs_costs_little",)),
    Mutation("audit.targets.domain:Domain.neighbors", old="self.listed",
        new="self.listed or not isinstance(data, np.ndarray)",
        breaks="data that are no arrays are neighbors of all others",
        tests=(f"{ROWS}::test_neighbors_of_every_kind_differ_by_one_record",)),
    Mutation("audit.targets.rows:keys_of", old="data.dtype == other.dtype", new="True",
        breaks="arrays of two types are compared by their bytes",
        tests=(f"{ROWS}::test_each_kind_counts_the_same_steps",)),
    Mutation("audit.targets.rows:keys_of", old="not x.dtype.hasobject", new="True",
        breaks="records of an array of objects are their addresses",
        tests=(f"{ROWS}::test_neighbors_of_every_kind_differ_by_one_record",)),
)
