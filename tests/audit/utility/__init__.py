"""Utility audits."""
