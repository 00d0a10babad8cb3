"""Released libraries as audit targets; each library is imported inside functions."""
