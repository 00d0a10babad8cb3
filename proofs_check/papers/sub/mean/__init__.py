"""The bounded mean and the subset-optimal mean."""
