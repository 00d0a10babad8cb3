"""The registry of all tables: name, module and title. Reading it imports none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, final

from mechanisms.errors import InvalidArgument, close_names

if TYPE_CHECKING:
    from proofs_check.tables.table import Table

__all__ = ["TABLES", "TableEntry", "find_table"]


@final
@dataclass(frozen=True, slots=True)
class TableEntry:
    """A registered table.

    Parameters
    ----------
    module : str
        Below `proofs_check.tables`; its `TABLE` is the table.
    title : str
        What it shows, in a line.
    """

    module: str
    title: str


TABLES: dict[str, TableEntry] = {
    "variance": TableEntry(
        "variance", "variance of Laplace, geometric, staircase, l1-staircase and hourglass noise"
    ),
    "staircase": TableEntry("staircase", "best parameters and moments of the staircase"),
    "l1-staircase": TableEntry(
        "l1_staircase", "best parameters and moments of the two-dimensional staircase"
    ),
    "hourglass": TableEntry(
        "hourglass", "height, law of the sum and mixed moments of the hourglass"
    ),
    "leading": TableEntry(
        "leading_constants", "leading constants: n^2 MSE / (u - l)^2 for large n, by algorithm"
    ),
    "mse": TableEntry(
        "mse", "exact mean squared error of Algorithms 1, 2 and 3 for any n, epsilon and mean"
    ),
    "error-ratio": TableEntry(
        "error_ratio",
        "errors of Algorithms 1, 2 and 3 with Laplace noise, against each other and their bounds",
    ),
    "crossover": TableEntry(
        "crossover",
        "N = n epsilon up to which Algorithm 2 is better, and from which bounds at the mean fail",
    ),
    "layer": TableEntry(
        "layer", "where the error of Algorithm 3 with Laplace noise is largest, over N = n epsilon"
    ),
    "trilemma": TableEntry(
        "trilemma", "bias, variance and pure privacy: bounds on the error, printed and sharp"
    ),
    "approximate": TableEntry(
        "approximate", "means under (epsilon, delta): bounds on the error, printed and sharp"
    ),
    "clip": TableEntry("clip", "clipping: how wide for a bias of at most beta, printed and sharp"),
    "amplification": TableEntry(
        "amplification",
        "amplification by shuffling: epsilon and delta of m mechanisms on shuffled blocks",
    ),
    "coarse": TableEntry("coarse", "DPUCOARSE: thresholds, exact delta and sample size"),
    "coarse-failure": TableEntry(
        "coarse_failure",
        "DPUCOARSE: bound of the probability of no estimate, or one more than 1 off",
    ),
    "personalized": TableEntry(
        "personalized_bounds", "what a Gaussian mean costs under your own vector of privacy budgets"
    ),
    "personalized-error": TableEntry(
        "personalized_error",
        "error of the private Gaussian mean, proved, beside its lower bound, by vectors of budgets",
    ),
    "saturation": TableEntry(
        "saturation", "saturated budgets of your own vector of privacy budgets"
    ),
    "subset-risk": TableEntry(
        "subset_risk", "subset risk of the mean for your own data: bounds, printed and sharp"
    ),
    "libraries": TableEntry(
        "libraries", "means of released libraries beside ours: (n epsilon)^2 MSE / (u - l)^2"
    ),
    "composition": TableEntry(
        "composition", "epsilon of sums of mechanisms at a delta, between two ends"
    ),
    "accountants": TableEntry(
        "accountants", "totals that released accountants claim, beside what is lost"
    ),
}
"""Tables by name, in the order of their page."""


def find_table(name: str) -> Table:
    """Return a table by its name.

    Raises
    ------
    InvalidArgument
        If there is none; the message names those that are close.
    """
    if name not in TABLES:
        hint = close_names(name, TABLES)
        msg = f"there is no table {name!r}{hint} (see `touchstone list tables`)"
        raise InvalidArgument(msg)
    table: Table = import_module(f"proofs_check.tables.{TABLES[name].module}").TABLE
    return table
