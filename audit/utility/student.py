"""Student's limits of a mean: approximate, and refused where the draws contradict them.

For errors of skewness g, P(T > z) is about (1 - Phi(z)) e^(-g z^3 / (3 sqrt(n))) [1]_. Where this
factor may be large a few draws carry the spread, and nothing is said. What is too rare to be among
the draws at all is not seen here: only a stated moment helps against it.

References
----------
.. [1] Jing, Shao, Wang, "Self-normalized Cramer-type large deviations for independent random
   variables", Ann. Prob. 31, 2003.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.tails import student_limits

STUDENT = "Student's t"
"""Name of the limits. They are approximate: what they exclude is doubted, and never REFUTED."""

Array = NDArray[np.float64]

DISTORTION = 0.5
"""Largest g z^3 / (3 sqrt(n)) of Student's limits: one side errs at most 1.65 times as often."""


def draws_for_student(errors: Array, error: float, slack: float) -> float:
    """Draws from which on Student's limits distort the error rate by little.

    `errors`, shape (n,): from which the skewness is estimated. `error`: of each end. `slack`: what
    rounding may do.
    """
    from scipy.special import ndtri

    off = errors - errors.mean()
    largest = float(np.abs(off).max())
    if largest <= slack:
        return 0.0
    off /= largest
    skewness = abs(float((off**3).mean())) / float((off**2).mean()) ** 1.5
    return float((skewness * max(-float(ndtri(error)), 0.0) ** 3 / (3 * DISTORTION)) ** 2)


def student(values: Array, error: float) -> tuple[float, float]:
    """Student's limits of a mean, each with the given error."""
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    return student_limits(values, error)
