"""OpenDP 0.14.2: the noise of a bit vector is one bit too short, so its last bit is as it was."""

import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib")
MEASUREMENT = dp.m.make_randomized_response_bitvec(
    dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5
)
STATED = MEASUREMENT.map(1)


def release(data, _):
    """Answer 16 bits."""
    noisy = MEASUREMENT(np.packbits(data, bitorder="little"))
    return np.unpackbits(np.frombuffer(noisy, dtype=np.uint8), bitorder="little")


def event(output):
    """Say whether the last bit is set."""
    return output[-1] == 1
