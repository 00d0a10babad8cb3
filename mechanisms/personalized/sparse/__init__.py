"""Sparse vectors and the stages made of them: width and radius (PDP, Algorithms 1, 4 and 5)."""
