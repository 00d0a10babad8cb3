"""Lower bounds for Gaussian means."""
