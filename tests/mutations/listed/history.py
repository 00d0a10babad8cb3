"""Wealth over nights, baselines, and what a change asks for."""

from tests.mutations.mutation import Mutation

NIGHTS = "audit/engine/test_nights.py"
HISTORY = "audit/test_history.py"
COMPARE = "audit/suite/baseline/test_compare.py"
SELECT = "audit/suite/changes/test_select.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.engine.nights:weight", old="kept_back(night - 1) - kept_back(night)",
        new="kept_back(night - 1)",
        breaks="each product begins with more than its weight: wealth out of nothing",
        tests=("theorems/test_nights.py",)),
    Mutation("audit.engine.nights:Carried.levels", old="1 / alphas - kept_back(self.nights + 1)",
        new="1 / alphas",
        breaks="a run is refuted later than all nights together are",
        tests=("theorems/test_nights.py",)),
    Mutation("audit.engine.sequential:audit", old="begin(1 - FIRST_RUN_SHARE)",
        new="begin(1 - FIRST_RUN_SHARE, FIRST_RUN_SHARE)",
        breaks="a failed first run is worth what it began with",
        tests=(f"{NIGHTS}::test_a_first_run_that_fails_takes_its_winnings_along",)),
    Mutation("audit.engine.run:Run.night", old="wealth = np.full_like(wealth, -np.inf)", new="pass",
        breaks="a batch that is cut for its length is left out, whatever it would have shown",
        tests=(NIGHTS,)),
    Mutation("audit.engine.run:Run.night", old="self.wealth.booked()", new="self.wealth.highest",
        breaks="a night is worth the largest wealth of any look, which is no e-value",
        tests=(f"{NIGHTS}::test_a_night_is_worth_what_was_bet_and_what_was_not",)),
    Mutation("audit.suite.nights:night_seed", old="derived_seed(seed, Purpose.NIGHT, number)",
        new="derived_seed(seed, Purpose.NIGHT, 0)",
        breaks="every night draws the same, and multiplies the same evidence in", tests=(HISTORY,)),
    Mutation("audit.suite.nights:Nights.begin",
        old='sorted(k for k in about if record["about"].get(k) != about[k])', new="[]",
        breaks="wealth against an old version is held against a new one", tests=(HISTORY,)),
    Mutation("audit.suite.baseline.compare:_claims", old="implies(*new, *old)",
        new="implies(*old, *new)",
        breaks="a stronger claim is a regression, and a weaker one is none", tests=(COMPARE,)),
    Mutation("audit.suite.baseline.compare:_mean_squares", old='old["upper"]', new='old["value"]',
        breaks="intervals that overlap are a regression", tests=(COMPARE,)),
    Mutation("audit.suite.baseline.file:matched", old="tuple(left)", new="()",
        breaks="an audit that is dropped is no regression", tests=(COMPARE, HISTORY)),
    Mutation("audit.suite.changes.select:_choice", old="closure.files", new="closure.present",
        breaks="a module that was deleted is not missed", tests=(SELECT,)),
    Mutation("audit.suite.changes.git:changes_since", old="changed | new", new="changed",
        breaks="new files are no change", tests=(SELECT,)),
    Mutation("audit.suite.changes.select:_choice", old="_doubtful(closure, changes, entry)",
        new='""',
        breaks="what is imported by name is taken for nothing", tests=(SELECT,)),
    Mutation("audit.suite.changes.last:Failures.write",
        old="(before - frozenset(ran)) | frozenset(failed)", new="failed",
        breaks="what failed, and was then left out, is forgotten", tests=(SELECT,)),
    Mutation("audit.suite.changes.select:_other_versions",
        old='[words for words in known if words not in now.split(", ")]', new="[]",
        breaks="an audit that last ran with another version of ours is left out", tests=(SELECT,)),
    Mutation("audit.suite.changes.select:_choice", old="[*closure.present, *sorted(data)]",
        new="closure.present",
        breaks="data that git ignores may change unseen", tests=(SELECT,)),
    Mutation("audit.suite.nights:Nights.__post_init__", old="hold(self.file.path)", new="None",
        breaks="of two runs at once one loses what the other booked", tests=(HISTORY,)),
)
