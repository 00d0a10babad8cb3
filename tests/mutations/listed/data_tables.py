"""Tables: who is a neighbor, which cells come, what is made smaller, and what a target gets."""

from tests.mutations.mutation import Mutation

PAIRS = "audit/tables/test_pairs.py"
SCHEMA = "audit/tables/test_schema.py"
FORMS = "audit/tables/test_forms.py"
DOORS = "audit/tables/test_doors.py"
OTHERS = "audit/tables/test_others.py"
TYPES = "audit/tables/test_column_types.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.targets.domain:Domain.apart", old="self.schema.unit is not None", new="False",
        breaks="neighbors of tables are told by rows and not by units",
        tests=(f"{PAIRS}::test_neighbors_are_those_of_a_plain_twin",)),
    Mutation("audit.targets.tables.schema:Schema.fault",
        old="max(rows.values(), default=0) > self.max_rows_per_unit", new="False",
        breaks="a unit has more rows than the schema says",
        tests=(f"{PAIRS}::test_faults_of_a_table_are_named",)),
    Mutation("audit.targets.tables.column:Column.fits",
        old="self.unseen or cell in self.values", new="True",
        breaks="a category comes that cannot be written",
        tests=(f"{PAIRS}::test_a_declared_domain_has_none_of_it",)),
    Mutation("audit.targets.tables.document:_schema",
        old='_value(words, PROPOSED, bool, "true or false", False)', new="False",
        breaks="bounds read off private data are used before anybody has looked at them",
        tests=(f"{SCHEMA}::test_a_proposal_is_read_when_it_was_looked_at",)),
    Mutation("audit.targets.tables.proposal:_key", old="_text(name)", new="name",
        breaks="the name of a column adds lines to a proposal",
        tests=(f"{SCHEMA}::test_names_of_a_file_cannot_add_lines",)),
    Mutation("audit.targets.domain:Domain._fault_of_table",
        old="self.records is Declared.DECLARED", new="False",
        breaks="a declared domain has cells that code forgets",
        tests=(f"{PAIRS}::test_a_declared_domain_has_none_of_it",)),
    Mutation("audit.pairs.tables.reductions:reductions",
        old="cost(smaller, domain) < whole", new="True",
        breaks="what is made smaller need not be smaller",
        tests=(f"{PAIRS}::test_steps_and_reductions_stay_in_the_domain",)),
    Mutation("audit.pairs.tables.data:pairs_with_records", old="schema.unit_of(row) != name",
        new="True",
        breaks="a unit of the user's rows does not leave",
        tests=(f"{PAIRS}::test_the_users_rows_make_pairs",)),
    Mutation("audit.targets.tables.forms:_written", old='return ""', new='return "NaN"',
        breaks="null and NaN are one cell of CSV",
        tests=(f"{FORMS}::test_records_and_csv_hold_nulls_too",)),
    Mutation("audit.request.tables:relation_of", old="asked != own", new="False",
        breaks="a relation contradicts the schema in silence",
        tests=(f"{DOORS}::test_what_contradicts_a_schema_is_refused",)),
    Mutation("audit.strategies.tables:_pairs", old="data.key == neighbor.key", new="False",
        breaks="both tables of a drawn pair are the same",
        tests=(f"{OTHERS}::test_drawn_pairs_are_neighbors",)),
    Mutation("audit.targets.tables.forms:_array", old="column.nullable or None in cells",
        new="None in cells",
        breaks="the type of a column tells whether anybody has a null",
        tests=(f"{TYPES}::test_a_nullable_column_has_one_type",)),
    Mutation("audit.targets.tables.column:Column._integers", old="x in INTEGERS", new="True",
        breaks="cells come that no column of Arrow holds",
        tests=(f"{TYPES}::test_an_integer_of_more_than_64_bits_is_no_cell",)),
)
