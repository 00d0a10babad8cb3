"""Certificates: what was proved, as data, and a check that shares no code with what proved it."""
