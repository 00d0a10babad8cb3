"""Releases of tables by SQL, through sqlite3, which Python has; DuckDB runs the same query.

touchstone audit examples/sql_releases.py:counts --epsilon 1 --schema examples/people.toml
"""

import sqlite3
from pathlib import Path

COUNTS = Path(__file__).with_name("noisy_count.sql").read_text()


def asked(people, query):
    """Rows of a query on a data frame."""
    with sqlite3.connect(":memory:") as base:
        people.to_sql("people", base, index=False)
        return base.execute(query).fetchall()


def counts(people, size, rng):
    """Rows in each region, with noise for the three rows that a person may have."""
    numbers = [number for _, number in asked(people, COUNTS)]
    return numbers + rng.laplace(scale=3, size=(size, len(numbers)))


def rows(people, size, rng):
    """All rows, with noise for one row of a person: it breaks its promise."""
    ((number,),) = asked(people, "select count(*) from people")
    return number + rng.laplace(scale=1, size=size)


def counts_by_duckdb(people, size, rng):
    """As `counts`, by DuckDB (pip install duckdb)."""
    import duckdb

    numbers = [number for _, number in duckdb.query_df(people, "people", COUNTS).fetchall()]
    return numbers + rng.laplace(scale=3, size=(size, len(numbers)))
