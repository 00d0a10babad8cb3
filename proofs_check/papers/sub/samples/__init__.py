"""From data to the mean of a law."""
