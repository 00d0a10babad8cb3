"""Figures: each is drawn from rows that are written beside it as CSV."""
