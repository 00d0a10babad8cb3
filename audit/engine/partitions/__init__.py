"""Finite partitions of the output space, learned from past draws."""
