"""Wealth over nights, baselines, and what a change asks for."""

from tests.mutations.mutation import Mutation

THEOREM = "theorems/test_nights.py"
RUN = "audit/engine/test_nights.py"
NIGHTS = (THEOREM,)
SELECT = ("audit/changes/test_select.py",)
COMPARE = ("audit/baseline/test_compare.py",)

MUTATIONS = (
    # Wealth over nights
    Mutation(
        "nights-start-whole",
        "audit/engine/nights.py",
        "    return kept_back(night - 1) - kept_back(night)",
        "    return kept_back(night - 1)",
        "each product begins with more than its weight: wealth out of nothing",
        NIGHTS,
    ),
    Mutation(
        "nights-threshold-forgets-what-is-kept-back",
        "audit/engine/nights.py",
        "        left = (1 / alphas - kept_back(self.nights + 1)) * ",
        "        left = 1 / alphas * ",
        "a run is refuted later than all nights together are",
        NIGHTS,
    ),
    Mutation(
        "nights-idle-share-counts-twice",
        "audit/engine/sequential.py",
        "            again = begin(1 - FIRST_RUN_SHARE)",
        "            again = begin(1 - FIRST_RUN_SHARE, FIRST_RUN_SHARE)",
        "a failed first run is worth what it began with",
        (f"{RUN}::test_a_first_run_that_fails_takes_its_winnings_along",),
    ),
    Mutation(
        "nights-cut-batch-left-out",
        "audit/engine/run.py",
        "            wealth = np.full_like(wealth, -np.inf)",
        "            pass",
        "a batch that is cut for its length is left out, whatever it would have shown",
        (RUN,),
    ),
    Mutation(
        "nights-largest-look",
        "audit/engine/run.py",
        "        wealth = self.wealth.booked()",
        "        wealth = self.wealth.highest",
        "a night is worth the largest wealth of any look, which is no e-value",
        (f"{RUN}::test_a_night_is_worth_what_was_bet_and_what_was_not",),
    ),
    Mutation(
        "nights-same-draws",
        "audit/nights.py",
        "    return derived_seed(seed, Purpose.NIGHT, number)",
        "    return derived_seed(seed, Purpose.NIGHT, 0)",
        "every night draws the same, and multiplies the same evidence in",
        ("audit/test_history.py",),
    ),
    Mutation(
        "nights-changed-target-goes-on",
        "audit/nights.py",
        '        elif different := sorted(k for k in about if record["about"].get(k) != about[k]):',
        "        elif different := []:",
        "wealth against an old version is held against a new one",
        ("audit/test_history.py",),
    ),
    # Baselines
    Mutation(
        "baseline-claims-the-other-way-round",
        "audit/baseline/compare.py",
        "    if not implies(*new, *old):",
        "    if not implies(*old, *new):",
        "a stronger claim is a regression, and a weaker one is none",
        COMPARE,
    ),
    Mutation(
        "baseline-squared-errors-by-value",
        "audit/baseline/compare.py",
        '        elif float(new[label]["lower"]) > float(old["upper"]) * (1 + MSE_MARGIN):',
        '        elif float(new[label]["lower"]) > float(old["value"]) * (1 + MSE_MARGIN):',
        "intervals that overlap are a regression",
        COMPARE,
    ),
    Mutation(
        "baseline-dropped-audits-unseen",
        "audit/baseline/file.py",
        "    return found, tuple(left)",
        "    return found, ()",
        "an audit that is dropped is no regression",
        (*COMPARE, "audit/test_history.py"),
    ),
    # What a change asks for
    Mutation(
        "changes-only-of-what-is-there",
        "audit/changes/select.py",
        "    own = {real(path) for path in closure.files} | data",
        "    own = {real(path) for path in closure.present} | data",
        "a module that was deleted is not missed",
        SELECT,
    ),
    Mutation(
        "changes-of-committed-files-only",
        "audit/changes/git.py",
        "    return Changes(revision, commit, top, changed | new, tracked | new | changed)",
        "    return Changes(revision, commit, top, changed, tracked | new | changed)",
        "new files are no change",
        SELECT,
    ),
    Mutation(
        "changes-without-doubt",
        "audit/changes/select.py",
        "        _doubtful(closure, changes, entry),",
        '        "",',
        "what is imported by name is taken for nothing",
        SELECT,
    ),
    Mutation(
        "changes-forget-failures",
        "audit/changes/last.py",
        '            "failed": sorted((before - frozenset(ran)) | frozenset(failed)),',
        '            "failed": sorted(failed),',
        "what failed, and was then left out, is forgotten",
        SELECT,
    ),
    Mutation(
        "changes-forget-versions",
        "audit/changes/select.py",
        '    gone = [words for words in known if words not in now.split(", ")]',
        "    gone = []",
        "an audit that last ran with another version of ours is left out",
        SELECT,
    ),
    Mutation(
        "changes-data-outside-git",
        "audit/changes/select.py",
        "        _unknown([*closure.present, *sorted(data)], changes),",
        "        _unknown(closure.present, changes),",
        "data that git ignores may change unseen",
        SELECT,
    ),
    Mutation(
        "nights-two-at-once",
        "audit/nights.py",
        "        self.lock = hold(self.file.path)",
        "        self.lock = None",
        "of two runs at once one loses what the other booked",
        ("audit/test_history.py",),
    ),
)
