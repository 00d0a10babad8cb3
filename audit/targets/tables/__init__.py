"""Data sets that are tables: their schema, their rows, and what targets get of them."""
