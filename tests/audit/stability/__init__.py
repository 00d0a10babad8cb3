"""Tests of declared sensitivities."""
