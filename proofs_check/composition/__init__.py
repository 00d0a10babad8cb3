"""Engines: laws of losses, and what encloses the excess of their sums."""
