"""OpenDP 0.16.0: codes of bins follow the order of the data, so one record changes all of them."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
SCHEMA = {"x": pl.Float64}
MEASUREMENT = dp.m.make_private_lazyframe(
    dp.with_margin(
        dp.lazyframe_domain([dp.series_domain("x", dp.atom_domain(T=float, nan=False))]),
        dp.polars.Margin(max_length=101),
    ),
    dp.frame_distance(dp.symmetric_distance()),
    dp.max_divergence(),
    pl.LazyFrame(schema=SCHEMA).select(
        pl.col("x").cut([1.0]).to_physical().dp.sum((0, 1), scale=1.0)
    ),
)
STATED = MEASUREMENT.map([dp.polars.Bound(per_group=1)])


def release(data, _):
    """Answer the noisy sum of codes."""
    return MEASUREMENT(pl.LazyFrame({"x": data}, schema=SCHEMA)).collect().item()


def event(output):
    """Say whether the sum is above the middle."""
    return output > 50
