"""Saturation, diffusion, weighted means and lower bounds of PDP."""

from tests.mutations.mutation import Mutation

PERSONALIZED = "mechanisms/personalized"
SATURATION = f"{PERSONALIZED}/test_saturation.py"
TAU = f"{PERSONALIZED}/test_public_tau.py"
DIFFUSION = f"{PERSONALIZED}/test_diffusion.py"
WEIGHTED = f"{PERSONALIZED}/test_weighted_mean.py"
ADPM = f"{PERSONALIZED}/test_adpm.py"
BOUNDS = f"{PERSONALIZED}/test_bounds.py"

MUTATIONS = (
    Mutation(
        "saturation-noise",
        "mechanisms/personalized/saturation.py",
        "NOISE = 8",
        "NOISE = 7",
        "the variance of the noise counts less than it is",
        (f"{SATURATION}::test_reference_values",),
    ),
    Mutation(
        "saturation-crossing",
        "mechanisms/personalized/saturation.py",
        "count = int(np.argmax(crossed)) + 1 if crossed.any() else ordered.size",
        "count = int(np.argmax(crossed)) + 2 if crossed.any() else ordered.size",
        "the first budget that crosses is not cut",
        (f"{SATURATION}::test_fast_form_is_the_exact_one", f"{SATURATION}::test_reference_values"),
    ),
    Mutation(
        "saturation-tie",
        "mechanisms/personalized/saturation.py",
        "if following * total >= squares:",
        "if following * total > squares:",
        "the count is not the least",
        (f"{SATURATION}::test_count_is_the_first_crossing",),
    ),
    Mutation(
        "saturation-order",
        "mechanisms/personalized/saturation.py",
        "saturated = np.minimum(budgets, threshold)",
        "saturated = np.minimum(np.sort(budgets), threshold)",
        "saturated budgets come sorted",
        (
            f"{SATURATION}::test_budgets_keep_their_places",
            f"{ADPM}::test_release_has_the_stated_law",
        ),
    ),
    Mutation(
        "public-tau-ties",
        "mechanisms/personalized/public_tau.py",
        "above = np.cumsum(counts[::-1])[::-1] - counts",
        "above = np.cumsum(counts[::-1])[::-1]",
        "survivors at the level count twice",
        (f"{TAU}::test_no_level_is_better", f"{TAU}::test_survivors_at_the_level_count_once"),
    ),
    Mutation(
        "public-tau-product",
        "mechanisms/personalized/public_tau.py",
        "best = values[np.argmax(np.log(values) + survivors)]",
        "best = values[np.argmax(survivors)]",
        "the level is that of the most survivors",
        (f"{TAU}::test_reference_values",),
    ),
    Mutation(
        "rate-slack",
        "mechanisms/personalized/diffusion/enclosures.py",
        "SLACK = 2.0**-40",
        "SLACK = 2.0**-60",
        "bounds of the rate are narrower than their rounding",
        (f"{DIFFUSION}::test_bounds_in_doubles_hold_the_rate",),
    ),
    Mutation(
        "rate-series",
        "mechanisms/personalized/diffusion/enclosures.py",
        "TERMS = 20",
        "TERMS = 8",
        "the series of the bounds is cut too early",
        (f"{DIFFUSION}::test_bounds_in_doubles_hold_the_rate",),
    ),
    Mutation(
        "rate-remainder",
        "mechanisms/personalized/diffusion/enclosures.py",
        "while term_upper > 1 or j < 2:",
        "while term_upper > one >> 64 or j < 2:",
        "the series of the enclosure is cut at 64 bits",
        (f"{DIFFUSION}::test_enclosures_hold_the_rate",),
    ),
    Mutation(
        "survivor-rounded-up",
        "mechanisms/personalized/diffusion/rates.py",
        "kept = words < limits.below",
        "kept = words <= limits.last",
        "a word that does not decide survives",
        (
            f"{DIFFUSION}::test_tiny_rates_never_survive_wrongly",
            f"{DIFFUSION}::test_slow_path_compares_all_bits",
        ),
    ),
    Mutation(
        "survivor-decided-early",
        "mechanisms/personalized/diffusion/rates.py",
        "        if bits_known < lower:",
        "        if bits_known <= lower:",
        "bits equal to those of the rate survive",
        (f"{DIFFUSION}::test_rational_rates_are_compared_exactly",),
    ),
    Mutation(
        "rate-of-alg-6",
        "mechanisms/personalized/diffusion/rates.py",
        "return far * (1 - gain) / (1 - all_gain)",
        "return numbers.rational(budget / self.tau)",
        "the stated rate is the printed eps / tau",
        ("cross/test_pdp_foundations.py::test_right_rate_is_the_ledgers",),
    ),
    Mutation(
        "adpm-scale",
        "mechanisms/personalized/adpm.py",
        "return np.where(low < high, centers, low), (high - low) / total",
        "return np.where(low < high, centers, low), (high - low) / total * 0.95",
        "draws have less noise than their law",
        (f"{ADPM}::test_release_has_the_stated_law", f"{ADPM}::test_each_draw_has_its_interval"),
    ),
    Mutation(
        "adpm-query-scale",
        "mechanisms/personalized/adpm.py",
        "weights = tuple(budget / found.total for budget in found.saturated)",
        "weights = tuple(budget / found.total for budget in self.budgets)",
        "weights are those of the budgets that are not saturated",
        (f"{ADPM}::test_losses_are_the_saturated_budgets", f"{ADPM}::test_reference_query"),
    ),
    Mutation(
        "missing-record-zero",
        "mechanisms/personalized/noisy_sum.py",
        "np.where(np.isnan(values), low / 2 + high / 2, np.clip(values, low, high))",
        "np.where(np.isnan(values), 0 * low, np.clip(values, low, high))",
        "a missing record is read as 0",
        (
            f"{ADPM}::test_missing_record_is_the_midpoint",
            f"{WEIGHTED}::test_missing_record_is_the_midpoint",
        ),
    ),
    Mutation(
        "weighted-mean-scale",
        "mechanisms/personalized/weighted_mean.py",
        "return (self.high - self.low) * max(self.weights) / self.epsilon",
        "return (self.high - self.low) * min(self.weights) / self.epsilon",
        "the noise hides the record of the least weight",
        (f"{WEIGHTED}::test_release_has_the_stated_law", f"{WEIGHTED}::test_loss_is_epsilon"),
    ),
    Mutation(
        "lower-bound-root",
        "mechanisms/personalized/bounds.py",
        "(sums + 2 * np.sqrt(rest))",
        "(sums + np.sqrt(rest))",
        "the lower bound lacks a factor",
        (f"{BOUNDS}::test_reference_values",),
    ),
    Mutation(
        "lower-bound-constant",
        "mechanisms/personalized/bounds.py",
        "UNBOUNDED = 0.8390578035984329",
        "UNBOUNDED = 0.8390578035984339",
        "the sharp constant is above what its route proves",
        (f"{BOUNDS}::test_constants_are_proved",),
    ),
    Mutation(
        "printed-recursion",
        "mechanisms/as_printed/adpm.py",
        "total, squares = total + budget, squares + budget**2",
        "total, squares = total + found[-1], squares + found[-1] ** 2",
        "the printed recursion is the right one",
        ("mechanisms/as_printed/test_adpm.py::test_example_of_the_recursions",),
    ),
    Mutation(
        "printed-range",
        "mechanisms/as_printed/weighted_mean.py",
        "scale = (values.max() - values.min()) * float(self._relative_scale)",
        "scale = (high - low) * float(self._relative_scale)",
        "the printed form has the noise of a public interval",
        ("mechanisms/as_printed/test_weighted_mean.py::test_noise_follows_the_records",),
    ),
)
