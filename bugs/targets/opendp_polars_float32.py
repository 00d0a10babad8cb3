"""OpenDP 0.16.0: a cast to 32-bit floats is treated as 64-bit floats, and a sum overflows."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
BIG = 1e38
SCHEMA = {"x": pl.Float64}
SUM = pl.col("x").cast(pl.Float32).fill_nan(0.0).clip(-BIG, BIG).sum().dp.noise(scale=BIG)
MEASUREMENT = dp.m.make_private_lazyframe(
    dp.with_margin(
        dp.lazyframe_domain([dp.series_domain("x", dp.atom_domain(T=float, nan=False))]),
        dp.polars.Margin(max_length=11),
    ),
    dp.frame_distance(dp.symmetric_distance()),
    dp.max_divergence(),
    pl.LazyFrame(schema=SCHEMA).select(SUM),
)
STATED = MEASUREMENT.map([dp.polars.Bound(per_group=1)])


def release(data, _):
    """Answer the noisy sum."""
    return MEASUREMENT(pl.LazyFrame({"x": data}, schema=SCHEMA)).collect().item()


def event(output):
    """Say whether the sum is far above zero."""
    return output > 1.7e38
