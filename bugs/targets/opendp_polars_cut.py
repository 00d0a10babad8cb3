"""OpenDP 0.16.0: NaN has no bin, so it is null in a column that is believed to have none."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
SCHEMA = {"x": pl.Float64}
DOMAIN = dp.with_margin(
    dp.lazyframe_domain([dp.series_domain("x", dp.option_domain(dp.atom_domain(T=float)))]),
    dp.polars.Margin(max_length=16, invariant="lengths"),
)
MEASUREMENT = dp.m.make_private_lazyframe(
    DOMAIN,
    dp.frame_distance(dp.symmetric_distance()),
    dp.max_divergence(),
    pl.LazyFrame(schema=SCHEMA).select(pl.col("x").fill_null(0.0).cut([1.5]).count().dp.noise()),
    global_scale=1.0,
)
STATED = MEASUREMENT.map([dp.polars.Bound(per_group=2)])


def release(data, _):
    """Answer the count."""
    return MEASUREMENT(pl.LazyFrame({"x": data}, schema=SCHEMA)).collect().item()


def event(output):
    """Say whether all 16 records are counted."""
    return output == 16
