"""From the name of a module to the entries of its configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from audit.faults import TargetFault, attribute, users_faults
from audit.scaffold.audit_candidates import AuditCandidate, candidates_of
from audit.scaffold.configuration_text import DOMAIN, IDEAL, IN_PLACE, SCHEMA, TAKES, Draft
from audit.scaffold.trials import Trial, try_entry, works_on_texts
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
            f"{place} has no public function, class or mechanism; write an entry by hand: "
            "touchstone init without MODULE shows how"
        )
        raise InvalidArgument(msg)
    return drafts


def _draft(place: str, candidate: AuditCandidate, found: Any) -> Draft:
    table = {"target": f"{place}:{candidate.attribute}", **candidate.keys, "ideal": True}
    if not _declares_domain(found):
        table["domain"] = Declared.ANY.value
    draft = Draft(table, {**candidate.remarks, "domain": DOMAIN, "ideal": IDEAL})
    if candidate.lacking:
        names = ", ".join(candidate.lacking)
        table["param"] = {**table.get("param", {}), **dict.fromkeys(candidate.lacking, "...")}
        draft = replace(draft, fault=f"fill in a value for {names}, under param")
    if candidate.reason:
        draft = replace(draft, fault=candidate.reason)
    if draft.fault:
        return _of_tables(draft, candidate.takes) if candidate.takes else draft
    try:
        trial, texts = separately(
            lambda: _tried(table, on_texts="epsilon" in table and candidate.takes != "pandas")
        )
    except ProcessEnded as exc:
        return replace(draft, fault=str(exc))
    draft = replace(draft, fault=trial.fault)
    if trial.fault and "epsilon" in table:
        takes = "values" if texts else candidate.takes
        if texts:
            draft = replace(draft, fault=f"{trial.fault}; a list of texts works: see takes")
        return _of_tables(draft, takes) if takes else draft
    if trial.in_place and "relation" in table:
        return draft.with_keys({"relation": "swap", "order": "fixed"}, IN_PLACE)
    return draft


def _tried(table: Mapping[str, Any], *, on_texts: bool) -> tuple[Trial, bool]:
    """An entry on numbers; and where that fails, if it is asked, whether a list of texts works."""
    trial = try_entry(table)
    return trial, bool(trial.fault) and on_texts and works_on_texts(table)


def _of_tables(draft: Draft, takes: str) -> Draft:
    """The same entry for a table, whose schema is to be filled in."""
    kept = {key: value for key, value in draft.table.items() if key not in ("low", "high")}
    remarks = {"schema": SCHEMA, "takes": TAKES[takes]}
    return replace(draft, table=kept).with_keys({"schema": "FILE.toml", "takes": takes}, remarks)


def _declares_domain(found: Any) -> bool:
    try:
        return isinstance(attribute(found, "domain"), str)
    except TargetFault:  # the trial says what it raises
        return True
