"""OpenDP 0.16.0: null is replaced by NaN in a column that is believed to have no NaN."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
SCHEMA = {"x": pl.Float64}
SUM = pl.col("x").fill_null(float("nan")).clip(0.0, 1.0).sum().dp.noise(scale=1)
NUMBER = dp.option_domain(dp.atom_domain(T=float, nan=False))
MEASUREMENT = dp.m.make_private_lazyframe(
    dp.with_margin(
        dp.lazyframe_domain([dp.series_domain("x", NUMBER)]), dp.polars.Margin(max_length=100)
    ),
    dp.frame_distance(dp.symmetric_distance()),
    dp.max_divergence(),
    pl.LazyFrame(schema=SCHEMA).select(SUM),
    global_scale=1.0,
)
STATED = MEASUREMENT.map([dp.polars.Bound(per_group=2)])


def release(data, _):
    """Answer the noisy sum; a record "null" is a missing value."""
    values = [None if value == "null" else value for value in data]
    return MEASUREMENT(pl.LazyFrame({"x": values}, schema=SCHEMA)).collect().item()


def event(output):
    """Say whether the sum is above the middle."""
    return output > 50
