"""Claims of Kulesza, Suresh, Wang; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = (
    "hourglass",
    "staircase",
    "staircase_moments",
    "best_staircase",
    "laplace_output",
    "laplace_laws",
    "l1_law",
    "worst_case",
    "hourglass_law",
    "hourglass_worst_case",
    "errata_v1",
    "errata_lower_bound",
    "errata_v2",
    "errata_order",
    "errata_data_bound",
    "l1_staircase",
    "l1_moments",
    "tails",
    "asymptotics",
    "minimax",
    "hourglass_moments",
    "second_order",
    "hourglass_marginals",
    "discrete_hourglass",
    "uniqueness",
    "ratio_error",
    "laplace_bounds",
)
