"""A whole library: every public constructor has a row, at one false-alarm rate."""
