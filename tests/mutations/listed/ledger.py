"""Gate, exit statuses and the ledger."""

from tests.mutations.mutation import Mutation

PROVE = "proofs_check/test_prove.py"
ALLOCATION = "audit/engine/test_allocation.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.suite.shares:may_alarm",
        old='entry.expect != "consistent" or entry.request.mode == "exact"',
        new='entry.request.mode == "exact"',
        breaks="a positive control takes a part of the rate from what can raise a false alarm",
        tests=("audit/test_shares.py::test_only_what_can_raise_a_false_alarm_shares_the_rate",)),
    Mutation("audit.suite.shares:share_of",
        old="config.false_alarm / (sharing(config, plans) or 1)",
        new="config.false_alarm",
        breaks="each audit uses the whole false-alarm rate of the run",
        tests=("audit/test_gate.py::test_the_false_alarm_rate_is_shared_equally",)),
    Mutation("audit.engine.allocation:Allocation.spares",
        old="not self.promised or self._missing(pairs) + size <= left", new="True",
        breaks="pairs that join take draws that others were promised",
        tests=(f"{ALLOCATION}::test_a_pair_that_joins_takes_nothing_of_what_is_promised",)),
    Mutation("proofs_check.decide:CheckResult.decided",
        old="self.holds is True and all(found is False for found in self.mutants.values())",
        new="self.holds is True",
        breaks="a check that cannot tell its mutants from the claim proves it",
        tests=("proofs_check/test_decide.py::test_proved_needs_every_check_and_every_mutant",)),
    Mutation("proofs_check.prove:_with_errata", old="e.status is not Status.REFUTED",
        new="e.status is Status.OPEN",
        breaks="a correction stands although its erratum is not refuted",
        tests=(f"{PROVE}::test_a_correction_whose_erratum_is_not_refuted_is_open",)),
    Mutation("proofs_check.store:Store.read", old='kept.pop("key") != key',
        new='kept.pop("key") == ""',
        breaks="a result is kept although its source has changed",
        tests=(f"{PROVE}::test_a_result_is_kept_until_its_source_changes",)),
    Mutation("proofs_check.cover:positive",
        old="((sides[side][0], center[side]), (center[side], sides[side][1]))",
        new="((sides[side][0], center[side]),)",
        breaks="half of each box is never looked at",
        tests=("proofs_check/test_cover.py::test_the_ends_belong_to_the_box",)),
    Mutation("audit.suite.exits:of_audit",
        old="Exit.OK if result.verdict is Verdict.REFUTED else Exit.REFUTED", new="Exit.OK",
        breaks="a twin that is no longer caught passes",
        tests=("audit/test_gate.py::test_each_outcome_has_its_status",)),
    Mutation("audit.suite.exits:of_audit", old="Exit.OK if inconclusive_ok else Exit.INCONCLUSIVE",
        new="Exit.OK",
        breaks="an inconclusive audit passes silently",
        tests=("audit/test_gate.py::test_each_outcome_has_its_status",)),
)
