"""The means of KSW."""

from tests.mutations.mutation import Mutation

MEANS = "mechanisms/add_remove/test_means.py"
RELEASE = "mechanisms/add_remove/test_release.py"
QUERIES = "contracts/test_noisy_queries.py::test_a_sampler_draws_from_the_stated_query"

MUTATIONS = (
    Mutation(
        "mechanisms.add_remove.independent_mean:IndependentMean.scales",
        old="2 * self._largest",
        new="self._largest",
        breaks="Algorithm 1 spends epsilon on the sum and epsilon / 2 on the count",
        tests=(f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "mechanisms.add_remove.shifted_mean:ShiftedMean.scales",
        old="2 / self.epsilon",
        new="1 / self.epsilon",
        breaks="Algorithm 2 spends epsilon on the count and epsilon / 2 on the sum",
        tests=(f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "mechanisms.add_remove.shifted_mean:_query_in",
        old="(mean.low + mean.high) / 2",
        new="(mean.low + mean.high) / 3",
        breaks="records are not centered: the sum's sensitivity is 2 w / 3",
        tests=(f"{MEANS}::test_noise_of_the_pair",),
    ),
    Mutation(
        "mechanisms.query_draws:draw_query",
        old="any(slope * x + offset for slope, offset in moves for x in query.records)",
        new="all(slope * x + offset for slope, offset in moves for x in query.records)",
        breaks="sums that one record leaves alone are released without noise",
        tests=(f"{MEANS}::test_noise_of_the_transformed_sums", QUERIES),
    ),
    Mutation(
        "mechanisms.query_draws:draw_query",
        old="float(slope * data.total + offset * data.count) + column",
        new="float(slope * data.total + offset * data.count) + 0.99 * column",
        breaks="every sampler adds 1 % less noise than is stated",
        tests=(QUERIES,),
    ),
    Mutation(
        "mechanisms.query_draws:draw_query",
        old="slope * data.total",
        new="slope * data.total * Fraction(99, 100)",
        breaks="sums are 1 % smaller than is stated",
        tests=(QUERIES,),
    ),
    Mutation(
        "mechanisms.add_remove.release",
        old="exact_hourglass(*self._noise, size, bits)",
        new="exact_hourglass(self.epsilon * Fraction(101, 100), *self._noise[1:], size, bits)",
        breaks="the hardened form draws 1 % less noise than it states",
        tests=(QUERIES,),
    ),
    Mutation(
        "mechanisms.add_remove.transformed_mean:TransformedMean.noisy_query",
        old="Laplace(epsilon=self.epsilon, sensitivity=1)",
        new="Laplace(epsilon=self.epsilon, sensitivity=self.high - self.low)",
        breaks="the noise scale w / epsilon of the print (KSW-ER1)",
        tests=(
            f"{MEANS}::test_noise_of_the_transformed_sums",
            "contracts/test_mechanisms.py::test_follows_an_affine_map_of_the_data",
        ),
    ),
    Mutation(
        "mechanisms.add_remove.swap_mean",
        old="law(epsilon=self.epsilon, sensitivity=1)",
        new='law(epsilon=self.epsilon, sensitivity="0.9")',
        breaks="90 % of the noise",
        tests=(f"{MEANS}::test_noise_of_the_swap_mean",),
    ),
    Mutation(
        "mechanisms.add_remove.grid:grid_index",
        old="round(Fraction(grid, 2))",
        new="0",
        breaks="NaN is low instead of the midpoint",
        tests=("contracts/test_mechanisms.py::test_clipping_first_changes_nothing",),
    ),
    Mutation(
        "mechanisms.add_remove.grid:grid_index",
        old="grid if x > 0 else 0",
        new="grid",
        breaks="minus infinity is high",
        tests=("mechanisms/add_remove/test_grid.py::test_positions_are_the_nearest_grid_points",),
    ),
    Mutation(
        "mechanisms.add_remove.ratio:clipped_ratio",
        old="(denominator == 0) | np.isnan(value)",
        new="np.isnan(value)",
        breaks="a zero denominator gives an end of the interval, by the sign of the numerator",
        tests=(f"{MEANS}::test_zero_denominator_is_the_midpoint",),
    ),
    Mutation(
        "mechanisms.add_remove.release:_accepted_candidates",
        old="whole + outer",
        new="whole",
        breaks="T follows the period instead of the level of J",
        tests=(f"{RELEASE}::test_noise_has_the_discrete_hourglass_law",),
    ),
    Mutation(
        "mechanisms.add_remove.release:_accepted_candidates",
        old="~(minus & (part == 0) & (whole == 0).astype(np.bool_))",
        new="True",
        breaks="zero is drawn twice as often as its neighbors",
        tests=(f"{RELEASE}::test_noise_has_the_discrete_hourglass_law",),
    ),
    Mutation(
        "mechanisms.add_remove.mse:mse_transformed_laplace",
        old="N * (1 - 2 * p) ** 2 - 1 / 3",
        new="N * (1 - 2 * p) ** 2 + 1 / 3",
        breaks="the correction for negative noisy counts has a wrong sign",
        tests=("mechanisms/add_remove/test_mse.py::test_small_data",),
    ),
    Mutation(
        "mechanisms.add_remove.exact_law:_atom",
        old="1 + B - A",
        new="1 + A - B",
        breaks="the stated law has atoms that are not those of its cdf",
        tests=("mechanisms/add_remove/test_exact_law.py::test_atoms_are_the_jumps_of_the_cdf",),
    ),
    Mutation(
        "mechanisms.as_printed.transformed_scale",
        old="(self.high - self.low or one) / self.epsilon",
        new="one / self.epsilon",
        breaks="the printed form no longer has its erratum",
        tests=("mechanisms/as_printed/test_transformed_scale.py",),
    ),
)
