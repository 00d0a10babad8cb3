"""Closed forms on the line: sums of c e^(r x + s x^2), their integrals and their curvature."""
