"""Tests of the verified tables."""
