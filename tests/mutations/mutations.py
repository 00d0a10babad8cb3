"""Source mutations: a change of one line that breaks a promise, and tests that must turn red.

Scales, thresholds, signs and budgets: each is a slip that somebody has made, or could make, in
print or in code. The old text must occur exactly once in its file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one file.

    Parameters
    ----------
    name : str
        Short name, unique.
    file : str
        Path from the folder that holds the packages.
    old, new : str
        Text to replace, and what it becomes.
    breaks : str
        What is no longer true.
    tests : tuple of str
        Tests that must turn red, as pytest's arguments below `tests`.
    """

    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]


NOISE = "contracts/test_noise.py"
MECHANISM = "contracts/test_mechanisms.py"
MEANS = "mechanisms/add_remove/test_means.py"
IMPLIED = "mechanisms/test_implications.py"
ENGINE = "audit/engine"

MUTATIONS = (
    # Noise laws
    Mutation(
        "laplace-scale",
        "mechanisms/noise/laplace.py",
        "return rng.laplace(scale=self.scale, size=check_size(size))",
        "return rng.laplace(scale=0.95 * self.scale, size=check_size(size))",
        "Laplace draws have 95 % of the scale",
        (f"{NOISE}::test_sampler_has_the_cdf[laplace-default]",),
    ),
    Mutation(
        "geometric-mass-at-zero",
        "mechanisms/noise/geometric.py",
        "log_mass = float(np.log1p(complement / (1 + b)))",
        "log_mass = 0.0",
        "one-sided mass: zero is drawn too often",
        (f"{NOISE}::test_sampler_has_the_cdf[geometric-default]",),
    ),
    Mutation(
        "staircase-gamma",
        "mechanisms/noise/staircase.py",
        "log_y = (-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 3",
        "log_y = (-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 2",
        "gamma* from a square root instead of the cube root: the variance is not the least",
        ("mechanisms/noise/test_staircase.py::test_reference_table",),
    ),
    Mutation(
        "staircase-level",
        "mechanisms/noise/staircase.py",
        "levels[part] = np.copysign(level[:n], signed[:n], out=level[:n])",
        "levels[part] = np.copysign(np.floor(np.abs(z[part])), signed[:n], out=level[:n])",
        "the level is computed back from the variate, and without gamma",
        ("mechanisms/noise/test_staircase.py::test_carried_level_is_the_level",),
    ),
    Mutation(
        "staircase-mass",
        "mechanisms/noise/staircase.py",
        "fill_levels(level[:n], self.epsilon, -self.log_mixing, rng)",
        "fill_levels(level[:n], self.epsilon, 0.0, rng)",
        "levels are geometric from zero, as if gamma were 1",
        (f"{NOISE}::test_sampler_has_the_cdf[staircase-default]",),
    ),
    Mutation(
        "level-place",
        "mechanisms/noise/levels.py",
        "np.add(unit, gamma - 1, out=unit)",
        "np.add(unit, gamma, out=unit)",
        "steps are shifted by one period against the levels",
        (f"{NOISE}::test_sampler_has_the_cdf[staircase-default]",),
    ),
    Mutation(
        "l1-root",
        "mechanisms/noise/l1_staircase.py",
        "    x = 1.0\n",
        "    x = 0.0\n",
        "Newton's method starts below: it finds a root of a local maximum, or none",
        ("mechanisms/noise/test_l1_staircase.py::test_gamma_is_the_largest_root_and_not_the_trap",),
    ),
    Mutation(
        "l1-scale",
        "mechanisms/noise/l1_staircase.py",
        "u = rng.uniform(-1, 1, size=(2, n)) * (radius / 2)",
        "u = rng.uniform(-1, 1, size=(2, n)) * (radius / 2.1)",
        "diamonds are 5 % too small",
        (f"{NOISE}::test_sampler_has_the_cdf[l1-staircase-default]",),
    ),
    Mutation(
        "hourglass-sign",
        "mechanisms/noise/hourglass.py",
        "np.copysign(level, signed, out=level)",
        "np.copysign(level, unit, out=level)",
        "the level's sign is not that of z1, so T does not follow z1",
        (f"{NOISE}::test_sampler_has_the_cdf[hourglass-default]",),
    ),
    Mutation(
        "hourglass-shift",
        "mechanisms/noise/hourglass.py",
        "fill_levels(shift, self.epsilon, log_mass_d, rng)",
        "fill_levels(shift, 2 * self.epsilon, log_mass_d, rng)",
        "T - s has half the spread: a moved count costs 2 epsilon",
        ("mechanisms/noise/test_hourglass.py::test_sum_is_level_plus_independent_geometric",),
    ),
    Mutation(
        "discrete-hourglass-level",
        "mechanisms/noise/discrete_hourglass.py",
        "center = rng.integers(1 - self.level0, self.level0, size=n)",
        "center = rng.integers(-self.level0, self.level0, size=n)",
        "level 0 has one point too many, and is not symmetric",
        ("mechanisms/noise/test_discrete_hourglass.py::test_sampler_has_the_pmf",),
    ),
    Mutation(
        "gaussian-calibration",
        "mechanisms/noise/gaussian.py",
        "mu = GaussianDP(1 / Fraction(sigma))",
        "mu = GaussianDP(Fraction(95, 100) / Fraction(sigma))",
        "sigma is calibrated 5 % too small",
        ("mechanisms/noise/test_gaussian.py::test_calibration_is_private_and_tight",),
    ),
    # Exact coins
    Mutation(
        "coin-parity",
        "mechanisms/noise/exact_bits.py",
        "result[alive[~goes_on]] = k % 2 == 1",
        "result[alive[~goes_on]] = k % 2 == 0",
        "the coin shows 1 - e^-x instead of e^-x",
        ("mechanisms/noise/test_exact_bits.py::test_coin_has_its_probability",),
    ),
    Mutation(
        "coin-modulo",
        "mechanisms/noise/exact_bits.py",
        "limit = _WORD - _WORD % bound",
        "limit = _WORD",
        "words are reduced without rejection: small remainders are likelier",
        ("mechanisms/noise/test_exact_bits.py::test_every_word_leads_to_its_remainder",),
    ),
    # Add-remove means
    Mutation(
        "independent-sum-scale",
        "mechanisms/add_remove/independent.py",
        "(2 * w1 / self.epsilon if self.sum_scale is None",
        "(w1 / self.epsilon if self.sum_scale is None",
        "Algorithm 1 spends epsilon on the sum and epsilon / 2 on the count",
        (f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "shifted-count-scale",
        "mechanisms/add_remove/shifted.py",
        "2 / self.epsilon if self.count_scale is None",
        "1 / self.epsilon if self.count_scale is None",
        "Algorithm 2 spends epsilon on the count and epsilon / 2 on the sum",
        (f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "shifted-center",
        "mechanisms/add_remove/shifted.py",
        "Fraction(sums.first, sums.grid) - Fraction(sums.count, 2))",
        "Fraction(sums.first, sums.grid) - Fraction(sums.count, 3))",
        "records are not centered: the sum's sensitivity is 2 w / 3",
        (f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "transformed-one-noise",
        "mechanisms/add_remove/transformed.py",
        "s1_hat, s2_hat = s1 + law.sample(size, rng=rng), s2 + law.sample(size, rng=rng)",
        "s1_hat, s2_hat = s1 + law.sample(size, rng=rng), s2 + np.zeros(size)",
        "the second sum is released without noise",
        (f"{MEANS}::test_noise_of_the_transformed_sums",),
    ),
    Mutation(
        "transformed-sensitivity",
        "mechanisms/add_remove/transformed.py",
        "law = Laplace(epsilon=self.epsilon, sensitivity=1)",
        "law = Laplace(epsilon=self.epsilon, sensitivity=self.high - self.low)",
        "the noise scale w / epsilon of the print (KSW-ER1)",
        (
            f"{MEANS}::test_noise_of_the_transformed_sums",
            f"{MECHANISM}::test_follows_an_affine_map_of_the_data",
        ),
    ),
    Mutation(
        "swap-scale",
        "mechanisms/add_remove/swap_mean.py",
        "z = law(epsilon=self.epsilon, sensitivity=1).sample(size, rng=rng)",
        'z = law(epsilon=self.epsilon, sensitivity="0.9").sample(size, rng=rng)',
        "90 % of the noise",
        (f"{MEANS}::test_noise_of_the_swap_mean",),
    ),
    Mutation(
        "nan-record",
        "mechanisms/add_remove/grid.py",
        "        return round(Fraction(grid, 2))\n",
        "        return 0\n",
        "NaN is low instead of the midpoint",
        (f"{MECHANISM}::test_clipping_first_changes_nothing",),
    ),
    Mutation(
        "out-of-range-record",
        "mechanisms/add_remove/grid.py",
        "        return grid if x > 0 else 0\n",
        "        return grid\n",
        "minus infinity is high",
        ("mechanisms/add_remove/test_grid.py::test_positions_are_the_nearest_grid_points",),
    ),
    Mutation(
        "zero-denominator",
        "mechanisms/add_remove/ratio.py",
        "undefined = (denominator == 0) | np.isnan(value)",
        "undefined = np.isnan(value)",
        "a zero denominator gives an end of the interval, by the sign of the numerator",
        (f"{MEANS}::test_zero_denominator_is_the_midpoint",),
    ),
    Mutation(
        "release-level",
        "mechanisms/add_remove/release.py",
        "sign * (whole + outer) + up - down",
        "sign * whole + up - down",
        "T follows the period instead of the level of J",
        ("mechanisms/add_remove/test_release.py::test_noise_has_the_discrete_hourglass_law",),
    ),
    Mutation(
        "release-minus-zero",
        "mechanisms/add_remove/release.py",
        "keep &= ~(minus & (part == 0) & (whole == 0).astype(np.bool_))",
        "keep &= True",
        "zero is drawn twice as often as its neighbors",
        ("mechanisms/add_remove/test_release.py::test_noise_has_the_discrete_hourglass_law",),
    ),
    Mutation(
        "mse-correction",
        "mechanisms/add_remove/mse.py",
        "correction = math.exp(-N) / 4 * (N * (1 - 2 * p) ** 2 - 1 / 3)",
        "correction = math.exp(-N) / 4 * (N * (1 - 2 * p) ** 2 + 1 / 3)",
        "the correction for negative noisy counts has a wrong sign",
        ("mechanisms/add_remove/test_mse.py::test_small_data",),
    ),
    Mutation(
        "law-atom",
        "mechanisms/add_remove/exact_law.py",
        "rest = numbers.rational(Fraction(1, 2)), numbers.rational((1 + B - A) / 4)",
        "rest = numbers.rational(Fraction(1, 2)), numbers.rational((1 + A - B) / 4)",
        "the stated law has atoms that are not those of its cdf",
        ("mechanisms/add_remove/test_exact_law.py::test_atoms_are_the_jumps_of_the_cdf",),
    ),
    Mutation(
        "printed-form",
        "mechanisms/as_printed/transformed_scale.py",
        "sums.second / sums.grid + noise_of_scale(width / self.epsilon, size, rng=rng)",
        "sums.second / sums.grid + noise_of_scale(1 / self.epsilon, size, rng=rng)",
        "the printed form no longer has its erratum",
        ("mechanisms/as_printed/test_transformed_scale.py",),
    ),
    # Claims and what they imply
    Mutation(
        "claim-of-own-scales",
        "mechanisms/add_remove/shifted.py",
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
    # Engine
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
        "beside = self.path.with_name(f\".{self.path.name}.{os.getpid()}\")",
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
        "        self.explored += 2 * size\n        batch = self.draw(state, size)\n"
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
        "relation-of-pairs",
        "audit/engine/neighbors.py",
        "            elif base.size:\n                neighbor = base.copy()\n",
        "            elif base.size:\n                neighbor = np.append(base, value)\n",
        "under swap a record is added",
        (f"{ENGINE}/test_neighbors.py::test_worst_cases_are_neighbors",),
    ),
    Mutation(
        "lattice-clip",
        "audit/engine/partitions/lattice.py",
        "exponent = np.clip(binade - 53 + zeros, LOWEST_EXPONENT, HIGHEST_EXPONENT)",
        "exponent = np.clip(binade - 52 + zeros, LOWEST_EXPONENT, HIGHEST_EXPONENT)",
        "the lowest bit is off by one: the sentence of a witness is false",
        ("contracts/test_partitions.py::test_description_holds_for_float_arrays",),
    ),
    Mutation(
        "lattice-subnormals",
        "audit/engine/partitions/doubles.py",
        "if (usable & (size < SMALLEST_NORMAL)).any():",
        "if (usable & (size < 0)).any():",
        "trailing zeros of subnormal values are misread",
        (f"{ENGINE}/test_partition_cells.py::test_lattice_cells_agree_with_single_outputs",),
    ),
    Mutation(
        "locator-edge-in-bucket",
        "audit/engine/partitions/locate.py",
        "below[[*taken, 0, BUCKETS]] = UNSURE",
        "below[[0, BUCKETS]] = UNSURE",
        "values in the bucket of an edge fall into the cell below it",
        (f"{ENGINE}/test_partition_cells.py::test_locator_has_buckets_for_a_bulk_and_agrees",),
    ),
    Mutation(
        "atoms-late",
        "audit/engine/partitions/edges.py",
        "frequent = np.flatnonzero(counts > 1)",
        "frequent = np.flatnonzero(counts > 2)",
        "a value that repeats has no cell of its own until it comes a third time",
        (f"{ENGINE}/test_partition_cells.py::test_a_double_seen_twice_is_an_atom",),
    ),
    Mutation(
        "edges-at-extremes",
        "audit/engine/partitions/edges.py",
        "_cuts(distinct, arms)])",
        "_cuts(distinct, ())])",
        "a far tail of one arm shares a cell with the other arm's largest draws",
        (f"{ENGINE}/test_partition_cells.py::test_what_lies_beyond_one_arm_is_a_union_of_cells",),
    ),
    Mutation(
        "ratios-unshrunk",
        "audit/engine/partitions/shrinkage.py",
        "logit = base + _share(_signed_root(left, right), table, level) * (logit - base)",
        "_share(_signed_root(left, right), table, level)",
        "coordinates that tell nothing drown the others",
        (f"{ENGINE}/test_partition_cells.py::test_ratios_of_equal_laws_are_shrunk_to_nothing",),
    ),
    Mutation(
        "increments-never",
        "audit/engine/partitions/naive_bayes.py",
        "if other._separation(past) > fitted[0]._separation(past):",
        "if other._separation(past) < fitted[0]._separation(past):",
        "partial sums are scored as if they were independent",
        (
            f"{ENGINE}/test_partition_power.py::test_naive_bayes_sees_partial_sums_by_their_increments",
        ),
    ),
    Mutation(
        "rows-by-hash",
        "audit/engine/partitions/rows.py",
        "keys = (keys ^ values.view(np.uint64) ^ kinds.astype(np.uint64)) * MULTIPLIER",
        "keys = values.view(np.uint64) * MULTIPLIER",
        "rows are told apart by their last coordinate only",
        ("contracts/test_partitions.py::test_an_unseen_row_is_among_the_others",),
    ),
    Mutation(
        "rows-unchecked",
        "audit/engine/partitions/rows.py",
        "same &= (kind == known_kind) & ((kind > 0) | (value == known))",
        "same &= kind == known_kind",
        "equal hashes are taken for equal rows",
        ("contracts/test_partitions.py::test_equal_hashes_are_no_equal_rows",),
    ),
    Mutation(
        "logit-sign",
        "audit/engine/partitions/logit.py",
        "weights += inverse @ (design.T @ residual - RIDGE * weights)",
        "weights += inverse @ (design[:, ::-1].T @ residual - RIDGE * weights)",
        "each weight is learned from another column",
        (f"{ENGINE}/test_partition_power.py::test_logit_finds_the_coordinate_that_moves",),
    ),
    Mutation(
        "power-inefficiency",
        "audit/engine/power.py",
        "mass, int((draws - LEARNING_DRAWS) / INEFFICIENCY[mass]), grid, false_alarm",
        "mass, int((draws - LEARNING_DRAWS) * INEFFICIENCY[mass]), grid, false_alarm",
        "the power statement promises more than the engine finds",
        (f"{ENGINE}/test_wealth.py::test_power_statement_divides_by_the_inefficiency",),
    ),
    Mutation(
        "fresh-copy",
        "audit/targets.py",
        "return mechanism.sample(fresh_copy(data), size, rng=rng)",
        "return mechanism.sample(data, size, rng=rng)",
        "a mechanism that writes to its data changes the pair under audit",
        ("audit/test_targets.py",),
    ),
    Mutation(
        "one-stream",
        "audit/engine/run.py",
        "place=(self.settings.seed, state.index, arm,",
        "place=(self.settings.seed, state.index, 0,",
        "both arms draw from one stream: T1 needs independent arms",
        (f"{ENGINE}/test_sequential.py::test_leaves_alone[Laplace]",),
    ),
    Mutation(
        "share-of-second-run",
        "audit/engine/sequential.py",
        "again = begin(1 - FIRST_RUN_SHARE)",
        "again = begin(1.0)",
        "a run that starts again uses the whole false-alarm rate once more",
        (f"{ENGINE}/test_wealth.py::test_two_runs_share_the_rate",),
    ),
    Mutation(
        "budget",
        "audit/engine/run.py",
        "return (self.settings.budget_samples - self.spent - self.samples) // 2",
        "return self.settings.budget_samples - self.spent - self.samples",
        "both arms together overrun the budget",
        (f"{ENGINE}/test_sequential.py::test_budget_is_kept",),
    ),
    Mutation(
        "coarse-run",
        "audit/engine/conclude.py",
        "if at_tenth <= power.limit:",
        "if at_tenth >= power.limit:",
        "a run that is too coarse is called CONSISTENT",
        (f"{ENGINE}/test_conclude.py::test_verdict_follows_the_power_statement",),
    ),
    Mutation(
        "witness-arms",
        "audit/engine/witness/write.py",
        "hits, other_hits = counts[event.arm], counts[1 - event.arm]",
        "hits, other_hits = counts[0], counts[1]",
        "a witness on the neighbor counts its event on the wrong arm",
        (f"{ENGINE}/test_wealth.py::test_witness_on_the_neighbor_counts_its_own_arm",),
    ),
    Mutation(
        "ties-by-code",
        "audit/engine/candidates.py",
        "tie = np.random.default_rng(TIE_SEED).permutation(used.size)",
        "tie = np.arange(used.size)",
        "unseen categories are ordered by the arm that met them first: fake gaps eat the wealth",
        (f"{ENGINE}/test_candidates.py::test_values_that_occur_once_make_no_gap",),
    ),
    Mutation(
        "bet-clip",
        "audit/engine/experts/persistent.py",
        "scale = np.minimum(1.0, CLIP / np.maximum(-lowest, SMALLEST))",
        "scale = 1.0",
        "a factor of a bet may be negative: wealth runs into debt",
        ("theorems/test_experts.py::test_persistent_bets_never_gain_under_the_claim",),
    ),
    Mutation(
        "posterior-clip",
        "audit/engine/experts/posterior_bets.py",
        "scale = np.minimum(1.0, CLIP / np.maximum(-lowest, 1e-12))[:, None]",
        "scale = np.ones((len(lowest), 1))",
        "bets on many events together may bring a factor below zero",
        ("theorems/test_experts.py::test_posterior_bets_never_gain_under_the_claim",),
    ),
    Mutation(
        "boundary-cancellation",
        "audit/engine/betting.py",
        "root = product / (quarter + np.sqrt(np.maximum(quarter**2 - product, 0.0)))",
        "root = quarter - np.sqrt(np.maximum(quarter**2 - product, 0.0))",
        "large claims: the boundary point cancels, and the bet goes against the violation",
        (f"{ENGINE}/test_betting.py::test_boundary_point_keeps_its_digits_however_steep_the_line",),
    ),
    Mutation(
        "alphabet-swallows-failures",
        "audit/engine/encode.py",
        "if full and label not in self.labels and not label.startswith(STRUCTURAL):",
        "if full and label not in self.labels:",
        "after many texts an exception is one of many rare values",
        (f"{ENGINE}/test_encode.py",),
    ),
    Mutation(
        "second-run-same-streams",
        "audit/engine/sequential.py",
        "again.first_batch = run.started, run.samples, SECOND_RUN",
        "again.first_batch = run.started, run.samples, 0",
        "the second run draws the first draws again",
        (f"{ENGINE}/test_sequential.py::test_a_second_run_draws_from_streams_of_its_own",),
    ),
    Mutation(
        "empty-data",
        "audit/engine/neighbors.py",
        "SIZES = (0, 1, 2, 3, 10, 100)",
        "SIZES = (1, 2, 3, 10, 100)",
        "no pair with empty data: only it shows Algorithm 2 with too little count noise",
        (f"{ENGINE}/test_neighbors.py::test_the_pairs_that_the_literature_needs_are_there",),
    ),
    # The fixed budget
    Mutation(
        "bound-nuisance-cut",
        "audit/engine/bound/berger_boos.py",
        "    p = np.minimum(1.0, slopes[1] * right + delta)",
        "    p = np.where(slopes[1] * right + delta > 1, 0.0, slopes[1] * right + delta)",
        "p = 1 with s q > 1 is left out of the claim",
        ("theorems/test_bound.py::test_the_claim_contains_certain_events",),
    ),
    Mutation(
        "bound-cells-at-one-end",
        "audit/engine/bound/berger_boos.py",
        "    return probability_upper(counts, slopes, p, left, tail=TAIL_SHARE * alpha)",
        "    return probability_upper(counts, slopes, p, right, tail=TAIL_SHARE * alpha)",
        "the tail over a cell of q is taken at one of its ends",
        ("audit/engine/bound/test_cells.py",),
    ),
    Mutation(
        "bound-labels-of-fixed-number",
        "audit/engine/bound/held_out.py",
        "    if choice.conditional:\n        first = int(",
        "    if False:\n        first = int(",
        "the conditional test gets arms of fixed sizes",
        (f"{ENGINE}/bound/test_audit.py::test_rare_events_are_tested_with_random_labels",),
    ),
    # Witnesses, upper limits, pair search
    Mutation(
        "streams-of-attempts",
        "audit/engine/witness/smallest.py",
        "FIRST_ATTEMPT = 2**31",
        "FIRST_ATTEMPT = 0",
        "smaller pairs are tried on the draws of the run that suggested them",
        (f"{ENGINE}/test_shrink.py::test_draws_that_choose_a_pair_are_not_reported",),
    ),
    Mutation(
        "shrinking-below-the-smallest-size",
        "audit/engine/witness/shrink.py",
        "if min(map(len, sides)) < self.domain.min_size:",
        "if min(map(len, sides)) < self.domain.min_size - 1:",
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
        "if key in self.tried or min(map(len, sides)) < min_size:",
        "if key in self.tried:",
        "pairs that join a run may be smaller than the user allows",
        (f"{ENGINE}/test_search.py::test_every_pair_that_joins_is_new_and_allowed",),
    ),
    Mutation(
        "noise-of-many-pairs",
        "audit/engine/experts/posterior_bets.py",
        "grid, best, line, VIOLATION / pairs",
        "grid, best, line, VIOLATION",
        "the wealth is staked on what is noise among many pairs",
        (f"{ENGINE}/experts/test_posterior_bets.py::test_noise_among_many_pairs_costs_little",),
    ),
    # Gate and exit statuses
    Mutation(
        "gate-share",
        "audit/gate.py",
        "share = config.false_alarm / len(plans)",
        "share = config.false_alarm",
        "each audit uses the whole false-alarm rate of the run",
        ("audit/test_gate.py::test_the_false_alarm_rate_is_shared_equally",),
    ),
    Mutation(
        "exit-of-twin",
        "audit/cli/exits.py",
        "return Exit.OK if result.verdict is Verdict.REFUTED else Exit.REFUTED",
        "return Exit.OK",
        "a twin that is no longer caught passes",
        ("audit/test_gate.py::test_each_outcome_has_its_status",),
    ),
    Mutation(
        "exit-of-inconclusive",
        "audit/cli/exits.py",
        "return Exit.OK if inconclusive_ok else Exit.INCONCLUSIVE",
        "return Exit.OK",
        "an inconclusive audit passes silently",
        ("audit/test_gate.py::test_each_outcome_has_its_status",),
    ),
)
"""The mutations that the tests must kill."""
