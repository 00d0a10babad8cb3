"""Gaussian mean estimation under personalized privacy of Dong and Ge (PDP)."""
