"""The sequential engine: pairs, partitions, wealth."""

from tests.mutations.mutation import Mutation

ENGINE = "audit/engine"

MUTATIONS = (
    Mutation(
        "threshold",
        "audit/engine/wealth.py",
        "self.highest >= np.log(1 / self.levels)",
        "self.highest >= np.log(1 / self.levels) / 2",
        "wealth 1 / sqrt(alpha) refutes: four times the false alarms at 0.05",
        (f"{ENGINE}/test_wealth.py::test_wealth_of_one_over_the_rate_refutes",),
    ),
    Mutation(
        "t1-sign",
        "audit/engine/betting.py",
        "+ other_hits * np.log1p(-s * mu * (1 - q0))",
        "+ other_hits * np.log1p(s * mu * (1 - q0))",
        "the bet on the other arm has a wrong sign: wealth grows under the claim",
        (f"{ENGINE}/test_wealth.py::test_e_value_of_the_code_gains_nothing_under_the_claim",),
    ),
    Mutation(
        "t1-boundary",
        "audit/engine/betting.py",
        "    p0 = s * q0 + t\n    return np.asarray(\n",
        "    p0 = q0 + t\n    return np.asarray(\n",
        "p0 and q0 are not on the line of the claim",
        (f"{ENGINE}/test_wealth.py::test_e_value_of_the_code_gains_nothing_under_the_claim",),
    ),
    Mutation(
        "wealth-of-looks",
        "audit/engine/run.py",
        "        if own is not None:\n"
        "            own.settle(of_own, log_e_own)\n"
        "        self.wealth.settle(state.index, log_e, log_own)\n",
        "            if own is not None:\n"
        "                own.settle(of_own, log_e_own)\n"
        "            self.wealth.settle(state.index, log_e, log_own)\n",
        "looks within a batch are multiplied into the wealth: the first half counts twice",
        (f"{ENGINE}/test_wealth.py::test_only_whole_batches_are_multiplied_in",),
    ),
    Mutation(
        "prefix-rule",
        "audit/engine/nested.py",
        "length = int(np.argmin(np.append(rejected, False)))",
        "length = int(np.flatnonzero(np.append(True, rejected))[-1])",
        "the lower limit is the largest rejected point (it errs with .568)",
        (f"{ENGINE}/test_lines.py::test_limit_is_the_rejected_prefix_not_the_largest_rejection",),
    ),
    Mutation(
        "one-direction",
        "audit/engine/experts/persistent.py",
        "da += on_likelier if event == 0 else on_other",
        "da += on_likelier",
        "the persistent bets take both events for likelier on the data",
        (f"{ENGINE}/experts/test_persistent.py::test_they_match_their_plain_twin",),
    ),
    Mutation(
        "wealth-of-pairs",
        "audit/engine/wealth.py",
        "np.full(len(over_pairs), 1 / len(over_pairs))",
        "np.ones(len(over_pairs))",
        "each pair bets the whole wealth: the false-alarm rate grows with the number of pairs",
        (f"{ENGINE}/test_wealth.py::test_one_wealth_is_spread_over_the_pairs",),
    ),
    Mutation(
        "running-maxima",
        "audit/engine/wealth.py",
        "self.log_pairs[pair] = log_pair",
        "self.log_pairs[pair] = np.maximum(self.log_pairs[pair], log_pair)",
        "pairs are averaged by their running maxima, which are no e-values",
        ("theorems/test_pairs.py::test_wealth_that_a_pair_lost_is_not_remembered",),
    ),
    Mutation(
        "bet-on-its-own-batch",
        "audit/engine/run.py",
        "        for draws in batch.looks:\n",
        "        state.learn(batch, self.grid)\n"
        "        bets = state.bets\n"
        "        for draws in batch.looks:\n",
        "the bet is made from the draws that it is settled on",
        ("theorems/test_pairs.py::test_a_batch_is_settled_with_the_bet_made_before_it",),
    ),
    Mutation(
        "look-by-side",
        "audit/engine/counts/batch.py",
        "sides = self.looks.index(draws) + 1",
        "sides = 2",
        "a look at half of a batch counts all of it",
        (f"{ENGINE}/counts/test_blocks.py",),
    ),
    Mutation(
        "merged-by-arrival",
        "audit/engine/counts/batch.py",
        "for _, part in sorted(arm.parts.items())",
        "for _, part in arm.parts.items()",
        "blocks are merged in the order in which workers return them",
        (f"{ENGINE}/counts/test_blocks.py::test_the_order_in_which_blocks_come_changes_nothing",),
    ),
    Mutation(
        "one-stream-for-all-blocks",
        "audit/engine/draws.py",
        "rng = stream(*place, block.index)",
        "rng = stream(*place, 0)",
        "every block of a batch repeats the first draws",
        ("theorems/test_pairs.py::test_every_draw_is_fresh",),
    ),
    Mutation(
        "redrawn-without-a-seed",
        "audit/engine/counts/source.py",
        "if restarts == RESTARTS or not seedable:",
        "if restarts == RESTARTS:",
        "a target that goes by no seed is drawn anew where a draw ended its process",
        (f"{ENGINE}/counts/test_workers.py::test_a_worker_that_always_dies_ends_the_audit",),
    ),
    Mutation(
        "block-lost-with-its-worker",
        "audit/engine/counts/source.py",
        "queue.extendleft(under_way.values())",
        "queue.extendleft(list(under_way.values())[1:])",
        "a block is lost when its worker dies",
        (f"{ENGINE}/counts/test_workers.py::test_no_block_is_lost_where_workers_die",),
    ),
    Mutation(
        "shrunk-to-another-leak",
        "audit/engine/witness/smallest.py",
        "ideal=run.settings.ideal or not of_floats,",
        "ideal=run.settings.ideal,",
        "a violation in values is shrunk to a pair that leaks in its floating-point numbers only",
        (f"{ENGINE}/test_shrink.py::test_a_leak_of_floats_does_not_take_the_place_of_another",),
    ),
    Mutation(
        "identity-without-the-source",
        "audit/engine/identity.py",
        '"source of the target": _code(target),',
        '"source of the target": "",',
        "a run of a function that was edited is gone on with",
        (f"{ENGINE}/test_saved.py::test_a_changed_source_file_is_another_audit",),
    ),
    Mutation(
        "file-written-in-place",
        "audit/engine/saved.py",
        'beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")',
        "beside = self.path",
        "a write that fails destroys the saved run",
        (f"{ENGINE}/test_saved.py::test_a_file_is_replaced_as_a_whole",),
    ),
    Mutation(
        "refinement-of-atoms",
        "audit/engine/partitions/refine.py",
        "gaps[:-1:2], gaps[1::2], gaps[-1] = 2 * before, 2 * before + own, 2 * table.breaks.size",
        "gaps[:-1:2], gaps[1::2], gaps[-1] = 2 * before, 2 * before, 2 * table.breaks.size",
        "atoms are counted in the cell below them where tables are counted together",
        (f"{ENGINE}/counts/test_blocks.py::test_tables_of_one_column_are_counted_together",),
    ),
    Mutation(
        "exploration-counted-before-the-batch",
        "audit/engine/run.py",
        "        batch = self.draw(state, size)\n"
        "        with undisturbed():\n            self._settle(",
        "        self.allocation.explored += 2 * size\n        batch = self.draw(state, size)\n"
        "        with undisturbed():\n            self._settle(",
        "a batch that was cut leaves a trace: a resumed run chooses other pairs",
        (f"{ENGINE}/test_saved.py::test_a_batch_that_was_cut_leaves_no_trace",),
    ),
    Mutation(
        "draws-of-another-pair",
        "audit/engine/run.py",
        "place=(self.settings.seed, state.index, arm,",
        "place=(self.settings.seed, 0, arm,",
        "all pairs draw from one stream: draws are reused across pairs",
        ("theorems/test_pairs.py::test_every_draw_is_fresh",),
    ),
    Mutation(
        "sign-of-a-projection",
        "audit/engine/partitions/projection.py",
        "replace(term, weight=float(shift[column]))",
        "replace(term, weight=float(abs(shift[column])))",
        "coordinates that move down count as if they moved up",
        (
            f"{ENGINE}/test_projection.py::test_it_is_the_likelihood_ratio_of_gaussian_noise",
            f"{ENGINE}/test_projection.py::test_a_dense_shift_is_refuted_with_draws_that_learn_no_direction",
        ),
    ),
    Mutation(
        "monotone-in-spite-of-the-counts",
        "audit/engine/partitions/monotone.py",
        "    if chi2 > freedom + DEVIATIONS * math.sqrt(2 * freedom):\n        return ratios\n",
        "",
        "a hump of the likelihood ratio is smoothed away",
        (
            f"{ENGINE}/test_projection.py::test_a_shift_is_made_monotone_and_a_hump_is_not",
            f"{ENGINE}/test_projection.py::test_ratios_become_monotone_or_stay",
        ),
    ),
    Mutation(
        "suspicious-pairs-wait",
        "audit/engine/allocation.py",
        "return EXPLORED_SHARE_IF_SUSPICIOUS if suspicious else EXPLORED_SHARE",
        "return EXPLORED_SHARE",
        "a pair with a gap beyond chance is drawn from no more than others",
        (f"{ENGINE}/test_allocation.py::test_a_pair_with_a_gap_beyond_chance_is_drawn_from_first",),
    ),
    Mutation(
        "direction-of-an-event",
        "audit/engine/experts/moment_bets.py",
        "arms = (likelier, other) if candidates.direction[event] == 0 else (other, likelier)",
        "arms = (likelier, other)",
        "an event that is likelier on the neighbor is bet on as if on the data",
        (f"{ENGINE}/experts/test_moment_bets.py::test_a_rare_event_between_others_is_bet_on",),
    ),
)
