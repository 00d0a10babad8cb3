"""Claims of Dick, Kulesza, Sun, Suresh; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = (
    "risk.definitions",
    "risk.two_point_bound",
    "risk.risk_of_means",
    "thresholds.ranks",
    "thresholds.window",
    "thresholds.mechanism",
    "thresholds.accuracy",
    "thresholds.grid",
    "mean.bounded_mean",
    "mean.bounded_mean_steps",
    "mean.bounded_mean_bound",
    "mean.subset_mean",
    "mean.subset_mean_error",
    "mean.subset_mean_steps",
    "mean.subset_mean_constants",
    "general.monotone",
    "general.inverse_sensitivity",
    "general.modulus",
    "general.monotone_algorithm",
    "samples.sample_error",
    "samples.sample_rates",
    "risk.comparisons",
    "risk.power_means",
    "risk.power_mean_subsets",
    "errata.size",
    "errata.selection",
    "errata.release",
    "errata.domain",
    "errata.proofs",
    "errata.general",
    "errata.undefined",
    "errata.wording",
)
"""In the order of the ledger."""
