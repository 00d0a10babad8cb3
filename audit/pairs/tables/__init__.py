"""Pairs of tables of a schema: how they are told apart, made, changed and made smaller."""
