"""Gaussian differential privacy: no test tells more than one of N(0, 1) against N(mu, 1).

It is the intersection of the lines (e^epsilon, delta_mu(epsilon)) over epsilon >= 0 (Dong, Roth and
Su 2022, Corollary 2.13).
"""

from __future__ import annotations

import math
from fractions import Fraction

from audit.levels.examples import sizes
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP, GaussianDP
from mechanisms.errors import InvalidArgument
from mechanisms.implications import gaussian_to_approx
from mechanisms.validation import shown

LARGEST_MU = 12
MUS = (0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0)
TANGENTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
"""Where a Gaussian curve is touched: epsilon = mu times this."""


def _grid(level: GaussianDP, ask: Ask) -> Grid:  # noqa: ARG001 - the same whatever is asked
    import numpy as np

    from audit.levels.nesting import Axis
    from audit.levels.supporting_lines import line_grid

    if level.mu > LARGEST_MU:
        msg = f"--mu must be at most {LARGEST_MU} to be audited by draws, got {shown(level.mu)}"
        raise InvalidArgument(msg)
    mu = float(level.mu)
    mus = sorted({mu, 0.05, 0.25} | {f * mu for f in MUS} | {mu + 0.5, mu + 1, mu + 2})
    lines = [_tangents(level.mu if m == mu else Fraction(m)) for m in mus]
    return line_grid(lines, (Axis("mu", np.array(mus)),), mus.index(mu))


def _tangents(mu: Fraction) -> list[tuple[float, float]]:
    """Tangents of the curve of N(0, 1) against N(mu, 1), each delta rounded up."""
    from audit.levels.supporting_lines import LARGEST_EPSILON

    epsilons = [mu * Fraction(x) for x in TANGENTS]
    implied = [gaussian_to_approx(GaussianDP(mu), epsilon) for epsilon in epsilons]
    # t is widened by the rounding of s
    return [
        (math.exp(float(line.epsilon)), min(1.0, float(line.delta) + 1e-15))
        for line in implied
        if line.epsilon <= LARGEST_EPSILON
    ]


GAUSSIAN = LevelKind(
    GaussianDP,
    "gaussian",
    "gdp",
    "1",
    (Word("mu", Kind.EXACT, "Claim Gaussian privacy instead.", Of.PRIVACY, "NUMBER"),),
    GaussianDP,
    grid=_grid,
    limits=(Limit("mu", "mu {}", claimed=lambda level: level.mu),),
    implies={
        GaussianDP: lambda a, b: a.mu <= b.mu,
        ApproxDP: lambda a, b: gaussian_to_approx(a, b.epsilon).delta <= b.delta,
    },
    example=lambda st: st.builds(GaussianDP, sizes(st)),
    null="corpus.gaussian-gdp",
)
"""The kind of `GaussianDP`."""
