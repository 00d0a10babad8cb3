"""Private budgets: groups, their counts, and rounding."""
