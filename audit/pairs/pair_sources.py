"""The pairs of an audit: from the user's files, from the claim's own list, or made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.pairs.adversarial.generate import adversarial_pairs
from audit.pairs.pair_files import COUNTEREXAMPLE, read_pair
from audit.pairs.tables.pairs_of_rows import pairs_with_records
from audit.pairs.tables.table_families import worst_tables
from audit.pairs.users import pairs_of_members, pairs_of_users, with_member
from audit.pairs.worst_cases import Pair, pairs_from_records, worst_case_pairs
from audit.targets.domain import Domain, RecordKind
from audit.targets.record_keys import keys_of
from audit.targets.tables.table_rows import tables_of
from audit.targets.tables.table_schema import Table
from audit.targets.target import Target
from mechanisms.claims import PersonalizedDP, PrivacyClaim, Relation
from mechanisms.errors import InvalidArgument, InvalidData


def find_pairs(
    target: Target,
    claim: PrivacyClaim,
    domain: Domain,
    *,
    files: Sequence[str | Pair] = (),
    generate: bool = False,
    records: NDArray[np.float64] | Table | None = None,
    adversarial: bool = False,
) -> list[Pair]:
    """Read the pairs of files, and make others where there are none or both are wanted.

    `target`: its own pairs. `claim`: what they are pairs of. `domain`: of the claim: no pair is
    outside of it. `files`: pair files, pairs in memory, or "counterexample" for that of a printed
    form; they replace generated pairs unless `generate`. `generate`, `adversarial`: as in
    `Request`. `records`, ndarray of float, shape (n,), table or None: the user's own data. Raises
    InvalidArgument if a file holds no pair of neighbors of the domain, or nothing is known to make
    pairs from.
    """
    budgets = claim.level.budgets if isinstance(claim.level, PersonalizedDP) else None
    pairs = [
        _known(target) if path == COUNTEREXAMPLE else read_pair(path, budgets) for path in files
    ]
    if budgets is not None:
        pairs = [with_user(pair, budgets, claim.relation) for pair in pairs]
    if domain.schema is not None:
        given = pairs
        pairs = []
        for pair in given:  # whose data sets are lists of rows
            sides = tables_of(domain.schema, (pair.data, pair.neighbor), pair.label)
            pairs.append(replace(pair, data=sides[0], neighbor=sides[1]))
    for pair in pairs:
        domain.check(pair.label, pair.data, pair.neighbor)
    if records is not None and (fault := domain.fault(records)):
        msg = f"the records of --data: {fault}"
        raise InvalidData(msg)
    if adversarial:
        pairs += _adversarial(target, claim, domain)
    if files and not generate:
        return pairs
    if claim.relation is Relation.LISTED:
        listed = [Pair(f"{_words(x)} and {_words(y)}", x, y) for x, y in target.pairs]
        if not listed:
            msg = (
                f"the claim of {target.name} is about listed pairs: give each with --pair FILE.json"
            )
            raise InvalidArgument(msg)
        if budgets is not None:
            listed = [with_user(pair, budgets, claim.relation) for pair in listed]
        return pairs + listed
    if domain.schema is not None:
        pairs += worst_tables(domain)
        pairs += pairs_with_records(records, domain) if isinstance(records, Table) else []
    else:
        assert not isinstance(records, Table)
        _check_bounds(target)
        if budgets is not None:
            make = pairs_of_members if domain.kind is RecordKind.MEMBERS else pairs_of_users
            pairs += make(budgets, domain, records=records)
        else:
            pairs += worst_case_pairs(domain)
            pairs += [] if records is None else pairs_from_records(records, domain)
    if not pairs:
        msg = f"no pair of data sets has at least min_size={domain.min_size} records"
        if domain.schema is not None:
            msg = "no two neighboring tables of the schema differ: its columns have one cell each"
        raise InvalidArgument(msg)
    return pairs


def _known(target: Target) -> Pair:
    """The pair that is known to break a printed form."""
    if target.counterexample is None:
        msg = f"no counterexample to {target.name} is known at these parameters; give a file"
        raise InvalidArgument(msg)
    data, neighbor = (np.array(side, dtype=np.float64) for side in target.counterexample)
    return Pair(f"the known counterexample to {target.name}", data, neighbor)


def _adversarial(target: Target, claim: PrivacyClaim, domain: Domain) -> list[Pair]:
    personalized = isinstance(claim.level, PersonalizedDP)
    tables = domain.schema is not None
    if personalized or tables or claim.relation is Relation.LISTED:
        kind = "a personalized claim" if personalized else "a claim about listed pairs"
        kind = "tables" if tables else kind
        msg = f"no adversarial pairs are made for {kind}; leave out --adversarial"
        raise InvalidArgument(msg)
    _check_bounds(target)
    return adversarial_pairs(domain)


def _check_bounds(target: Target) -> None:
    if target.bounds is None:
        msg = (
            f"{target.name} has no bounds to make neighboring data sets from: give --low and "
            "--high, --data FILE.csv, or --pair FILE.json"
        )
        raise InvalidArgument(msg)


def _words(x: Any) -> str:
    """A vector of query answers, or any other side of a pair, in words."""
    if isinstance(x, list | tuple | np.ndarray) and all(isinstance(v, Real) for v in x):
        return "(" + ", ".join(f"{value:g}" for value in x) + ")"
    return f"{x:g}" if isinstance(x, float) else repr(x)


def with_user(pair: Pair, budgets: Sequence[Fraction], relation: Relation) -> Pair:
    """Check that a pair changes one user's record and no other, and say whose.

    Under ADD_REMOVE the data are rows (record, budget), and one user joins or leaves. Under LISTED
    the pair is the auditor's own definition: the user that a file names counts.

    Raises InvalidData if the data sets do not have one record a user, or other records differ.
    """
    if relation is Relation.ADD_REMOVE:
        return with_member(pair, budgets)
    sides = keys_of(pair.data, pair.neighbor) or ([], [])
    changed: list[int] | None = None
    if all(len(side) == len(budgets) for side in sides):
        changed = [user for user, (x, y) in enumerate(zip(*sides, strict=True)) if x != y]
    if changed is not None and len(changed) == 1 and pair.user in (None, changed[0]):
        return replace(pair, user=changed[0])
    if relation is Relation.LISTED and pair.user is not None:
        return pair
    if changed is None:
        fault = f"each data set must have {len(budgets)} records, one for each user's budget"
    elif len(changed) == 1:
        assert pair.user is not None
        named = f"the file names user {pair.user + 1}"
        fault = f"the record of user {changed[0] + 1} differs, and {named}"
    else:
        names = ", ".join(str(user + 1) for user in changed) or "none"
        fault = f"the record of one user must differ; those that do: {names}"
    msg = f"{pair.label}: {fault} (users are counted from 1)"
    raise InvalidData(msg)
