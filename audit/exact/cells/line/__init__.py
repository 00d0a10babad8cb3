"""Laws on the real line with piecewise exponential densities, as exact data."""
