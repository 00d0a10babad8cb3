"""Estimators that are biased, or unbiased and approximately private."""
