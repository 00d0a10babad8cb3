"""Tests of data sets that are tables."""
