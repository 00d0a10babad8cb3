"""The thresholds of SUB."""

from tests.mutations.mutation import Mutation

THRESHOLD = "mechanisms/subset/test_threshold.py"

MUTATIONS = (
    Mutation(
        "threshold-exponent",
        "mechanisms/subset/window.py",
        "log_weight = np.log(width) - float(epsilon) / 2 * loss",
        "log_weight = np.log(width) - float(epsilon) * loss",
        "thresholds are drawn with twice the exponent",
        (f"{THRESHOLD}::test_sampler_has_the_exact_law",),
    ),
    Mutation(
        "threshold-window",
        "mechanisms/subset/window.py",
        'lo = np.searchsorted(leaves, ends[:-1], side="right")',
        'lo = np.searchsorted(enters, ends[:-1], side="right")',
        "records in the window count as below it",
        (f"{THRESHOLD}::test_windows_in_doubles_are_the_exact_ones",),
    ),
    Mutation(
        "threshold-side",
        "mechanisms/subset/window.py",
        "(count - hi, count - lo)",
        "(count - lo, count - hi)",
        "ranks from above have their ends exchanged",
        (f"{THRESHOLD}::test_mirrored_data_have_the_mirrored_law",),
    ),
    Mutation(
        "threshold-loss",
        "mechanisms/subset/threshold.py",
        "loss = max(Fraction(0), lo - self.rank, self.rank - hi)",
        "loss = max(Fraction(0), hi - self.rank, self.rank - lo)",
        "the loss is the distance of the farther rank",
        (
            f"{THRESHOLD}::test_loss_is_the_least_over_the_window",
            f"{THRESHOLD}::test_reference_example",
        ),
    ),
    Mutation(
        "threshold-least-alpha",
        "mechanisms/subset/parameters.py",
        "if low < high and exact < SPACINGS * spacing:",
        "if low < high and exact < spacing / SPACINGS:",
        "windows narrower than the spacing of doubles are taken",
        (f"{THRESHOLD}::test_bad_parameters_raise",),
    ),
    Mutation(
        "threshold-grid-share",
        "mechanisms/subset/threshold_grid.py",
        "NEXT, BETWEEN = Fraction(1, 3), Fraction(1, 6)",
        "NEXT, BETWEEN = Fraction(1, 3), Fraction(1, 5)",
        "rounding moves more than the half of a middle third",
        ("mechanisms/subset/test_threshold_grid.py::test_law_is_that_of_the_rounded_threshold",),
    ),
    Mutation(
        "level-law-exponent",
        "mechanisms/subset/levels.py",
        "level = numbers.rational(self.epsilon * (least - piece.loss) / 2)",
        "level = numbers.rational(self.epsilon * (least - piece.loss))",
        "the stated law normalizes with twice the exponent",
        (f"{THRESHOLD}::test_reference_example",),
    ),
    Mutation(
        "printed-threshold-alpha",
        "mechanisms/as_printed/threshold.py",
        "alpha = self.gamma / count if",
        "alpha = self.gamma if",
        "the printed window does not follow the number of records",
        (
            "mechanisms/as_printed/test_threshold.py::test_parameters_are_the_printed_ones",
            "audit/exact/test_from_levels.py::test_printed_form_is_refuted",
        ),
    ),
    Mutation(
        "printed-threshold-rank",
        "mechanisms/as_printed/threshold.py",
        "self.epsilon * count**3 / self.gamma**2",
        "self.epsilon * count**2 / self.gamma**2",
        "the printed rank lacks a logarithm of the number of records",
        ("mechanisms/as_printed/test_threshold.py::test_parameters_are_the_printed_ones",),
    ),
    Mutation(
        "level-cells-neighbor",
        "audit/exact/from_levels.py",
        "for lower, upper, _, q in group]) * total,",
        "for lower, upper, _, q in group]) * other_total,",
        "the two laws are compared without their normalizers",
        ("audit/exact/test_from_levels.py::test_printed_form_is_refuted",),
    ),
)
