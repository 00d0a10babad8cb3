"""Closed forms, stated again independently of the implementations, and machine-checked."""
