"""What a request says of tables: its schema, what the target gets of them, and the user's rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audit.pairs.data import RowsAtHand
from audit.targets.command import DOMAIN_OF_JSON, of_tables
from audit.targets.domain import Declared
from audit.targets.tables.document import read_schema
from audit.targets.tables.draw import TableDraw
from audit.targets.tables.forms import given
from audit.targets.tables.records import table_of
from audit.targets.tables.schema import Form, Schema, Table
from audit.targets.target import Target
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from audit.request.request import Request

__all__ = ["of_schema", "relation_of", "rows_of", "schema_of_request"]

OF_COMMANDS, OF_ALL = (Form.JSON, Form.CSV), (Form.VALUES,)


def schema_of_request(request: Request) -> Schema | None:
    """The schema that a request names, with what the target gets; None where data are records.

    Raises InvalidArgument if a command is to get objects of Python, or a function its input; raises
    MissingExtra if what makes a table in this form is not installed.
    """
    if request.schema is None:
        return None
    schema = read_schema(request.schema)
    takes = schema.takes if request.takes is None else Form(request.takes)
    if request.command and takes is Form.PANDAS and request.takes is None:
        takes = Form.JSON
    known = [
        form.value
        for form in Form
        if form in OF_ALL or (form in OF_COMMANDS) == bool(request.command)
    ]
    if takes.value not in known:
        who = "a command" if request.command else "what is called in Python"
        msg = f"takes must be one of {', '.join(known)} for {who}, got takes={takes.value!r}"
        raise InvalidArgument(msg)
    schema = replace(schema, takes=takes)
    given(Table(schema, ()))  # what is not installed is missed here, and not at the first draw
    return schema


def relation_of(request: Request, schema: Schema | None, target: Target) -> str | None:
    """The relation that a request asks for, by its own word or by that of its schema.

    Raises InvalidArgument if two of the words, the schema's and the target's own, contradict each
    other.
    """
    asked = request.relation
    if schema is None or schema.relation is None or asked == Relation.LISTED:
        return asked
    own = schema.relation.value
    if asked is not None and asked != own:
        msg = f"the schema says relation = {own!r}, got relation={asked!r}"
        raise InvalidArgument(msg)
    if not request.stated and asked is None and target.claim is not None:
        claimed = target.claim.relation.value
        if claimed != own:
            msg = f"the schema says relation = {own!r}, and the target claims {claimed!r}"
            raise InvalidArgument(msg)
        return None
    return own


def of_schema(target: Target, schema: Schema) -> Target:
    """A target that gets tables."""
    target = replace(target, schema=schema)
    if target.command:
        target = of_tables(target, schema.takes)
        if target.domain_source == DOMAIN_OF_JSON:  # CSV has a word for NaN
            target = replace(target, domain=Declared.ANY, domain_source="")
    return replace(target, draw=TableDraw(target.draw))


def rows_of(request: Request, schema: Schema) -> Table | None:
    """The user's own rows.

    Raises InvalidData if they are none of the schema's.
    """
    if request.data is None:
        return None
    rows = request.data.rows if isinstance(request.data, RowsAtHand) else request.data
    return table_of(schema, rows, str(request.data))
