"""Exact laws and mean squared errors of the three algorithms."""
