"""Verified tables beside measured ones."""
