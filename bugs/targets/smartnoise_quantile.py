"""smartnoise-sql 1.0.1: weights underflow to 0, and the quantile raises on one of two neighbors."""

from snsql.sql._mechanisms.approx_bounds import quantile


def release(data, _):
    """Answer the noisy median."""
    return quantile(data, 0.5, 1, 0, 1)


def event(output):
    """Say whether it raised."""
    return isinstance(output, dict)
