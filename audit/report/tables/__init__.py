"""Verified tables for readers and programs, and numbers measured beside the exact ones."""
