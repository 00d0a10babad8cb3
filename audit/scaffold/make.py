"""From the name of a module to the entries of its configuration."""

from __future__ import annotations

import os
from typing import Any

from audit.faults import TargetFault, attribute, users_faults
from audit.scaffold.candidates import AuditCandidate, candidates_of
from audit.scaffold.text import DOMAIN, IDEAL, Draft
from audit.scaffold.trials import fault_of
from audit.targets.domain import Declared
from audit.targets.modules import FILES, find_object
from audit.targets.separation import ProcessEnded, separately
from mechanisms.errors import InvalidArgument

__all__ = ["drafts_of"]


@users_faults()
def drafts_of(module: str) -> list[Draft]:
    """Find what of a module can be audited, and try it.

    `module`: "file.py", "notebook.ipynb" or "package.module". Raises InvalidArgument if there is no
    such module, it cannot be imported, or nothing in it can be audited.
    """
    place = module.rpartition(":")[0] or module
    is_folder = os.path.isdir(place)  # noqa: PTH112 - no error for names that are too long
    if is_folder or (not place.endswith(FILES) and "/" in place):
        msg = f"MODULE must be file.py or package.module, got {module!r}"
        raise InvalidArgument(msg)
    content, _ = find_object(f"{place}:__dict__")
    drafts = [
        _draft(place, candidate, content[candidate.attribute])
        for candidate in candidates_of(content)
    ]
    if not drafts:
        msg = (
            f"{place} has no public function whose first argument looks like data (called data, "
            "values, records, ..., or annotated as an array or a sequence), and no mechanism; "
            "write an entry by hand: touchstone init without MODULE shows how"
        )
        raise InvalidArgument(msg)
    return drafts


def _draft(place: str, candidate: AuditCandidate, found: Any) -> Draft:
    table = {"target": f"{place}:{candidate.attribute}", **candidate.keys, "ideal": True}
    if not _declares_domain(found):
        table["domain"] = Declared.ANY.value
    remarks = {**candidate.remarks, "domain": DOMAIN, "ideal": IDEAL}
    if candidate.lacking:
        names = ", ".join(candidate.lacking)
        table["param"] = {**table.get("param", {}), **dict.fromkeys(candidate.lacking, "...")}
        return Draft(table, remarks, f"fill in a value for {names}, under param")
    try:
        return Draft(table, remarks, separately(lambda: fault_of(table)))
    except ProcessEnded as exc:
        return Draft(table, remarks, str(exc))


def _declares_domain(found: Any) -> bool:
    try:
        return isinstance(attribute(found, "domain"), str)
    except TargetFault:  # the trial says what it raises
        return True
