"""Accountants of released libraries, asked for the total of the same plan."""
