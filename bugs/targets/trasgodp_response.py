"""trasgodp 2.1.0: the categories of randomized response are those that the records have."""

import numpy as np
from trasgodp.categorical import dp_randomized_response_kary_array


def release(data, _):
    """Answer all randomized records."""
    return dp_randomized_response_kary_array(np.array(data), 1.0)


def event(output):
    """Say whether any record is answered as "d"."""
    return "d" in output
