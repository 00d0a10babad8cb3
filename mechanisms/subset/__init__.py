"""Subset-optimal estimation of Dick, Kulesza, Sun and Suresh (SUB)."""
