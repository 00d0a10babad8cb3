"""Tests of evidence packs."""
