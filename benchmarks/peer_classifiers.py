"""Features of outputs and classifiers that tell two data sets apart, for the tests compared with.

A column whose values repeat is a set of indicators, other columns are numbers in units of their
spread, with an indicator for each value that comes often (ends of an interval, an atom). Three
classifiers of scikit-learn: logistic regression, a network of two hidden layers, boosted trees.
Each returns a score that rises with the probability of the likelier data set.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLASSIFIERS", "Features", "Score", "fit", "prepare"]

Array = NDArray[np.float64]
Score = Callable[[NDArray[Any]], Array]

MOST_INDICATORS = 200
OFTEN = 0.01
"""Share of the outputs from which on a value of a continuous column has an indicator."""
HIDDEN = (32, 16)
ROWS_SEEN, FEWEST_EPOCHS, MOST_EPOCHS = 2_000_000, 8, 200
"""Rows that a network's training sees in all, and how often it sees each at least and at most."""


@final
@dataclass(frozen=True, slots=True)
class Column:
    """One column: values with an indicator, and the unit of its number (0 for labels)."""

    values: NDArray[Any]
    middle: float
    spread: float

    @classmethod
    def of(cls, column: NDArray[Any]) -> Column:
        """Learn from outputs."""
        values, counts = np.unique(column, return_counts=True)
        if values.size > min(MOST_INDICATORS, column.size // 2):
            values = values[counts >= max(3, OFTEN * column.size)]
        if column.dtype.kind in "US":
            return cls(values, 0.0, 0.0)
        middle, spread = float(np.median(column)), float(column.std())
        return cls(values, middle, spread)

    def __call__(self, column: NDArray[Any]) -> Array:
        """Features, shape (n, values + 1)."""
        found = [(column == value).astype(float) for value in self.values]
        if self.spread > 0:
            found.append((column - self.middle) / self.spread)
        return np.stack(found, axis=1) if found else np.zeros((len(column), 1))


@final
@dataclass(frozen=True, slots=True)
class Features:
    """Features of outputs, one column or several."""

    columns: tuple[Column, ...]

    @classmethod
    def of(cls, outputs: NDArray[Any]) -> Features:
        """Learn from outputs of both data sets."""
        rows = outputs.reshape(len(outputs), -1)
        return cls(tuple(Column.of(rows[:, i]) for i in range(rows.shape[1])))

    def __call__(self, outputs: NDArray[Any]) -> Array:
        """Features of outputs, shape (n, features)."""
        rows = outputs.reshape(len(outputs), -1)
        parts = [column(rows[:, i]) for i, column in enumerate(self.columns)]
        return np.concatenate(parts, axis=1)


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=300)


def _network(rows: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    epochs = int(np.clip(ROWS_SEEN / rows, FEWEST_EPOCHS, MOST_EPOCHS))
    return MLPClassifier(
        hidden_layer_sizes=HIDDEN,
        learning_rate_init=0.01,
        batch_size=min(max(32, rows // 100), 2_000, rows),
        max_iter=epochs,
        random_state=0,
    )


def _trees() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.1, max_leaf_nodes=15, early_stopping=False, random_state=0
    )


CLASSIFIERS: dict[str, Callable[[int], Any]] = {
    "logistic": lambda _: _logistic(),
    "network": _network,
    "trees": lambda _: _trees(),
}
"""Makers by name, from the number of training rows."""


def prepare() -> None:
    """Import what `fit` needs: that is no part of a test's processor time."""
    fit("logistic", np.zeros(8), np.ones(8))
    for make in CLASSIFIERS.values():
        make(8)


def fit(name: str, likelier: NDArray[Any], other: NDArray[Any]) -> Score:
    """Train on outputs of both data sets: a function that scores outputs."""
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    outputs = np.concatenate([likelier, other])
    features = Features.of(outputs)
    labels = np.repeat([1, 0], [len(likelier), len(other)])
    model = CLASSIFIERS[name](len(outputs))
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(features(outputs), labels)

    def score(z: NDArray[Any]) -> Array:
        with threadpool_limits(1):
            return np.asarray(model.predict_proba(features(z))[:, 1])

    return score
