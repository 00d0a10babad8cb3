"""Which pairs of data sets are worth betting on, found before the first bet."""
