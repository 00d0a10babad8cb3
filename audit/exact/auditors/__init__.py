"""Exact audits: one module for each way to state a law."""
