"""Tools that the paper builds on: divergences, concentration, sparse vectors, quantiles, samples."""
