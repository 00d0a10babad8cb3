"""Utility audits: errors of estimators beside what is claimed of them, and laws of samplers."""
