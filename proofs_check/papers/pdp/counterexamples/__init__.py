"""Counterexamples CX1 to CX8."""
