"""Noise laws, their samplers and their exact coins."""

from tests.mutations.mutation import Mutation

NOISE = "contracts/test_noise.py"

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
)
