"""DPUCOARSE, the coarse estimate of a mean from noisy counts (TRI, Algorithm 1)."""
