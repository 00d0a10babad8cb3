"""Tests of the gate: what it runs, keeps and compares."""
