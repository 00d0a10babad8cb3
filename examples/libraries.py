"""Objects of released libraries that state their budget themselves.

touchstone audit examples/libraries.py:noisy_sum --relation add-remove
touchstone audit examples/libraries.py:laplace --pair examples/values.json
"""

import opendp.prelude as dp
from diffprivlib.mechanisms import Laplace
from pydp.algorithms.laplacian import BoundedMean

dp.enable_features("contrib")

records = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False)), dp.symmetric_distance()
noisy_sum = records >> dp.t.then_sum() >> dp.m.then_laplace(1.0)

laplace = Laplace(epsilon=1, sensitivity=1)

mean = BoundedMean(epsilon=1.0, lower_bound=0, upper_bound=1, dtype="float")
