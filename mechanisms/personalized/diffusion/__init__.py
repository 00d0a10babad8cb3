"""Diffusion: records are dropped at random, which amplifies privacy (PDP, Theorem 10)."""
