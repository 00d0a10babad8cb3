"""inf-tda 0.1: the sensitivities for distinct and for repeated contributions are exchanged."""

import pandas as pd
from InfTDA.mechanism import inf_tda

INDEX = pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")])


def release(data, _):
    """Answer the noisy number of contributions to the first of two tuples."""
    counts = pd.Series(data, index=INDEX, dtype="int32")
    released = inf_tda(counts, (1.0, 1e-5), contribution=100, distinct_tuples=False)
    return int(released.get(("a", "x"), 0))


def event(output):
    """Say whether the first count is well above the middle."""
    return output > 300
