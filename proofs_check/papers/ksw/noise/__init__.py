"""Noise laws: staircases and hourglasses, their moments and privacy."""
