"""Audits in tests: the pytest plugin, and the strategies."""

from tests.mutations.mutation import Mutation

PLUGIN = "_touchstone_pytest.py"
SESSIONS = "plugin/test_sessions.py"
FIXTURE = "plugin/test_fixture.py"
MARKS = "plugin/test_marks.py"
STRATEGIES = "audit/test_strategies.py"

MUTATIONS = (
    Mutation(
        "plugin-equal-shares",
        PLUGIN,
        "return _audit(item, mechanism, words, done, 1 / (done * (done + 1)))",
        "return _audit(item, mechanism, words, done, 1 / (done + 1))",
        "the shares of many audits of one test sum to more than its part",
        (f"{FIXTURE}::test_shares_decline_and_never_sum_to_more",),
    ),
    Mutation(
        "plugin-fixture-uncounted",
        PLUGIN,
        'return int(marked) + (FIXTURE in getattr(item, "fixturenames", ()))',
        "return int(marked)",
        "tests with the fixture take a share that nobody gave them",
        (f"{FIXTURE}::test_shares_decline_and_never_sum_to_more",),
    ),
    Mutation(
        "plugin-fewest-parts",
        PLUGIN,
        "self._parts = max(1, self.fewest_parts, sum(map(_weight, items)))",
        "self._parts = self.fewest_parts or sum(map(_weight, items))",
        "a seed of a smaller run lets the shares of a larger one sum to more than the rate",
        (f"{SESSIONS}::test_more_tests_than_parts_split_further",),
    ),
    Mutation(
        "plugin-one-seed",
        PLUGIN,
        'hashlib.sha256(f"{session.seed} {number} {name}".encode())',
        'hashlib.sha256(f"{session.seed} {number}".encode())',
        "all tests draw the same",
        (f"{MARKS}::test_results_go_into_the_summary_and_junit",),
    ),
    Mutation(
        "plugin-silent-old-tests",
        PLUGIN,
        "item.cls is not None and issubclass(item.cls, unittest.TestCase)",
        "item.cls is None and issubclass(object, unittest.TestCase)",
        "the mark of a unittest case does nothing, and the test passes",
        (f"{MARKS}::test_only_plain_functions_can_return_one",),
    ),
    Mutation(
        "plugin-first-mark-wins",
        PLUGIN,
        "if said.get(word) is node:",
        "if said.get(word) is None and node is None:",
        "of two claims on one test one is not audited",
        (f"{MARKS}::test_only_plain_functions_can_return_one",),
    ),
    Mutation(
        "plugin-late-fixture",
        PLUGIN,
        "if FIXTURE not in item.fixturenames:",
        "if FIXTURE in ():",
        "audits that were not counted spend what others have",
        (f"{FIXTURE}::test_audits_that_were_not_counted_are_refused",),
    ),
    Mutation(
        "plugin-hidden-package",
        PLUGIN,
        "if place is None or place.parent != ours.parent:",
        "if place is None:",
        "a project's own package is taken for ours, and the test ends with a traceback",
        ("plugin/test_clash.py::test_a_clash_is_told_and_everything_else_runs",),
    ),
    Mutation(
        "in-tests-warnings",
        "audit/in_tests.py",
        'warnings.simplefilter("default")',
        "warnings.filters",
        "where warnings are errors, a mechanism that warns is refuted",
        (f"{MARKS}::test_warnings_are_no_outcomes",),
    ),
    Mutation(
        "in-tests-path",
        "audit/in_tests.py",
        "sys.path[:] = before",
        "before.clear()",
        "an audit leaves folders on sys.path",
        ("audit/test_in_tests.py::test_path_and_filters_stay_as_they_were",),
    ),
    Mutation(
        "strategy-same-record",
        "audit/strategies/pairs.py",
        "record = next(value for value in (new, *instead) if not _same(value, old))",
        "record = new",
        "a record is replaced by itself: the data sets are equal",
        (f"{STRATEGIES}::test_each_pair_is_a_pair",),
    ),
    Mutation(
        "strategy-fixed-order",
        "audit/strategies/pairs.py",
        "neighbor = [*data[:place], record, *data[place:]]",
        "neighbor = [*data[place:], record, *data[:place]]",
        "where order is fixed, other records lose their places",
        (f"{STRATEGIES}::test_each_pair_is_a_pair",),
    ),
    Mutation(
        "strategy-smallest-first",
        "audit/strategies/data.py",
        "return st.sampled_from(special) | st.floats(float(exact_low), float(exact_high))",
        "return st.floats(float(exact_low), float(exact_high)) | st.sampled_from(special)",
        "records shrink to 0 or to any number instead of the lower bound",
        (f"{STRATEGIES}::test_the_smallest_pair",),
    ),
    Mutation(
        "strategy-concave-curve",
        "audit/strategies/claims.py",
        "ordered = sorted(segments, key=lambda segment: -segment[1])",
        "ordered = sorted(segments, key=lambda segment: segment[1])",
        "trade-off curves are not convex",
        (f"{STRATEGIES}::test_trade_off_curves_are_not_all_alike",),
    ),
)
