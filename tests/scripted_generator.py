"""A generator whose draws are prescribed, and which remembers what it was asked for.

What a sampler computes from its draws is then a function, and can be compared with the stated one
without statistics: a scale that is off by a part in a billion is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ScriptedGenerator"]


class ScriptedGenerator:
    """The methods of `numpy.random.Generator` that samplers of noise use.

    Parameters
    ----------
    script : sequence of (str, array)
        The method that must be called next, and what it returns; of `laplace` and `normal`, for
        scale 1.
    """

    def __init__(self, script: Sequence[tuple[str, Any]]) -> None:
        self.script = list(script)
        self.asked: list[tuple[str, tuple[Any, ...]]] = []

    def standard_exponential(self, *, out: NDArray[np.float64]) -> None:
        """Fill with the next numbers."""
        out[:] = self._next("standard_exponential")

    def random(self, size: Any = None, *, out: NDArray[np.float64] | None = None) -> Any:
        """Return the next numbers, or fill with them."""
        found = self._next("random", size)
        if out is None:
            return found
        out[:] = found
        return out

    def laplace(self, *, scale: float = 1, size: Any = None) -> NDArray[np.float64]:
        """Return the next numbers times the scale."""
        return self._next("laplace", scale, size) * scale

    def normal(self, *, scale: float = 1, size: Any = None) -> NDArray[np.float64]:
        """Return the next numbers times the scale."""
        return self._next("normal", scale, size) * scale

    def uniform(self, low: float, high: float, *, size: Any = None) -> NDArray[np.float64]:
        """Return the next numbers, of (0, 1), on the interval."""
        return low + (high - low) * self._next("uniform", low, high, size)

    def integers(self, low: int, high: int | None = None, *, size: Any = None) -> NDArray[np.int64]:
        """Return the next numbers, which must lie in the range that was asked for."""
        first, end = (0, low) if high is None else (low, high)
        found = self._next("integers", first, end, size)
        assert found.min() >= first
        assert found.max() < end
        return found.astype(np.int64)

    def _next(self, name: str, *asked: Any) -> NDArray[Any]:
        wanted, values = self.script.pop(0)
        assert wanted == name, f"asked for {name}, prescribed is {wanted}"
        self.asked.append((name, asked))
        return np.array(values)
