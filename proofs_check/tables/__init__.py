"""Verified tables of bounds: every cell is rounded from an enclosure and names its claims."""
