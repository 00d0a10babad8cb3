"""Tests of what the distribution says of itself."""
