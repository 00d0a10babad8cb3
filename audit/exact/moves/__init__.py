"""Lemmas on all moves of a query at once: the privacy of additive noise for every data set."""
