"""OpenDP 0.16.0: the rest of a division by 0 is null, which is believed not to happen."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
SCHEMA = {"n": pl.Int64, "m": pl.Int64}
INTEGER = dp.option_domain(dp.atom_domain(T="i64"))
DOMAIN = dp.with_margin(
    dp.lazyframe_domain([dp.series_domain("n", INTEGER), dp.series_domain("m", INTEGER)]),
    dp.polars.Margin(max_length=16, invariant="lengths"),
)
COUNT = (pl.col("n").fill_null(0) % pl.col("m").fill_null(0)).count()
MEASUREMENT = dp.m.make_private_lazyframe(
    DOMAIN,
    dp.frame_distance(dp.symmetric_distance()),
    dp.max_divergence(),
    pl.LazyFrame(schema=SCHEMA).select(COUNT.dp.noise()),
    global_scale=1.0,
)
STATED = MEASUREMENT.map([dp.polars.Bound(per_group=2)])


def release(data, _):
    """Answer the count of rests of 1 after division by the records."""
    frame = pl.LazyFrame({"n": [1] * len(data), "m": data}, schema=SCHEMA)
    return MEASUREMENT(frame).collect().item()


def event(output):
    """Say whether all 16 records are counted."""
    return output == 16
