"""The unbounded estimator: groups of users by powers of 2 of their budgets (PDP, Algorithm 8)."""
