"""Laws on the plane with piecewise constant log-densities, as exact data."""
