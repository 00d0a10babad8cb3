"""The move by rank of the monotone-property algorithm (SUB, Algorithm 4, step 5).

On the places 0 .. m-1 of a grid the k records of lowest rank go down by one place; of the others

    min(k, n - k)

of highest rank go up by one ("low wins": no record moves twice). With fewer than k records all go
down. The images of two data sets that differ by one record differ by at most three records: the
record that is new, and the one that it drives out of the k lowest (or highest), which leaves one
place for another. Where ranks are moved one by one and a record may go both ways, it is five.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["moved"]


def moved(counts: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Move the k lowest records down by one place and the k highest of the others up.

    `counts`, shape (m,): records at the places 0 .. m-1. `k`: how many move to each side, at least
    0. Returns shape (m + 2,): records at the places -1 .. m.
    """
    reached = np.cumsum(counts)
    down = np.clip(k - (reached - counts), 0, counts)
    stay = max(k, int(reached[-1]) - k)  # ranks from here on go up
    up = np.clip(reached - stay, 0, counts)
    image = np.zeros(counts.size + 2, np.int64)
    image[:-2] += down
    image[1:-1] += counts - down - up
    image[2:] += up
    return image
