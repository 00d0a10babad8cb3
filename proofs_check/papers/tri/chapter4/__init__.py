"""Symmetric laws: DPUCOARSE and DPUMEAN."""
