"""Queries without noise, whose sensitivity `touchstone sensitivity` tests."""

import numpy as np


def count_above_half(data):
    """How many records are above 1/2: one record more or less changes it by at most 1."""
    return int((data > 0.5).sum())


def histogram(data):
    """Counts in four bins: a record that is replaced moves from one to another."""
    return np.histogram(data, bins=4, range=(0, 1))[0]


def total(data):
    """The sum of the records, which nothing clips."""
    return float(data.sum())
