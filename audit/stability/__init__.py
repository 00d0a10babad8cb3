"""Declared sensitivity and stability: how far apart the answers to neighboring data sets are.

A query without noise has one answer for each data set, so no statistics is needed: one pair whose
answers are further apart than was claimed refutes the claim for certain.
"""
