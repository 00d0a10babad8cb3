"""Seeded runs whose every byte is kept: what a change of structure must not change."""
