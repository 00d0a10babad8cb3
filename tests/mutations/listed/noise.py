"""Noise laws, their samplers and their exact coins."""

from tests.mutations.mutation import Mutation

NOISE = "contracts/test_noise.py"
L1_STAIRCASE = "mechanisms/noise/test_l1_staircase.py"
SAMPLERS = "cross/test_samplers.py"
HOURGLASS = "mechanisms/noise/test_hourglass.py"

# fmt: off
MUTATIONS = (
    Mutation("mechanisms.noise.laplace:Laplace.sample", old="self.scale", new="0.95 * self.scale",
        breaks="Laplace draws have 95 % of the scale",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[laplace-default]",)),
    Mutation("mechanisms.noise.geometric:Geometric.sample",
        old="float(np.log1p(complement / (1 + b)))", new="0.0",
        breaks="one-sided mass: zero is drawn too often",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[geometric-default]",)),
    Mutation("mechanisms.noise.staircase:optimal_gamma",
        old="(-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 3",
        new="(-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 2",
        breaks="gamma* from a square root instead of the cube root: the variance is "
            "not the least",
        tests=("mechanisms/noise/test_staircase.py::test_reference_table",)),
    Mutation("mechanisms.noise.staircase:Staircase._draw",
        old="np.copysign(level[:n], signed[:n], out=level[:n])",
        new="np.copysign(np.floor(np.abs(z[part])), signed[:n], out=level[:n])",
        breaks="the level is computed back from the variate, and without gamma",
        tests=("mechanisms/noise/test_staircase.py::test_carried_level_is_the_level",)),
    Mutation("mechanisms.noise.staircase:Staircase._draw", old="-self.log_mixing", new="0.0",
        breaks="levels are geometric from zero, as if gamma were 1",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[staircase-default]",)),
    Mutation("mechanisms.noise.levels:fill_within", old="gamma - 1", new="gamma",
        breaks="steps are shifted by one period against the levels",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[staircase-default]",)),
    Mutation("mechanisms.noise.l1_staircase:_largest_root", old="1.0", new="0.0",
        breaks="Newton's method starts below: it finds a root of a local maximum, or none",
        tests=(f"{L1_STAIRCASE}::test_gamma_is_the_largest_root_and_not_the_trap",)),
    Mutation("mechanisms.noise.l1_staircase:L1Staircase.sample", old="radius / 2",
        new="radius / 2.1",
        breaks="diamonds are 5 % too small",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[l1-staircase-default]",
            f"{SAMPLERS}::test_a_sampler_has_the_ledgers_law[l1 staircase, first coordinate]")),
    Mutation("mechanisms.noise.hourglass:Hourglass.sample_parts",
        old="np.copysign(level, signed, out=level)", new="np.copysign(level, unit, out=level)",
        breaks="the level's sign is not that of z1, so T does not follow z1",
        tests=(f"{NOISE}::test_sampler_has_the_cdf[hourglass-default]",)),
    Mutation("mechanisms.noise.hourglass:Hourglass.sample_parts",
        old="fill_levels(shift, self.epsilon, log_mass_d, rng)",
        new="fill_levels(shift, 2 * self.epsilon, log_mass_d, rng)",
        breaks="T - s has half the spread: a moved count costs 2 epsilon",
        tests=(f"{HOURGLASS}::test_sum_is_level_plus_independent_geometric",)),
    Mutation("mechanisms.noise.discrete_hourglass:DiscreteHourglass.sample_parts",
        old="1 - self.level0", new="-self.level0",
        breaks="level 0 has one point too many, and is not symmetric",
        tests=("mechanisms/noise/test_discrete_hourglass.py::test_sampler_has_the_pmf",)),
    Mutation("mechanisms.noise.gaussian:Gaussian.from_approx_dp", old="1 / Fraction(sigma)",
        new="Fraction(95, 100) / Fraction(sigma)",
        breaks="sigma is calibrated 5 % too small",
        tests=("mechanisms/noise/test_gaussian.py::test_calibration_is_private_and_tight",)),
    Mutation("mechanisms.noise.exact_bits:_bernoulli_exp_unit", old="k % 2 == 1", new="k % 2 == 0",
        breaks="the coin shows 1 - e^-x instead of e^-x",
        tests=("mechanisms/noise/test_exact_bits.py::test_coin_has_its_probability",)),
    Mutation("mechanisms.noise.exact_bits:uniform_below", old="_WORD - _WORD % bound", new="_WORD",
        breaks="words are reduced without rejection: small remainders are likelier",
        tests=("mechanisms/noise/test_exact_bits.py::test_every_word_leads_to_its_remainder",)),
)
