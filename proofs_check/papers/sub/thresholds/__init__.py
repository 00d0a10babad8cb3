"""Rank thresholds: definitions, the mechanism, its accuracy, the grid."""
