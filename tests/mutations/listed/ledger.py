"""Gate, exit statuses and the ledger."""

from tests.mutations.mutation import Mutation

MUTATIONS = (
    # Gate and exit statuses
    Mutation(
        "controls-share-the-rate",
        "audit/shares.py",
        'if entry.expect != "consistent" or entry.request.mode == "exact":',
        'if entry.request.mode == "exact":',
        "a positive control takes a part of the rate from what can raise a false alarm",
        ("audit/test_shares.py::test_only_what_can_raise_a_false_alarm_shares_the_rate",),
    ),
    Mutation(
        "gate-share",
        "audit/shares.py",
        "return config.false_alarm / (sharing(config, plans) or 1)",
        "return config.false_alarm",
        "each audit uses the whole false-alarm rate of the run",
        ("audit/test_gate.py::test_the_false_alarm_rate_is_shared_equally",),
    ),
    Mutation(
        "joining-takes-what-is-promised",
        "audit/engine/allocation.py",
        "return not self.promised or self._missing(pairs) + size <= left",
        "return True",
        "pairs that join leave a run within the default budget inconclusive",
        ("audit/engine/test_budget.py::test_a_sound_mechanism_is_consistent_within_it",),
    ),
    # The ledger
    Mutation(
        "ledger-mutant-passes",
        "proofs_check/decide.py",
        "return self.holds is True and all(found is False for found in self.mutants.values())",
        "return self.holds is True",
        "a check that cannot tell its mutants from the claim proves it",
        ("proofs_check/test_decide.py::test_proved_needs_every_check_and_every_mutant",),
    ),
    Mutation(
        "ledger-unknown-is-true",
        "proofs_check/smt.py",
        "    if found != z3.sat:\n        return Answer(holds=None, counterexample={})",
        "    if found != z3.sat:\n        return Answer(holds=True, counterexample={})",
        "what z3 does not decide counts as true",
        ("proofs_check/test_smt.py::test_what_is_not_decided_is_open",),
    ),
    Mutation(
        "ledger-erratum-ignored",
        "proofs_check/prove.py",
        "any(e.status is not Status.REFUTED for e in known)",
        "any(e.status is Status.OPEN for e in known)",
        "a correction stands although its erratum is not refuted",
        ("proofs_check/test_prove.py::test_a_correction_whose_erratum_is_not_refuted_is_open",),
    ),
    Mutation(
        "ledger-stale",
        "proofs_check/store.py",
        'if kept.pop("key") != key:',
        'if kept.pop("key") == "":',
        "a result is kept although its source has changed",
        ("proofs_check/test_prove.py::test_a_result_is_kept_until_its_source_changes",),
    ),
    Mutation(
        "box-left-out",
        "proofs_check/cover.py",
        "for half in ((sides[side][0], center[side]), (center[side], sides[side][1])):",
        "for half in ((sides[side][0], center[side]),):",
        "half of each box is never looked at",
        ("proofs_check/test_cover.py::test_the_ends_belong_to_the_box",),
    ),
    Mutation(
        "exit-of-twin",
        "audit/suite/exits.py",
        "return Exit.OK if result.verdict is Verdict.REFUTED else Exit.REFUTED",
        "return Exit.OK",
        "a twin that is no longer caught passes",
        ("audit/test_gate.py::test_each_outcome_has_its_status",),
    ),
    Mutation(
        "exit-of-inconclusive",
        "audit/suite/exits.py",
        "return Exit.OK if inconclusive_ok else Exit.INCONCLUSIVE",
        "return Exit.OK",
        "an inconclusive audit passes silently",
        ("audit/test_gate.py::test_each_outcome_has_its_status",),
    ),
)
