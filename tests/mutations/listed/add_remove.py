"""The means of KSW."""

from tests.mutations.mutation import Mutation

MECHANISM = "contracts/test_mechanisms.py"
MEANS = "mechanisms/add_remove/test_means.py"

MUTATIONS = (
    Mutation(
        "independent-sum-scale",
        "mechanisms/add_remove/independent.py",
        "2 * self._largest / self.epsilon if self.sum_scale is None",
        "self._largest / self.epsilon if self.sum_scale is None",
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
)
