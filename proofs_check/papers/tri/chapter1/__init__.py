"""The introduction."""
