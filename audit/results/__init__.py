"""Results as data: verdicts, limits and witnesses, and numbers for people."""
