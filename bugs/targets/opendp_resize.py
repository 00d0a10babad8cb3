"""OpenDP 0.3.0: two records that are missing are replaced, which is a distance of 4 and not 2."""

import math

from opendp.meas import make_base_geometric
from opendp.mod import enable_features
from opendp.trans import make_bounded_resize, make_clamp, make_sized_bounded_sum

enable_features("contrib")
CHAIN = (
    make_clamp((0, 1))
    >> make_bounded_resize(2, (0, 1), 0)
    >> make_sized_bounded_sum(2, (0, 1))
    >> make_base_geometric(1.0)
)
STATED = 1.0 + 1e-9 if CHAIN.check(2, 1.0 + 1e-9) else math.inf


def release(data, _):
    """Answer the noisy sum of what was made two records."""
    return CHAIN(data)


def event(output):
    """Say whether the sum is two or more."""
    return output >= 2
