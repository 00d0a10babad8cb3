"""Composed privacy: what a list of releases loses together, between two ends that are theorems.

A plan names mechanisms, how often each is released, and which data sets are neighbors. Nothing is
sampled: both ends of the total are enclosed, and a claimed total is PROVED, REFUTED or, where it
lies between them, INCONCLUSIVE.
"""
