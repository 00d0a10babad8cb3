"""The mean of a public number of records, clipped to their bounds: not without bias.

touchstone audit examples/clipped_mean.py:clipped_mean --utility --unbiased --mse 1/5000
"""

from fractions import Fraction

import numpy as np

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.utility_claims import Quantity, UtilityClaim


def clipped_mean(data, size, rng, low=0, high=1):
    """Draw means with Laplace noise for epsilon = 1, clipped to [low, high]."""
    noise = rng.laplace(scale=(high - low) / len(data), size=size)
    return np.clip(np.mean(data) + noise, low, high)


class NoisyMean:
    """The same without the clip, and what is promised of its errors."""

    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("user", "noisy mean"))
    order = Order.FREE
    low, high = Fraction(0), Fraction(1)

    def sample(self, data, size, *, rng):
        """Draw means with Laplace noise."""
        return np.mean(data) + rng.laplace(scale=1 / len(data), size=size)

    def utility_claims(self, data):
        """No bias, and twice the squared scale of the noise."""
        scale, source = Fraction(1, len(data)), Source("user", "Laplace noise")
        return (
            UtilityClaim(Quantity.BIAS, 0, source, symmetric=True),
            UtilityClaim(Quantity.MSE, 2 * scale**2, source, exactly=True, square=24 * scale**4),
        )
