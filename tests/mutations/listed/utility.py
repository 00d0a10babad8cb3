"""Errors of estimators: their bounds, tests, intervals and power."""

from tests.mutations.mutation import Mutation

BETTING = "audit/utility/test_betting.py"
CALIBRATION = "audit/utility/test_calibration.py"
FIT = "audit/utility/test_fit.py"
CLAIMS = "mechanisms/test_utility_claims.py"
CROSS = "cross/test_utility.py"
REGISTERED = "audit/utility/test_registered.py"
AUDIT = "audit/utility/test_audit.py"

MUTATIONS = (
    Mutation(
        "utility-swap-bias",
        "mechanisms/add_remove/utility.py",
        "moved = (math.exp(-N * p) - math.exp(-N * (1 - p))) / (2 * N)",
        "moved = (math.exp(-N * p) - math.exp(-N * (1 - p))) / (4 * N)",
        "the clip is said to move a mean by half of what it does",
        (f"{CLAIMS}::test_bias_of_the_clipped_swap_mean",),
    ),
    Mutation(
        "utility-shifted-bound",
        "mechanisms/add_remove/utility.py",
        '_most(4 * ((high - low) / (n * epsilon)) ** 2, "Lemma 2 for all n (KSW-T1\')"),',
        '_most(2 * ((high - low) / (n * epsilon)) ** 2, "Lemma 2 for all n (KSW-T1\')"),',
        "Algorithm 2 is said to be as good as Algorithm 3",
        (f"{CROSS}::test_bounds_for_every_size",),
    ),
    Mutation(
        "utility-named-fourth",
        "mechanisms/trilemma/utility.py",
        "(rest * (1 - 3 * delta * rest) / delta**3)",
        "(rest * (1 - 2 * delta * rest) / delta**3)",
        "the fourth moment of a named record is too large",
        (f"{CLAIMS}::test_moments_of_named_records",),
    ),
    Mutation(
        "utility-laplace-fourth",
        "mechanisms/trilemma/utility.py",
        "(24 * m + 12 * m * (m - 1)) * scale**4 / m**4",
        "(24 * m + 6 * m * (m - 1)) * scale**4 / m**4",
        "pairs of squares are counted three times instead of six",
        (f"{CLAIMS}::test_moments_of_averages_of_laplace_noise",),
    ),
    Mutation(
        "utility-rank-interval",
        "mechanisms/subset/utility.py",
        "error = math.ceil(reach) - 1 if strict else math.floor(reach)",
        "error = math.floor(reach)",
        "thresholds whose loss is the bound itself count as near",
        (f"{CLAIMS}::test_thresholds_within_reach_are_an_interval",),
    ),
    Mutation(
        "utility-subset-mean-rounding",
        "mechanisms/subset/utility.py",
        "factor = 5 + 2 * epsilon + 4 * found.beta * epsilon",
        "factor = 5 + epsilon + 4 * found.beta * epsilon",
        "the price of a rank rounded up is halved",
        (f"{CROSS}::test_error_of_the_subset_mean",),
    ),
    Mutation(
        "utility-bet-sign",
        "audit/utility/betting.py",
        "logs = np.array([np.log1p(rate * (x - mean)).sum() for rate in capped])",
        "logs = np.array([np.log1p(rate * (x - 0.95 * mean)).sum() for rate in capped])",
        "bets are won although the mean is as claimed",
        (f"{BETTING}::test_the_mean_wealth_of_a_bet_is_one",),
    ),
    Mutation(
        "utility-catoni-cost",
        "audit/utility/betting.py",
        "cost = x.size * math.log1p(bet**2 * max(square - mean**2, 0.0) / 2)",
        "cost = x.size * math.log1p(bet**2 * max(square - mean**2, 0.0) / 4)",
        "limits of a bias pay for half of the variance",
        (f"{BETTING}::test_the_mean_wealth_of_catonis_bet",),
    ),
    Mutation(
        "utility-symmetric-cosh",
        "audit/utility/betting.py",
        "return float((z - size - np.log1p(np.exp(-2 * size)) + math.log(2)).sum())",
        "return float((z - size / 2 - np.log1p(np.exp(-2 * size)) + math.log(2)).sum())",
        "signs of errors are bet on at better odds than fair ones",
        (f"{BETTING}::test_the_limit_of_a_symmetric_center",),
    ),
    Mutation(
        "utility-small-mean",
        "audit/utility/betting.py",
        "return (1 + rate**2 * square / 2 - math.exp(exponent)) / rate",
        "return (1 + rate**2 * square / 4 - math.exp(exponent)) / rate",
        "a mean is said to be smaller than the draws show",
        (f"{BETTING}::test_the_limit_of_a_small_mean",),
    ),
    Mutation(
        "utility-band",
        "audit/utility/fit.py",
        "return math.sqrt(math.log(2 / error) / (2 * draws))",
        "return math.sqrt(math.log(1 / error) / (2 * draws))",
        "the cdf band forgets one of its sides",
        (f"{FIT}::test_band_is_that_of_massart",),
    ),
    Mutation(
        "utility-divergence-limit",
        "audit/utility/fit.py",
        "return t - free - free * math.log(t / free) + math.log(error)",
        "return t - free + math.log(error)",
        "the law itself is refuted more often than stated",
        (
            f"{FIT}::test_the_limit_of_a_divergence_has_its_error",
            f"{FIT}::test_the_limit_solves_its_equation",
        ),
    ),
    Mutation(
        "utility-level-cells",
        "audit/utility/stated_laws.py",
        "return s + gamma if s >= 0 else s + 1 - gamma",
        "return s + gamma if s > 0 else s + 1 - gamma",
        "level 0 ends elsewhere",
        (f"{FIT}::test_draws_of_a_noise_law_fit_it",),
    ),
    Mutation(
        "utility-ends",
        "audit/utility/estimates.py",
        "ends = 2 * bool(biases) + len(misses) + len(case.fits)",
        "ends = bool(biases) + len(misses) + len(case.fits)",
        "a bias is tested on both sides at the rate of one",
        (f"{CALIBRATION}::test_the_rate_is_shared_over_all_ends",),
    ),
    Mutation(
        "utility-power-of-a-bias",
        "audit/utility/power.py",
        "return claimed + rounding(case) + half + CHANCE_QUANTILE * spread",
        "return claimed + rounding(case) + (half + CHANCE_QUANTILE * spread) / 2",
        "half of the bias that would be seen is promised to be",
        (f"{CALIBRATION}::test_a_bias_as_large_as_stated_is_seen",),
    ),
    Mutation(
        "utility-failures",
        "audit/utility/audit.py",
        "or (result.failures > 0 and presumed and not state.case.given_success)",
        "or (result.failures > 10**9 and presumed and not state.case.given_success)",
        "an estimator that fails now and then passes",
        (f"{AUDIT}::test_a_failure_refutes_a_claim_of_the_mean",),
    ),
    Mutation(
        "utility-cut",
        "audit/utility/stages.py",
        "most = max((budget_samples - pilots) // len(self.states), FEWEST)",
        "most = max(budget_samples // len(self.states), FEWEST)",
        "the stated budget repeats another run",
        (f"{AUDIT}::test_a_run_that_time_stops_is_repeated_by_its_samples",),
    ),
)
