"""The file of an audit that is to go on later: which may be kept, under which identity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from audit.draws.settings import Settings
from audit.engine.checkpoint import SavedAudit
from audit.engine.identity import identity_of
from audit.pairs.neighbors import Pair
from audit.targets.target import Target
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument

__all__ = ["file_of"]


def file_of(
    path: Path,
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    mode: str = "sequential",
) -> SavedAudit:
    """The file of an audit, which need not exist yet.

    Raises
    ------
    InvalidArgument
        Where the target does not go by the seed, or its data sets are of classes that are not
        written to files.
    """
    if not target.seedable:
        # a batch that was cut would be drawn anew, and the cut may depend on what was drawn
        msg = (
            f"{target.name} does not take its randomness from the seed, so a batch that was cut "
            "cannot be drawn again: leave out --resume"
        )
        raise InvalidArgument(msg)
    save = SavedAudit(path, identity_of(target, claim, pairs, settings, mode=mode))
    save.check([[pair.data, pair.neighbor] for pair in pairs])
    return save
