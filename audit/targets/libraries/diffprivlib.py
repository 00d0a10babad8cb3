"""Queries of diffprivlib.tools under the relation that their calibration means.

mean, sum and count_nonzero calibrate to high - low, the effect of replacing a record, and truncate
their output to a range that depends on the number of records: SWAP. histogram adds geometric noise
of sensitivity 1 to every bin: ADD_REMOVE. median scores ranks, which move by at most 1 under either
relation. Every call gets its own budget accountant: the library's default one keeps a list of all
calls ever made. The caller's generator drives the library through `random_state`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.draws import draw_each, load_library, records, version_of
from audit.targets.libraries.parameters import set_query
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_integer

__all__ = ["CountNonzero", "Histogram", "Mean", "Median", "Sum"]


def _tools() -> Any:
    return load_library("diffprivlib.tools", "diffprivlib")


def _check_query(query: Any, epsilon: Number, low: Number, high: Number) -> None:
    """Set the three public parameters (`query` is frozen) and see that the library is there."""
    set_query(query, epsilon, low, high)
    _tools()


def _claim(query: Any, relation: Relation, call: str) -> PrivacyClaim:
    item = f"tools.{call}, epsilon={query.epsilon}, [{query.low}, {query.high}]"
    return PrivacyClaim(PureDP(query.epsilon), relation, Source(version_of("diffprivlib"), item))


def _draws(
    call: Callable[..., Any], query: Any, data: Any, size: int, rng: np.random.Generator
) -> NDArray[Any] | list[Any]:
    """Call `call(data, epsilon=, random_state=, accountant=)` `size` times."""
    accountant = load_library("diffprivlib", "diffprivlib").BudgetAccountant()
    state = np.random.RandomState(rng.bit_generator)
    values, epsilon = records(data), float(query.epsilon)
    return draw_each(
        lambda: call(values, epsilon=epsilon, random_state=state, accountant=accountant), size
    )


def _bounded_draws(
    name: str, query: Any, data: Any, size: int, rng: np.random.Generator
) -> NDArray[Any] | list[Any]:
    """Draw from the query `tools.<name>`, which takes `bounds`."""
    tool, bounds = getattr(_tools(), name), (float(query.low), float(query.high))
    return _draws(
        lambda values, **options: tool(values, bounds=bounds, **options), query, data, size, rng
    )


@final
@dataclass(frozen=True, slots=True)
class Mean:
    """diffprivlib.tools.mean(data, epsilon, bounds): the number of records is public.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True

    def __init__(self, epsilon: Number = 1, low: Number = 0, high: Number = 1) -> None:
        _check_query(self, epsilon, low, high)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under SWAP: sensitivity (high - low) / n."""
        return _claim(self, Relation.SWAP, "mean")

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,); see `draw_each` for exceptions."""
        return _bounded_draws("mean", self, data, size, rng)


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """diffprivlib.tools.sum(data, epsilon, bounds): the number of records is public.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True

    def __init__(self, epsilon: Number = 1, low: Number = 0, high: Number = 1) -> None:
        _check_query(self, epsilon, low, high)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under SWAP: sensitivity high - low, output truncated to [n low, n high]."""
        return _claim(self, Relation.SWAP, "sum")

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,); see `draw_each` for exceptions."""
        return _bounded_draws("sum", self, data, size, rng)


@final
@dataclass(frozen=True, slots=True)
class Median:
    """diffprivlib.tools.median(data, epsilon, bounds).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high.
    relation : {"add-remove", "swap"}
        The score |rank - n/2| moves by at most 1/2 when a record comes or goes and by at most 1
        when one is replaced; the library calibrates to 1, so epsilon holds under either.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    relation: Relation
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        relation: str = Relation.ADD_REMOVE,
    ) -> None:
        if relation not in (Relation.ADD_REMOVE, Relation.SWAP):
            msg = f"relation must be 'add-remove' or 'swap', got relation={relation!r}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "relation", Relation(relation))
        _check_query(self, epsilon, low, high)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under `relation`: exponential mechanism, sensitivity of the score 1."""
        return _claim(self, self.relation, "median")

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,); see `draw_each` for exceptions."""
        return _bounded_draws("median", self, data, size, rng)


@final
@dataclass(frozen=True, slots=True)
class Histogram:
    """diffprivlib.tools.histogram(data, epsilon, bins, range)[0]: the noisy counts.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public range, low < high; records outside count in no bin.
    bins : int
        Number of bins of equal width, at least 1.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    bins: int
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True

    def __init__(
        self, epsilon: Number = 1, low: Number = 0, high: Number = 1, bins: int = 2
    ) -> None:
        object.__setattr__(self, "bins", check_integer(bins, "bins", at_least=1))
        _check_query(self, epsilon, low, high)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under ADD_REMOVE: a record moves one count by one."""
        return _claim(self, Relation.ADD_REMOVE, f"histogram(bins={self.bins})")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` vectors of `bins` counts on `data`, shape (n,)."""
        tool, limits = _tools().histogram, (float(self.low), float(self.high))

        def counts(values: NDArray[np.float64], **options: Any) -> Any:
            return tool(values, bins=self.bins, range=limits, **options)[0]

        return _draws(counts, self, data, size, rng)


@final
@dataclass(frozen=True, slots=True)
class CountNonzero:
    """diffprivlib.tools.count_nonzero(data, epsilon): the number of records is public.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True

    def __init__(self, epsilon: Number = 1) -> None:
        _check_query(self, epsilon, 0, 1)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under SWAP: sensitivity 1, output truncated to [0, n]."""
        return _claim(self, Relation.SWAP, "count_nonzero")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` counts on `data`, shape (n,); zero and not zero is all that matters."""
        return _draws(_tools().count_nonzero, self, data, size, rng)
