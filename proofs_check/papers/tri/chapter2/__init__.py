"""The trilemma: lower bounds."""
