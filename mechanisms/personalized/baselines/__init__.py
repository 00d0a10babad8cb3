"""Means that PDP's are compared with: reconstructions, named by their technique."""
