"""Results as data: verdicts, limits, witnesses, and the documents that reports are made of."""
