"""The folder of a user."""
