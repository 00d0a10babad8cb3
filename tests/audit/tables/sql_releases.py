"""Releases by SQL of the tables of people, six broken and two sound ones, through sqlite3.

Each claims epsilon = 1 for a person with at most three rows, who joins or leaves.
"""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np

PEOPLE: dict[str, Any] = {
    "relation": "add-remove",
    "unit": "person",
    "max_rows_per_unit": 3,
    "max_units": 6,
    "takes": "records",
    "columns": {
        "person": {"type": "id"},
        "region": {"type": "category", "values": ["N", "S", "W"], "nullable": True},
        "income": {"type": "float", "low": 0, "high": 1, "nullable": True},
        "age": {"type": "int", "low": 18, "high": 99},
    },
}

Rows = list[dict[str, Any]]
Rng = np.random.Generator


def _asked(rows: Rows, sql: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(":memory:") as base:
        base.execute("create table people (person, region, income, age)")
        base.executemany("insert into people values (:person, :region, :income, :age)", rows)
        return base.execute(sql).fetchall()


def no_clip(rows: Rows, size: int, rng: Rng) -> Any:
    """The largest income of each person is not clipped."""
    sql = "select sum(top) from (select max(income) as top from people group by person)"
    return (_asked(rows, sql)[0][0] or 0.0) + rng.laplace(size=size)


def one_row(rows: Rows, size: int, rng: Rng) -> Any:
    """Noise for one row of a person."""
    return _asked(rows, "select count(*) from people")[0][0] + rng.laplace(size=size)


def seen_regions(rows: Rows, size: int, rng: Rng) -> Any:
    """The regions are those that come in the data."""
    sql = "select region, count(distinct person) from people group by region order by region"
    found = _asked(rows, sql)
    noise = rng.laplace(scale=3.0, size=(size, len(found)))
    return [{str(name): n + z for (name, n), z in zip(found, line, strict=True)} for line in noise]


def non_null(rows: Rows, size: int, rng: Rng) -> Any:
    """Divided by the number of incomes that are not null, which is private."""
    sql = "select sum(min(max(income, 0), 1)), count(income) from people"
    total, number = _asked(rows, sql)[0]
    return ((total or 0.0) + rng.laplace(scale=3.0, size=size)) / max(1, number)


def self_join(rows: Rows, size: int, rng: Rng) -> Any:
    """Noise for the nine pairs of a person's own rows."""
    sql = "select count(*) from people a join people b on a.region = b.region"
    return _asked(rows, sql)[0][0] + rng.laplace(scale=9.0, size=size)


def wide_ages(rows: Rows, size: int, rng: Rng) -> Any:
    """A sum of ages as integers, with noise for ages up to 99."""
    total = _asked(rows, "select sum(cast(age as integer)) from people")[0][0] or 0
    return total + rng.laplace(scale=3 * 99.0, size=size)


def clipped(rows: Rows, size: int, rng: Rng) -> Any:
    """The largest income of each person, clipped."""
    top = "max(min(max(coalesce(income, 0), 0), 1))"
    sql = f"select sum(top) from (select {top} as top from people group by person)"
    return (_asked(rows, sql)[0][0] or 0.0) + rng.laplace(size=size)


def fixed_regions(rows: Rows, size: int, rng: Rng) -> Any:
    """Persons in each of the three regions, with noise for three rows."""
    sql = "select region, count(distinct person) from people group by region"
    found = dict(_asked(rows, sql))
    counts = np.array([found.get(name, 0) for name in "NSW"])
    return counts + rng.laplace(scale=3.0, size=(size, 3))


BROKEN = (no_clip, one_row, seen_regions, non_null, self_join, wide_ages)
SOUND = (clipped, fixed_regions)
