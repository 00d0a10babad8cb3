"""Composed privacy."""
