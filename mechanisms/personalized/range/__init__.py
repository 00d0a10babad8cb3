"""A private range, and the mean of records clipped to it (PDP, Algorithms 6 and 7)."""
