"""Stored results read again: from a report in JSON to the cases and documents of a run."""
