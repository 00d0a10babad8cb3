"""Densities that are no sums of exponentials: enclosures of their divergences."""
