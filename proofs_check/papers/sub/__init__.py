"""Claims of Dick, Kulesza, Sun, Suresh; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = (
    "risk",
    "two_point_bound",
    "risk_of_means",
    "thresholds",
    "threshold_window",
    "threshold_mechanism",
    "threshold_accuracy",
    "grid",
    "bounded_mean",
    "bounded_mean_steps",
    "bounded_mean_bound",
    "subset_mean",
    "subset_mean_error",
    "subset_mean_steps",
    "subset_mean_constants",
    "monotone",
    "inverse_sensitivity",
    "modulus",
    "monotone_algorithm",
    "sample_error",
    "sample_rates",
    "comparisons",
    "power_means",
    "power_mean_subsets",
    "errata_size",
    "errata_selection",
    "errata_release",
    "errata_domain",
    "errata_proofs",
    "errata_general",
    "errata_wording",
)
"""In the order of the ledger."""
