"""Subset risk, of the mean and in general, and other notions of optimality."""
