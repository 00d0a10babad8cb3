"""The backends by name."""

from __future__ import annotations

from audit.engine.counts.source import CountSource
from mechanisms.errors import InvalidArgument

__all__ = ["BACKENDS", "open_source"]

BACKENDS = ("loky", "dask")
"""Names of the backends."""


def open_source(
    jobs: int = 1, backend: str = "loky", *, scheduler: str | None = None
) -> CountSource:
    """Choose where samples are drawn; the draws are the same everywhere.

    Parameters
    ----------
    jobs : int
        Processes; 1 with "loky" is this one.
    backend : {"loky", "dask"}
        Processes on this machine, or the workers of a dask cluster.
    scheduler : str or None
        Address of a dask scheduler; None to start a cluster of `jobs` processes on this machine.

    Raises
    ------
    InvalidArgument
        For another backend, fewer than one job, or a scheduler that does not answer.
    MissingExtra
        Where dask.distributed is not installed.
    """
    if backend not in BACKENDS:
        msg = f"backend must be one of {', '.join(BACKENDS)}, got backend={backend!r}"
        raise InvalidArgument(msg)
    if jobs < 1:
        msg = f"jobs must be at least 1, got jobs={jobs!r}"
        raise InvalidArgument(msg)
    if backend == "dask":
        from audit.engine.counts.cluster import DaskWorkers

        workers = DaskWorkers(jobs, scheduler)
        workers.check()
        return CountSource(workers)
    if jobs == 1:
        return CountSource()
    from audit.engine.counts.loky import LokyWorkers

    return CountSource(LokyWorkers(jobs))
