"""Claims of the audit engine; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = (
    "e_values",
    "wealth",
    "trade_off",
    "moments",
    "counts",
    "acceptance",
    "composition",
    "fourier",
)
"""In the order of the ledger."""
