"""The audit engine: from outputs to counts to bets to a verdict."""
