"""The configuration: what it means, and which key is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit.request.configuration import Config, find_config, read_config, reference_config
from audit.request.privacy_plan import plan_audit
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidData
from mechanisms.registry import MECHANISMS, build_mechanism

AUDIT = '[[audit]]\ntarget = "ksw.shifted-laplace"\n'


def config(folder: Path, text: str) -> Config:
    """Write a configuration and read it."""
    (folder / "touchstone.toml").write_text(text)
    return find_config(folder)


def test_every_key_reaches_the_request(tmp_path: Path) -> None:
    """It must hold that each key of an audit is an option of the same name."""
    read = config(
        tmp_path,
        """
        false_alarm = 0.01
        budget_seconds = 7
        [[audit]]
        target = "src/m.py:mean"
        epsilon = "1/10"
        delta = 1e-5
        relation = "swap"
        order = "fixed"
        low = 0
        high = 2.5
        data = "d.csv"
        column = "x"
        min_size = 2
        pair = ["p.json", "q.json"]
        generate = true
        param = {scale = "5/3"}
        domain = "declared"
        ideal = true
        expect = "refuted"
        resolution = 0.25
        budget_samples = 1000
        """,
    )
    assert (read.false_alarm, read.budget_seconds) == (0.01, 7.0)
    (entry,) = read.entries
    request = entry.request
    assert entry.expect == "refuted"
    assert entry.name == "src/m.py:mean (scale = 5/3)"
    assert (request.target, request.data) == (f"{tmp_path}/src/m.py:mean", f"{tmp_path}/d.csv")
    assert request.pair == (f"{tmp_path}/p.json", f"{tmp_path}/q.json")
    assert (request.stated, request.relation) == ({"epsilon": "1/10", "delta": 1e-5}, "swap")
    assert (request.order, request.low, request.high) == ("fixed", 0, 2.5)
    assert (request.column, request.min_size, request.generate) == ("x", 2, True)
    assert (request.param, request.domain, request.ideal) == ({"scale": "5/3"}, "declared", True)
    assert (request.resolution, request.budget_samples) == (0.25, 1000)


@pytest.mark.parametrize(
    ("lines", "level"),
    [
        ("rho = 0.5", ZeroConcentratedDP("1/2")),
        ('mu = "4/5"', GaussianDP("4/5")),
        ("epsilon = 1\nalpha_order = 8", RenyiDP(8, 1)),
        ('budgets = [0.1, "1", 2]', PersonalizedDP(("1/10", 1, 2))),
        ('budgets = "0.1, 1, 2"', PersonalizedDP(("1/10", 1, 2))),
        ("epsilon = 1\nprofile = true", PureDP(1)),
    ],
)
def test_every_level_can_be_claimed(tmp_path: Path, lines: str, level: Level) -> None:
    """It must hold that the keys of a claim mean what they mean on the command line."""
    text = '[[audit]]\ntarget = "ksw.swap-laplace"\n'
    (entry,) = config(tmp_path, text + lines).entries
    plan = plan_audit(entry.request, stated_in="test")
    assert plan.claim.level == level
    assert plan.request.profile == ("profile" in lines)


def test_defaults(tmp_path: Path) -> None:
    """It must hold that the gate's rate is 1e-3 and that a claim is expected to stand."""
    read = config(tmp_path, AUDIT)
    assert (read.false_alarm, read.budget_seconds) == (1e-3, None)
    assert read.entries[0].expect == "consistent"


def test_proofs_are_names_of_the_ledger(tmp_path: Path) -> None:
    """It must hold that one or several are read, with audits or without."""
    assert config(tmp_path, AUDIT).proofs == ()
    assert config(tmp_path, 'proofs = "KSW"').proofs == ("KSW",)
    read = config(tmp_path, 'proofs = ["KSW-T2", "SUB"]\n' + AUDIT)
    assert (read.proofs, len(read.entries)) == (("KSW-T2", "SUB"), 1)


def test_a_list_is_a_sweep(tmp_path: Path) -> None:
    """It must hold that lists in param make one audit for each choice, in order."""
    read = config(tmp_path, AUDIT + 'param = {epsilon = [1, "5/3"], low = [0, 1], high = 9}')
    assert [entry.request.param for entry in read.entries] == [
        {"epsilon": 1, "low": 0, "high": 9},
        {"epsilon": 1, "low": 1, "high": 9},
        {"epsilon": "5/3", "low": 0, "high": 9},
        {"epsilon": "5/3", "low": 1, "high": 9},
    ]
    assert read.entries[2].name == "ksw.shifted-laplace (epsilon = 5/3, low = 0, high = 9)"


def test_files_are_relative_to_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that names stay short when the configuration is in the working folder."""
    (tmp_path / "touchstone.toml").write_text('[[audit]]\ntarget = "m.py:f"\ndata = "d.csv"\n')
    monkeypatch.chdir(tmp_path)
    request = find_config(Path()).entries[0].request
    assert (request.target, request.data) == ("m.py:f", "d.csv")


def test_library_data_sets_are_no_files(tmp_path: Path) -> None:
    """It must hold that statsmodels:NAME is left as it is."""
    read = config(tmp_path, AUDIT + 'data = "statsmodels:anes96"\ncolumn = "age"')
    assert read.entries[0].request.data == "statsmodels:anes96"


def test_pyproject_is_read(tmp_path: Path) -> None:
    """It must hold that [tool.touchstone] of pyproject.toml is the configuration."""
    text = '[project]\nname = "x"\n[[tool.touchstone.audit]]\ntarget = "ksw.shifted-laplace"\n'
    (tmp_path / "pyproject.toml").write_text(text)
    assert find_config(tmp_path).entries[0].name == "ksw.shifted-laplace"


def test_touchstone_toml_may_use_the_long_form(tmp_path: Path) -> None:
    """It must hold that [tool.touchstone] means the same in both files."""
    read = config(tmp_path, '[[tool.touchstone.audit]]\ntarget = "ksw.shifted-laplace"\n')
    assert len(read.entries) == 1


def test_touchstone_toml_comes_first(tmp_path: Path) -> None:
    """It must hold that touchstone.toml wins over pyproject.toml."""
    (tmp_path / "pyproject.toml").write_text("[tool.touchstone]\nnonsense = 1\n")
    assert config(tmp_path, AUDIT).name.endswith("touchstone.toml")


@pytest.mark.parametrize("text", [None, "[project]\nname = 'x'\n", "[tool.ruff]\n"])
def test_no_configuration_is_told_with_a_way_out(tmp_path: Path, text: str | None) -> None:
    """It must hold that the user hears of touchstone.toml and of --reference."""
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(InvalidData, match=r"write touchstone\.toml .* --reference"):
        find_config(tmp_path)


FAULTS = {
    "budgetseconds = 3\n" + AUDIT: "unknown key 'budgetseconds'",
    "proofs = 3\n"
    + AUDIT: "proofs must be an id of a claim such as 'KSW-T2', the prefix of a paper, or a list "
    "of them, got proofs=3",
    "tables = 3\n" + AUDIT: "tables must be a file name or a list of them, got tables=3",
    AUDIT + "columns = 'a,b'": "audit 1: unknown key 'columns'; close: column, .*; known: target",
    AUDIT + "rho = true": "audit 1: rho must be a number",
    AUDIT + "budgets = 1": "audit 1: budgets must be a list of numbers",
    AUDIT + "budgets = []": "audit 1: budgets must be a list of numbers",
    AUDIT + "profile = 1": "audit 1: profile must be true or false",
    AUDIT + AUDIT + "epsilonn = 1": "audit 2: unknown key 'epsilonn'; close: epsilon",
    AUDIT + "expect = 'proved'": "audit 1: expect must be one of consistent, refuted",
    AUDIT + "epsilon = true": "audit 1: epsilon must be a number",
    AUDIT + "ideal = 1": "audit 1: ideal must be true or false",
    AUDIT + "budget_samples = 1.5": "audit 1: budget_samples must be an integer",
    AUDIT + "pair = [1]": "audit 1: pair must be a file name",
    AUDIT + "param = 3": "audit 1: param must be a table",
    AUDIT + "param = {n = []}": "audit 1: .* a sweep in param, has no values",
    "[[audit]]\ntarget = []": "audit 1: a list of targets, .* has no values",
    "[[audit]]\ntarget = ['a', 3]": "audit 1: target must be text or a list of texts",
    AUDIT + "slow = 1": "audit 1: slow must be true or false",
    "[[audit]]\nepsilon = 1": r"audit 1: the key 'target' \(or 'command'\) is required",
    AUDIT + "command = ['./x']": "target and command name two things to audit; give one of them",
    "[[audit]]\ncommand = './x'": "audit 1: command must be a list of texts",
    "[[audit]]\ncommand = []": "audit 1: command must be a list of texts",
    AUDIT + "timeout = '1'": "audit 1: timeout must be a number",
    "false_alarm = '1e-3'\n" + AUDIT: "false_alarm must be a number",
    "false_alarm = 2\n" + AUDIT: r"false_alarm must lie in \(0, 1\)",
    "budget_seconds = 0\n" + AUDIT: "budget_seconds must be positive",
    "false_alarm = 0.1": r"lists no \[\[audit\]\]",
    "audit = []": r"lists no \[\[audit\]\]",
    "[audit]\ntarget = 'x'": r"lists no \[\[audit\]\]",
    "audit = [": "touchstone.toml cannot be read",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_wrong_configuration_names_the_key(tmp_path: Path, text: str) -> None:
    """It must hold that every fault is told with its audit and key."""
    with pytest.raises(InvalidData, match=FAULTS[text]):
        config(tmp_path, text)


@pytest.fixture(scope="module")
def reference() -> Config:
    """The built-in suite, without its audits of errors (tests/audit/utility)."""
    suite = reference_config()
    return replace(suite, entries=tuple(e for e in suite.entries if e.request.utility is None))


STATES_NO_LAW = (
    "pdp.mean-as-printed",
    "pdp.unbounded-mean-as-printed",  # its counts alone lose exactly what is promised
)
"""Mechanisms that no exact audit proves."""

PRIVATE_AS_PRINTED = ("tri.coarse-as-printed", "pdp.radius-as-printed")

TWINS_ELSEWHERE = {
    "sub.monotone": ("sub.monotone-as-printed", {"slip": "E4"}),
    "pdp.find-quantile": ("pdp.find-quantile", {"epsilon": "5/3"}),
    "pdp.diffused-quantile": (
        "pdp.diffused-quantile-as-printed",
        {"slip": "E-02, E-10, E-13"},
    ),
    "pdp.range": ("pdp.range-as-printed", {}),
    "pdp.unbounded-mean": ("pdp.unbounded-mean-as-printed", {"beta": "9/10"}),
}
"""Mechanisms whose control is refuted exactly, or is a printed form on its known pair."""

PROFILES = (("1", "1", "1"), ("1/5", "1/5", "1", "1"), ("1/10", "1", "1"))
"""Budgets: all equal, two halves, one tight user."""

LESS_NOISE = {
    "tri.name-and-shame": {"delta": "1/6"},
    "tri.coarse": {"epsilon": "5/3", "delta": "1e-6"},
    "tri.shuffled-mean": {"epsilon": 3, "delta": 1},
    "sub.subset-mean-public-size": {"epsilon": 5},
    "sub.subset-mean-noisy-size": {"epsilon": 5},
    "pdp.adpm": {"budgets": "1/6, 5/3, 5/3"},
    "pdp.diffusion": {"budgets": "1/6, 5/3, 5/3"},
    "pdp.mean": {"budgets": "5, 5, 5"},
    "pdp.discretization": {"epsilon": 5},
    "pdp.radius": {"epsilon": 5},
    "pdp.above-threshold": {"epsilon": 5},
    "sub.histogram-mean": {"epsilon": 5},
    "sub.moment-mean": {"epsilon": 5},
    "sub.radius-mean": {"epsilon": 5},
    "ksw.count-then-swap": {"epsilon": 4},
    "pdp.stretched-mean": {"budgets": "1/6, 5/3, 5/3"},
    "pdp.partitioned-mean": {"budgets": "1/6, 5/3, 5/3"},
    "pdp.sampled-mean": {"budgets": "1/6, 5/3, 5/3"},
    "pdp.least-budget": {"budgets": "1/6, 5/3, 5/3"},
}
"""Twins that are not of epsilon / 0.6; the file says why."""


def test_the_reference_suite_holds_every_mechanism(
    subtests: pytest.Subtests, reference: Config
) -> None:
    """It must hold that a sound mechanism has an entry and a twin, a printed one must fall.

    And that its law, where it states one that is enough, is proved or refuted exactly.
    """
    for name in MECHANISMS:
        with subtests.test(name=name):
            of_it = [entry for entry in reference.entries if entry.request.target == name]
            exact = [entry for entry in of_it if entry.request.mode == "exact"]
            sampled = [entry for entry in of_it if entry not in exact and not entry.slow]
            broken = MECHANISMS[name].form != "sound" and name not in PRIVATE_AS_PRINTED
            own = [e for e in exact if (name, e.request.param) != TWINS_ELSEWHERE.get(name)]
            found = {entry.expect for entry in own}
            assert found == (
                set() if name in STATES_NO_LAW else {"refuted" if broken else "consistent"}
            )
            expected = {entry.expect for entry in sampled}
            if name in PRIVATE_AS_PRINTED:
                assert expected == set()
            elif broken:
                assert expected == {"refuted"}
            elif name in TWINS_ELSEWHERE:
                target, param = TWINS_ELSEWHERE[name]
                twins = [e for e in reference.entries if e.request.target == target]
                assert any(e.request.param == param and e.expect == "refuted" for e in twins)
                sound = [e for e in of_it if e.request.mode != "exact" and not e.request.param]
                assert any(e.expect == "consistent" for e in sound)
            else:
                assert expected == {"consistent", "refuted"}
                twin = LESS_NOISE.get(name, {"epsilon": "5/3"})
                controls = [e.request.param for e in sampled if e.expect == "refuted"]
                assert any(twin.items() <= param.items() for param in controls)
                assert any(e.expect == "consistent" and not e.request.param for e in sampled)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_estimators_are_audited_at_three_profiles_of_budgets(
    reference: Config, profile: tuple[str, ...]
) -> None:
    """It must hold that equal budgets, two halves and one tight user are all audited."""
    sound = {e.request.target for e in reference.entries if e.request.budgets == profile}
    assert {"pdp.adpm", "pdp.range", "pdp.mean", "pdp.unbounded-mean"} <= sound


def test_the_reference_suite_is_strict(reference: Config) -> None:
    """It must hold that pairs made here have hostile records, and that only doubles are ideal."""
    for entry in reference.entries:
        request = entry.request
        if request.mode != "exact":
            assert request.domain in (None, "any")
            assert request.ideal == MECHANISMS[request.target].floating_point


def test_the_reference_suite_checks_what_the_ledger_says_of_it(reference: Config) -> None:
    """It must hold that it lists the claims of all registered mechanisms, each once."""
    named = [claim for entry in MECHANISMS.values() for claim in entry.claims]
    assert list(reference.proofs) == list(dict.fromkeys(named))


@pytest.mark.long
def test_every_entry_of_the_reference_suite_can_be_planned(reference: Config) -> None:
    """It must hold that the suite finds targets, data and pairs, and audits what is registered."""
    for entry in reference.entries:
        request = entry.request
        plan = plan_audit(request, stated_in="test")
        budgets = {"budgets": request.budgets} if request.budgets else {}
        own = build_mechanism(request.target, **budgets).claim
        if request.target == "tri.shuffled-mean" and request.mode != "exact":  # (at another level)
            assert plan.claim.level == ApproxDP("1/10", "1/1000")
        elif entry.name.startswith("tri.coarse ("):  # nor does its twin lose much
            assert plan.claim.level == ApproxDP(1, "1e-6")
        else:
            assert plan.claim.level == own.level
        assert plan.claim.relation is own.relation
        assert len(plan.pairs) >= 7 or request.mode == "exact" or request.pair
        if request.data is not None:
            assert max(len(pair.data) for pair in plan.pairs) == 944


def test_the_reference_suite_is_read_by_the_same_reader(tmp_path: Path) -> None:
    """It must hold that a copy of the suite is a configuration like any other."""
    import audit

    source = Path(str(audit.__file__)).parent / "reference.toml"
    copy = tmp_path / "touchstone.toml"
    copy.write_text(source.read_text())
    assert len(read_config(copy).entries) == len(reference_config().entries)


def test_files_beyond_the_bounds_are_one_line(tmp_path: Path) -> None:
    """It must hold of nesting, numbers without end, sweeps, and values of another kind."""
    path = tmp_path / "touchstone.toml"
    entry = '[[audit]]\ntarget = "m:f"\n'
    texts = {
        "a = " + "[" * 10_000: "is nested deeper than 100 levels",
        entry + "low = " + "[" * 101 + "]" * 101: "is nested deeper than 100 levels",
        entry + ".".join("a" * 10_000) + " = 1": "is nested deeper than 100 levels",
        entry + "epsilon = " + "7" * 10_000: "cannot be read: Exceeds the limit",
        entry + "epsilon = 0x" + "f" * 4_000: "holds a number of more than 4000 digits",
        entry + "param = {" + ", ".join(f"a{i} = [1, 2]" for i in range(20)) + "}": "at most 10000",
        "[tool]\ntouchstone = 1": "tool.touchstone must be a table",
        "tool = 1": "lists no",
        "[tool.touchstone]\nproofs = 'KSW-T2'\n" + entry: r"has audit beside \[tool.touchstone\]",
    }
    for text, message in texts.items():
        path.write_text(text)
        with pytest.raises(InvalidData, match=message) as caught:
            read_config(path)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200
    path.write_bytes(b"#" * (2**22 + 1))
    with pytest.raises(InvalidData, match="is larger than"):
        read_config(path)
