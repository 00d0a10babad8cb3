"""OpenDP 0.16.0: a column is cut to 100 groups a user, then redefined, and the cut is believed."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
SCHEMA = {"id": pl.Int64, "g": pl.Int64}
COUNTS = (
    pl.LazyFrame(schema=SCHEMA)
    .filter(pl.int_range(pl.len()).over("id", "g") < 1)
    .filter(pl.struct("g").rank("dense").over("id") < 101)
    .with_columns(g=pl.lit(0, dtype=pl.Int64))
    .group_by("g")
    .agg(dp.len(scale=1.0))
)
INTEGER = dp.atom_domain(T="i64")
MEASUREMENT = dp.m.make_private_lazyframe(
    dp.lazyframe_domain([dp.series_domain("id", INTEGER), dp.series_domain("g", INTEGER)]),
    dp.symmetric_id_distance(identifier=pl.col("id")),
    dp.zero_concentrated_divergence(),
    pl.LazyFrame({"g": [0]}).join(COUNTS, on="g", how="left"),
)
STATED = MEASUREMENT.map(1)


def release(data, _):
    """Answer the noisy number of rows; each user of the data has a row in each of 100 groups."""
    rows = {"id": [user for user in data for _ in range(100)], "g": list(range(100)) * len(data)}
    return MEASUREMENT(pl.LazyFrame(rows, schema=SCHEMA)).collect()["len"].item()


def event(output):
    """Say whether the count is above the middle."""
    return output > 150
