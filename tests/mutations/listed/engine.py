"""The sequential engine: pairs, partitions, wealth."""

from tests.mutations.mutation import Mutation

WEALTH = "audit/engine/test_wealth.py"
LINES = "audit/engine/test_lines.py"
PAIRS = "theorems/test_pairs.py"
BLOCKS = "audit/engine/counts/test_blocks.py"
WORKERS = "audit/engine/counts/test_workers.py"
SHRINK = "audit/engine/test_shrink.py"
SAVED = "audit/engine/test_saved.py"
PROJECTION = "audit/engine/test_projection.py"
ALLOCATION = "audit/engine/test_allocation.py"
MOMENT_BETS = "audit/engine/experts/test_moment_bets.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.engine.wealth:Wealth.rejected", old="np.log(1 / self.levels)",
        new="np.log(1 / self.levels) / 2",
        breaks="wealth 1 / sqrt(alpha) refutes: four times the false alarms at 0.05",
        tests=(f"{WEALTH}::test_wealth_of_one_over_the_rate_refutes",)),
    Mutation("audit.engine.betting:log_e_value", old="-s", new="s",
        breaks="the bet on the other arm has a wrong sign: wealth grows under the claim",
        tests=(f"{WEALTH}::test_e_value_of_the_code_gains_nothing_under_the_claim",)),
    Mutation("audit.engine.betting:log_e_value", old="s * q0", new="q0",
        breaks="p0 and q0 are not on the line of the claim",
        tests=(f"{WEALTH}::test_e_value_of_the_code_gains_nothing_under_the_claim",)),
    Mutation("audit.engine.run:Run._settle",
        old="for draws in batch.looks:\n    counts = batch.counts(draws)\n    log_e = "
        "bets.log_e(counts, draws)\n    if own is not None:\n        of_own = "
        "counts[len(state.partitions):]\n        log_e_own = own.log_e(of_own)\n    "
        "    log_own = own.log_sum(log_e_own)\n    "
        "self.wealth.compare(state.index, log_e, log_own)\nif own is not None:\n    "
        "own.settle(of_own, log_e_own)\nself.wealth.settle(state.index, log_e, log_own)",
        new="for draws in batch.looks:\n    counts = batch.counts(draws)\n    log_e = "
        "bets.log_e(counts, draws)\n    if own is not None:\n        of_own = "
        "counts[len(state.partitions):]\n        log_e_own = own.log_e(of_own)\n    "
        "    log_own = own.log_sum(log_e_own)\n    "
        "self.wealth.compare(state.index, log_e, log_own)\n    if own is not None:\n"
        "        own.settle(of_own, log_e_own)\n    "
        "self.wealth.settle(state.index, log_e, log_own)",
        breaks="looks within a batch are multiplied into the wealth: the first half counts twice",
        tests=(f"{WEALTH}::test_only_whole_batches_are_multiplied_in",)),
    Mutation("audit.levels.nesting:lower_limit", old="np.argmin(np.append(rejected, False))",
        new="np.flatnonzero(np.append(True, rejected))[-1]",
        breaks="the lower limit is the largest rejected point (it errs with .568)",
        tests=(f"{LINES}::test_limit_is_the_rejected_prefix_not_the_largest_rejection",)),
    Mutation("audit.engine.experts.persistent:PersistentBets.log_factors",
        old="on_likelier if event == 0 else on_other", new="on_likelier",
        breaks="the persistent bets take both events for likelier on the data",
        tests=("audit/engine/experts/test_persistent.py::test_they_match_their_plain_twin",)),
    Mutation("audit.engine.wealth:Wealth.compare",
        old="np.full(len(over_pairs), 1 / len(over_pairs))", new="np.ones(len(over_pairs))",
        breaks="each pair bets the whole wealth: the false-alarm rate grows with the "
            "number of pairs",
        tests=(f"{WEALTH}::test_one_wealth_is_spread_over_the_pairs",)),
    Mutation("audit.engine.wealth:Wealth.settle", old="self.log_pairs[pair] = log_pair",
        new="self.log_pairs[pair] = np.maximum(self.log_pairs[pair], log_pair)",
        breaks="pairs are averaged by their running maxima, which are no e-values",
        tests=(f"{PAIRS}::test_wealth_that_a_pair_lost_is_not_remembered",)),
    Mutation("audit.engine.run:Run._settle",
        old="for draws in batch.looks:\n    counts = batch.counts(draws)\n    log_e = "
        "bets.log_e(counts, draws)\n    if own is not None:\n        of_own = "
        "counts[len(state.partitions):]\n        log_e_own = own.log_e(of_own)\n    "
        "    log_own = own.log_sum(log_e_own)\n    "
        "self.wealth.compare(state.index, log_e, log_own)",
        new="state.learn(batch, self.grid)\nbets = state.bets\nfor draws in "
        "batch.looks:\n    counts = batch.counts(draws)\n    log_e = "
        "bets.log_e(counts, draws)\n    if own is not None:\n        of_own = "
        "counts[len(state.partitions):]\n        log_e_own = own.log_e(of_own)\n    "
        "    log_own = own.log_sum(log_e_own)\n    "
        "self.wealth.compare(state.index, log_e, log_own)",
        breaks="the bet is made from the draws that it is settled on",
        tests=(f"{PAIRS}::test_a_batch_is_settled_with_the_bet_made_before_it",)),
    Mutation("audit.engine.counts.batch:Batch.counts", old="self.looks.index(draws) + 1", new="2",
        breaks="a look at half of a batch counts all of it", tests=(BLOCKS,)),
    Mutation("audit.engine.counts.batch:merge", old="sorted(arm.parts.items())",
        new="arm.parts.items()",
        breaks="blocks are merged in the order in which workers return them",
        tests=(f"{BLOCKS}::test_the_order_in_which_blocks_come_changes_nothing",)),
    Mutation("audit.draws.blocks:_drawn", old="place.stream(arm=arm, block=block.index)",
        new="place.stream(arm=arm, block=0)",
        breaks="every block of a batch repeats the first draws",
        tests=(f"{PAIRS}::test_every_draw_is_fresh",)),
    Mutation("audit.engine.counts.source:CountSource._ask",
        old="restarts == RESTARTS or not seedable", new="restarts == RESTARTS",
        breaks="a target that goes by no seed is drawn anew where a draw ended its process",
        tests=(f"{WORKERS}::test_a_worker_that_always_dies_ends_the_audit",)),
    Mutation("audit.engine.counts.source:CountSource._ask", old="under_way.values()",
        new="list(under_way.values())[1:]",
        breaks="a block is lost when its worker dies",
        tests=(f"{WORKERS}::test_no_block_is_lost_where_workers_die",)),
    Mutation("audit.engine.witness.smallest:smallest_pair",
        old="run.settings.ideal or not of_floats", new="run.settings.ideal",
        breaks="a violation in values is shrunk to a pair that leaks in its "
            "floating-point numbers only",
        tests=(f"{SHRINK}::test_a_leak_of_floats_does_not_take_the_place_of_another",)),
    Mutation("audit.engine.identity:identity_of", old="_code(target)", new='""',
        breaks="a run of a function that was edited is gone on with",
        tests=(f"{SAVED}::test_a_changed_source_file_is_another_audit",)),
    Mutation("audit.engine.checkpoint:SavedAudit.write",
        old='self.path.with_name(f".{self.path.name}.{os.getpid()}")', new="self.path",
        breaks="a write that fails destroys the saved run",
        tests=(f"{SAVED}::test_a_file_is_replaced_as_a_whole",)),
    Mutation("audit.engine.partitions.refine:_cell_of_gaps", old="2 * before + own",
        new="2 * before",
        breaks="atoms are counted in the cell below them where tables are counted together",
        tests=(f"{BLOCKS}::test_tables_of_one_column_are_counted_together",)),
    Mutation("audit.engine.run:Run.bet_on", old="batch = self.draw(state, size)",
        new="self.allocation.explored += 2 * size\nbatch = self.draw(state, size)",
        breaks="a batch that was cut leaves a trace: a resumed run chooses other pairs",
        tests=(f"{SAVED}::test_a_batch_that_was_cut_leaves_no_trace",)),
    Mutation("audit.draws.encode:Encoder.find_opaque",
        old="counts[blank].sum() > LARGEST_SHARE_OF_SINGLE_LABELS * codes.size",
        new="counts[blank].sum() > 2 * LARGEST_SHARE_OF_SINGLE_LABELS * codes.size",
        breaks="objects that show no value pass for an outcome in a fifth of the draws",
        tests=("audit/engine/test_encode.py::test_objects_that_show_no_value_are_said",)),
    Mutation("audit.engine.run:Run._draw", old="self.first_pair + state.index",
        new="self.first_pair",
        breaks="all pairs draw from one stream: draws are reused across pairs",
        tests=(f"{PAIRS}::test_every_draw_is_fresh",)),
    Mutation("audit.engine.partitions.projection:fit_projection", old="shift[column]",
        new="abs(shift[column])",
        breaks="coordinates that move down count as if they moved up",
        tests=(f"{PROJECTION}::test_it_is_the_likelihood_ratio_of_gaussian_noise",
            f"{PROJECTION}::test_a_dense_shift_is_refuted_with_draws_that_learn_no_direction")),
    Mutation("audit.engine.partitions.monotone:monotone",
        old="if chi2 > freedom + DEVIATIONS * math.sqrt(2 * freedom):\n    return ratios", new="",
        breaks="a hump of the likelihood ratio is smoothed away",
        tests=(f"{PROJECTION}::test_a_shift_is_made_monotone_and_a_hump_is_not",
            f"{PROJECTION}::test_ratios_become_monotone_or_stay")),
    Mutation("audit.engine.allocation:Allocation._explored_share",
        old="EXPLORED_SHARE_IF_SUSPICIOUS if suspicious else EXPLORED_SHARE", new="EXPLORED_SHARE",
        breaks="a pair with a gap beyond chance is drawn from no more than others",
        tests=(f"{ALLOCATION}::test_a_pair_with_a_gap_beyond_chance_is_drawn_from_first",)),
    Mutation("audit.engine.experts.moment_bets:MomentBets.on_events",
        old="(likelier, other) if candidates.direction[event] == 0 else (other, likelier)",
        new="(likelier, other)",
        breaks="an event that is likelier on the neighbor is bet on as if on the data",
        tests=(f"{MOMENT_BETS}::test_a_rare_event_between_others_is_bet_on",)),
)
