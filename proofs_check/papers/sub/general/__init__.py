"""Monotone properties and inverse sensitivity."""
