"""Tests of statements as data."""
