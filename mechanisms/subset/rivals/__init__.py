"""Means that SUB is compared with: reconstructions, named by their technique."""
