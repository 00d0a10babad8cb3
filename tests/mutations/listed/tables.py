"""Verified tables: rounding, grids, closed forms that are picked, checks of stored tables."""

from tests.mutations.mutation import Mutation

TABLES = "proofs_check/tables"
STORED = f"{TABLES}/test_stored.py"
REFERENCES = f"{TABLES}/test_references.py"
COMMAND = "cli/test_table.py"
MEASURED = "audit/test_tables_measured.py"

MUTATIONS = (
    Mutation(
        "table-rounded-down",
        "proofs_check/tables/rounding.py",
        "return round(x)  # of a Fraction: exact, half to even",
        "return x.numerator // x.denominator",
        "digits are cut off, not rounded",
        (f"{TABLES}/test_rounding.py::test_nearest_is_half_even",),
    ),
    Mutation(
        "table-enclosure-inward",
        "proofs_check/tables/rounding.py",
        "return _significant(lower, digits, _floor), _significant(upper, digits, _ceil)",
        "return _significant(lower, digits, _ceil), _significant(upper, digits, _floor)",
        "an enclosure is rounded inward",
        (f"{TABLES}/test_rounding.py::test_outward_ends_enclose",),
    ),
    Mutation(
        "table-one-end",
        "proofs_check/tables/rounding.py",
        "texts = {_significant(end, digits, _half_even) for end in (lower, upper)}",
        "texts = {_significant(end, digits, _half_even) for end in (lower, lower)}",
        "the digits of one end of an enclosure are printed",
        (f"{TABLES}/test_rounding.py::test_a_ball_on_a_border_is_undecided",),
    ),
    Mutation(
        "table-check-half-unit",
        "proofs_check/tables/stored.py",
        "return lower <= value <= upper",
        "return lower <= value",
        "a number of fewer digits that is too large holds",
        (f"{STORED}::test_fewer_digits_hold_if_they_are_right",),
    ),
    Mutation(
        "table-check-forgets-claims",
        "proofs_check/tables/stored.py",
        "if record[CLAIMS] != claims:",
        "if not claims:",
        "the ids of claims are not checked",
        (f"{STORED}::test_claims_that_are_not_the_cells_are_named",),
    ),
    Mutation(
        "table-check-exit-status",
        "audit/tables.py",
        "Exit.REFUTED if mismatches else status,",
        "status,",
        "a table that differs is exit status 0",
        (f"{COMMAND}::test_a_changed_digit_is_exit_1_and_named",),
    ),
    Mutation(
        "table-personalized-from-zero",
        "proofs_check/tables/budgets.py",
        "for k in range(first, n + 1)]",
        "for k in range(n + 1)]",
        "the printed bound looks at k = 0",
        (f"{REFERENCES}::test_reference_values_come_out",),
    ),
    Mutation(
        "table-shifted-for-independent",
        "proofs_check/tables/mse.py",
        "_laplace(INDEPENDENT),",
        "_laplace(SHIFTED),",
        "Algorithm 2 in the column of Algorithm 1",
        (f"{REFERENCES}::test_reference_values_of_one_row_come_out",),
    ),
    Mutation(
        "table-leading-of-algorithm-1",
        "proofs_check/tables/leading.py",
        "return (4 * two - one) / 3",
        "return (2 * two - one)",
        "the second-order term is not removed",
        (f"{REFERENCES}::test_reference_values_come_out",),
    ),
    Mutation(
        "table-supremum-among-powers",
        "proofs_check/tables/trilemma.py",
        "(between, upper) if at(between)[1] > 0 else (lower, between)",
        "(between, upper) if at(between)[1] < 0 else (lower, between)",
        "the maximizer is looked for on the wrong side",
        (f"{REFERENCES}::test_reference_values_of_one_row_come_out",),
    ),
    Mutation(
        "table-exact-delta-domain",
        "proofs_check/tables/coarse.py",
        "if certainly_less(2 * (f.exp(epsilon / 2) - 1), delta):",
        "if certainly_less(f.exp(epsilon / 2) - 1, delta):",
        "the exact delta is left out where it is known",
        (f"{REFERENCES}::test_reference_values_come_out",),
    ),
    Mutation(
        "table-measured-one-side",
        "audit/report/tables/empirical.py",
        "consistent = Fraction(texts[0]) <= most and least <= Fraction(texts[1])",
        "consistent = Fraction(texts[0]) <= most",
        "a number above its interval is consistent",
        (f"{MEASURED}::test_wrong_constants_are_inconsistent",),
    ),
    Mutation(
        "table-measured-rate-not-shared",
        "audit/report/tables/empirical.py",
        "_measured(draws, source, cell, false_alarm / len(todo))",
        "_measured(draws, source, cell, false_alarm)",
        "every cell has the false-alarm rate of the table",
        (f"{MEASURED}::test_the_same_seed_gives_the_same_intervals",),
    ),
)
