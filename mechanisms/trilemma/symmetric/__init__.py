"""DPUMEAN, the mean of a symmetric law (TRI, Algorithm 2)."""
