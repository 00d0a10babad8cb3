"""External commands, notebooks, and claims that are read from a library's object."""

from tests.mutations.mutation import Mutation

EXTERNAL = "audit/test_external.py"
NOTEBOOKS = "audit/test_notebooks.py"
MEASUREMENTS = "adapters/test_measurements.py"
PYDP = "adapters/test_pydp.py"

MUTATIONS = (
    Mutation(
        "command-seeds-too-large",
        "audit/loading/external_draw.py",
        "LARGEST_SEED = 2**31",
        "LARGEST_SEED = 2**32",
        "half of the seeds are one for generators that take 31 bits, and starts repeat",
        (f"{EXTERNAL}::test_seeds_are_new_for_each_start",),
    ),
    Mutation(
        "command-status-is-no-outcome",
        "audit/loading/external_draw.py",
        "        if ended.status:\n",
        "        if ended.status > 3:\n",
        "a command that fails half-way passes for one that made its draws",
        (f"{EXTERNAL}::test_failures_are_outcomes_by_their_kind",),
    ),
    Mutation(
        "command-lines-are-shared-out",
        "audit/loading/external_draw.py",
        "return values if len(values) == len(lines) else None",
        "return values",
        "a line with two values shifts all later draws",
        (f"{EXTERNAL}::test_an_unreadable_line_is_the_outcome_of_its_draw",),
    ),
    Mutation(
        "command-deadline-is-an-outcome",
        "audit/loading/external_draw.py",
        'if ended.stopped == "time" and end < own_end:',
        'if ended.stopped == "time" and end > own_end:',
        "the end of the time budget counts as a time-out of the command",
        (f"{EXTERNAL}::test_the_end_of_the_audit_is_no_outcome",),
    ),
    Mutation(
        "command-is-seedable-unseen",
        "audit/external.py",
        "seedable=first == again and first != other)",
        "seedable=first == again)",
        "a command that writes the same lines for all seeds is called reproducible",
        (f"{EXTERNAL}::test_the_seed_is_tried",),
    ),
    Mutation(
        "process-group-outlives",
        "audit/loading/processes.py",
        "os.killpg(process.pid, signal.SIGKILL)",
        "process.kill()",
        "what a command started goes on after its end",
        (f"{EXTERNAL}::test_a_time_out_ends_the_whole_group",),
    ),
    Mutation(
        "notebook-skips-python",
        "audit/loading/notebooks.py",
        'NO_PYTHON = re.compile(r"(\\s*)([%!?].*|',
        'NO_PYTHON = re.compile(r"(\\s*)([%!?d].*|',
        "a line with an error is skipped as if it were a magic",
        (f"{NOTEBOOKS}::test_a_cell_that_fails_is_named",),
    ),
    Mutation(
        "import-prints-into-the-report",
        "audit/loading/imported.py",
        "with redirect_stdout(sys.stderr), exits_refused():",
        "with redirect_stdout(sys.stdout), exits_refused():",
        "what a module prints while it is imported is a part of the report",
        (f"{NOTEBOOKS}::test_what_an_import_prints_is_no_part_of_the_report",),
    ),
    Mutation(
        "opendp-swap-is-one-step",
        "audit/adapters/opendp_measurement.py",
        '"SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2}',
        '"SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 1}',
        "the claim under swap is that of add-remove",
        (f"{MEASUREMENTS}::test_a_measurement_is_asked_at_the_distance_of_its_neighbors",),
    ),
    Mutation(
        "opendp-nearest-pair",
        "audit/adapters/opendp_measurement.py",
        "largest = max(_distance",
        "largest = min(_distance",
        "the claim is that of the nearest listed pair, and the farthest refutes it",
        (f"{MEASUREMENTS}::test_a_measurement_is_asked_at_the_distance_of_its_neighbors",),
    ),
    Mutation(
        "opendp-distance-rounded-down",
        "audit/adapters/opendp_measurement.py",
        "while Fraction(root) ** 2 < square:",
        "while Fraction(root) ** 2 < square / 2:",
        "a distance is rounded down, and the claim is too small",
        (f"{MEASUREMENTS}::test_distances_are_rounded_up",),
    ),
    Mutation(
        "pydp-bounds-swapped-for-the-default",
        "audit/adapters/pydp.py",
        '"lower_bound": float(self.low)',
        '"lower_bound": 0.0',
        "the library is given another lower bound than the claim names",
        (f"{PYDP}::test_noise_has_the_scale_of_the_claim",),
    ),
)
"""All of them."""
