"""Neighboring data sets: given, generated, of the user's records, of users."""
