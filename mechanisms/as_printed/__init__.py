"""Printed algorithms that differ from the sound ones; each docstring names the erratum."""
