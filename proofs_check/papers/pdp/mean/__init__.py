"""The mean stage: saturated budgets, weighted means, and the error of the whole."""
