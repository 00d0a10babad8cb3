"""Statements as data: one object that is decided, printed and spoken."""
