"""The solver's problems in forms that others read, and what a second solver answers."""
