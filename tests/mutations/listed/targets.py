"""External commands, notebooks, and claims that are read from a library's object."""

from tests.mutations.mutation import Mutation, swapped

EXTERNAL = "audit/test_external.py"
MEASUREMENTS = "adapters/test_measurements.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.targets.external_draw", old="LARGEST_SEED = 2**31", new="LARGEST_SEED = 2**32",
        breaks="half of the seeds are one for generators that take 31 bits, and starts repeat",
        tests=(f"{EXTERNAL}::test_seeds_are_new_for_each_start",)),
    Mutation("audit.targets.external_draw:CommandDraw._fault",
        old="if ended.status:\n    return (f'ExitStatus{ended.status}', f'ended with "
        "status {ended.status}')",
        new="if ended.status > 3:\n    return (f'ExitStatus{ended.status}', f'ended "
        "with status {ended.status}')",
        breaks="a command that fails half-way passes for one that made its draws",
        tests=(f"{EXTERNAL}::test_failures_are_outcomes_by_their_kind",)),
    Mutation("audit.targets.external_draw:_scalars",
        old="values if len(values) == len(lines) else None", new="values",
        breaks="a line with two values shifts all later draws",
        tests=(f"{EXTERNAL}::test_an_unreadable_line_is_the_outcome_of_its_draw",)),
    Mutation("audit.targets.external_draw:CommandDraw.lines", *swapped("<", ">"),
        breaks="the end of the time budget counts as a time-out of the command",
        tests=(f"{EXTERNAL}::test_the_end_of_the_audit_is_no_outcome",)),
    Mutation("audit.targets.command:seeded", old="first == again and first != other",
        new="first == again",
        breaks="a command that writes the same lines for all seeds is called reproducible",
        tests=(f"{EXTERNAL}::test_the_seed_is_tried",)),
    Mutation("audit.targets.processes:run_process", old="os.killpg(process.pid, signal.SIGKILL)",
        new="process.kill()",
        breaks="what a command started goes on after its end",
        tests=(f"{EXTERNAL}::test_a_time_out_ends_the_whole_group",)),
    Mutation("audit.targets.processes:run_process", old="undisturbed()",
        new="__import__('contextlib').nullcontext()",
        breaks="an interrupt amid the start of a command leaves the command running",
        tests=(f"{EXTERNAL}::test_an_interrupt_amid_the_start_ends_the_program",)),
    Mutation("audit.targets.notebooks", old="NO_PYTHON = "
        're.compile(r"(\\s*)([%!?].*|[\\w.*]+\\?\\??\\s*|[\\w.,\\s]+=\\s*[%!].*)")',
        new="NO_PYTHON = "
        're.compile(r"(\\s*)([%!?d].*|[\\w.*]+\\?\\??\\s*|[\\w.,\\s]+=\\s*[%!].*)")',
        breaks="a line with an error is skipped as if it were a magic",
        tests=("audit/test_notebooks.py::test_a_cell_that_fails_is_named",)),
    Mutation("audit.targets.modules:_as_imported", old="sys.stderr", new="sys.stdout",
        breaks="what a module prints while it is imported is a part of the report",
        tests=("audit/test_notebooks.py::test_what_an_import_prints_is_no_part_of_the_report",)),
    Mutation("audit.targets.libraries.opendp_measurement",
        old='{ "SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2}, '
        '"InsertDeleteDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2}, '
        '"ChangeOneDistance": {Relation.SWAP: 1}, "HammingDistance": {Relation.SWAP: 1}, }',
        new='{ "SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 1}, '
        '"InsertDeleteDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2}, '
        '"ChangeOneDistance": {Relation.SWAP: 1}, "HammingDistance": {Relation.SWAP: 1}, }',
        breaks="the claim under swap is that of add-remove",
        tests=(f"{MEASUREMENTS}::test_a_measurement_is_asked_at_the_distance_of_its_neighbors",)),
    Mutation("audit.targets.libraries.opendp_measurement:_farthest",
        old="max(_distance(metric, *map(_listed, pair)) for pair in pairs)",
        new="min(_distance(metric, *map(_listed, pair)) for pair in pairs)",
        breaks="the claim is that of the nearest listed pair, and the farthest refutes it",
        tests=(f"{MEASUREMENTS}::test_a_measurement_is_asked_at_the_distance_of_its_neighbors",)),
    Mutation("audit.targets.libraries.opendp_measurement:_distance",
        old="Fraction(root) ** 2 < square",
        new="Fraction(root) ** 2 < square / 2",
        breaks="a distance is rounded down, and the claim is too small",
        tests=(f"{MEASUREMENTS}::test_distances_are_rounded_up",)),
    Mutation("audit.targets.libraries.pydp:algorithm", old="float(values[name])",
        new="0.0 if name == 'low' else float(values[name])",
        breaks="the library is given another lower bound than the claim names",
        tests=("adapters/test_pydp.py::test_noise_has_the_scale_of_the_claim",)),
)
