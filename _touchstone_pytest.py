"""The pytest plugin of Touchstone: audits in tests, and the installed version in pytest's header.

A test with the mark `privacy` returns a mechanism, or the mark names one (`target=...`) or a plan
of releases (`account=...`); a test with the fixture `privacy_audit` or `privacy_account` audits, or
adds up, what it likes. The audits of a session share one false-alarm rate: each test that draws has
an equal part of it, and the k-th audit of a fixture's test takes 1 / (k (k + 1)) of the part, which
never sums to more. Seeds come from the session's seed and the test's name, so a test draws the same
alone, in any order and on any worker of pytest-xdist.

The plugin lies outside the packages and imports none of them until an audit runs, so that a project
with its own `audit` or `mechanisms` folder can be tested while Touchstone is installed.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Generator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

import pytest

MARK, FIXTURE, ACCOUNTS = "privacy", "privacy_audit", "privacy_account"
PROFILES = ("quick", "default", "thorough")
FALSE_ALARM = 1e-3
SEED_BYTES = 4
INCONCLUSIVE = ("ok", "fail")
NAMING = ("target", "command", "account")
"""Words of the mark that name what is audited, or added up."""

HEADINGS = ("verdict", "test", "claim", "shown", "seen from", "rate")

SESSION = pytest.StashKey["Session"]()
ROWS = pytest.StashKey[tuple[list[dict[str, Any]], int]]()
"""What the audits of a test found since its last report, and how many there were in all."""
FAILURE = pytest.StashKey[str]()
"""First line of the report with which an audit failed the test."""


class Session:
    """What the audits of a session share.

    Parameters
    ----------
    config : pytest.Config
        Options, settings, and what the controller of pytest-xdist hands to its workers.
    """

    def __init__(self, config: pytest.Config) -> None:
        def chosen(name: str) -> Any:
            given = config.getoption(name)
            return config.getini(name) if given is None else given

        fresh = getattr(config, "workerinput", {}).get("privacy_seed")
        given = config.getoption("privacy_seed") or fresh
        seed, _, parts = (given or str(int.from_bytes(os.urandom(SEED_BYTES)))).partition("/")
        self.seed, self.fewest_parts = int(seed), int(parts or 0)
        self.profile = str(chosen("privacy_profile"))
        try:
            self.false_alarm = float(chosen("privacy_false_alarm"))
        except ValueError:
            self.false_alarm = 0.0
        passes = str(chosen("privacy_inconclusive"))
        self.inconclusive_ok = passes == "ok"
        for name, right, domain in (
            ("privacy_profile", self.profile in PROFILES, "one of " + ", ".join(PROFILES)),
            ("privacy_false_alarm", 0 < self.false_alarm < 1, "a number between 0 and 1"),
            ("privacy_inconclusive", passes in INCONCLUSIVE, "one of " + ", ".join(INCONCLUSIVE)),
        ):
            if not right:
                msg = f"{name} must be {domain}, got {name}={chosen(name)!r}"
                raise pytest.UsageError(msg)

    @functools.cached_property
    def spelled(self) -> list[str]:
        """Options that are not as they would be."""
        words = [] if self.profile == "default" else ["--privacy-profile", self.profile]
        if self.false_alarm != FALSE_ALARM:
            words += ["--privacy-false-alarm", repr(self.false_alarm)]
        return words

    def parts(self, items: list[pytest.Item]) -> int:
        """Into how many parts the rate is split: one for each test that draws, and each way."""
        if not hasattr(self, "_parts"):
            self._parts = max(1, self.fewest_parts, sum(map(_weight, items)))
        return self._parts


def _weight(item: pytest.Item) -> int:
    """How many parts of the rate a test has: a proof needs none, nor does an account."""
    marked = item.get_closest_marker(MARK) is not None and not _is_proof(item)
    return int(marked) + (FIXTURE in getattr(item, "fixturenames", ()))


def _is_proof(item: pytest.Item) -> bool:
    words, _ = _words(item)
    return words.get("mode") == "exact" or "account" in words


def _words(item: pytest.Item) -> tuple[dict[str, Any], str]:
    """Words of a test's marks, those of the test over those of its class; and what is wrong."""
    words: dict[str, Any] = {}
    said: dict[str, pytest.Item | Any] = {}
    wrong = ""
    for node, mark in item.iter_markers_with_node(MARK):
        claims = mark.args if len(mark.args) == 1 and hasattr(mark.args[0], "level") else ()
        if mark.args and not claims:
            wrong = (
                "the mark takes a claim, such as audit.pure(1, relation='swap'), and its words by "
                f"name, such as epsilon=1, got {mark.args[0]!r}"
            )
        for word, value in [*(("claim", claim) for claim in claims), *mark.kwargs.items()]:
            if said.get(word) is node:
                wrong = f"two marks of {node.name} say {word}; write a test for each claim"
            said.setdefault(word, node)
            words.setdefault(word, value)
    return words, wrong


def _seed(text: str) -> str:
    """Read N, or N/PARTS as failures print it."""
    seed, slash, parts = text.partition("/")
    if not (seed.isdecimal() and (parts.isdecimal() or not slash)):
        msg = f"--privacy-seed must be an integer, or N/PARTS as a failure prints it, got {text!r}"
        raise pytest.UsageError(msg)
    return text


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options, and settings of the same names."""
    group = parser.getgroup("privacy audits (Touchstone)")
    group.addoption(
        "--privacy-seed",
        type=_seed,
        metavar="N",
        help="Seed of the session's audits: repeats them  [fresh, printed].",
    )
    group.addoption(
        "--privacy-profile", choices=PROFILES, help="Draws and seconds of an audit  [default]."
    )
    group.addoption(
        "--privacy-false-alarm",
        type=float,
        metavar="RATE",
        help="Probability that a test fails although every claim holds  [0.001].",
    )
    group.addoption(
        "--privacy-inconclusive",
        choices=INCONCLUSIVE,
        help="Whether a test passes whose audit could not tell  [fail].",
    )
    number = "float" if pytest.version_tuple >= (8, 4) else "string"
    parser.addini("privacy_profile", "As --privacy-profile.", default="default")
    parser.addini(
        "privacy_false_alarm",
        "As --privacy-false-alarm.",
        type=number,  # type: ignore[arg-type]
        default=FALSE_ALARM,
    )
    parser.addini("privacy_inconclusive", "As --privacy-inconclusive.", default="fail")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and read what all audits share."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(epsilon=..., relation=..., ...), or with a claim: audit the mechanism that the "
        "test returns, or that target=... names (Touchstone).",
    )
    config.stash[SESSION] = Session(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give every worker of pytest-xdist the same seed."""
    node.workerinput["privacy_seed"] = str(node.config.stash[SESSION].seed)


def pytest_report_header() -> str:
    """Line for pytest's header."""
    try:
        return f"touchstone: {version('touchstone-dp')}"
    except PackageNotFoundError:
        return "touchstone: not installed"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """Let `os._exit` fail a test that audits, and its fixtures: the session would end green.

    What audits call works in a process of its own; this is for what the test itself calls.
    """
    if item.get_closest_marker(MARK) is None and not {FIXTURE, ACCOUNTS} & set(
        getattr(item, "fixturenames", ())
    ):
        yield
        return
    really_exit, owner = os._exit, os.getpid()

    def refuse(status: int) -> NoReturn:
        if os.getpid() != owner:  # a process that was started may end as it likes
            really_exit(status)
        pytest.fail(f"os._exit({status}) would end the session, and no test after it would run")

    os._exit = refuse
    yield
    os._exit = really_exit


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Audit what a marked test returns."""
    if item.get_closest_marker(MARK) is None:
        yield
        return
    checked = _checked(item)
    test = checked.obj
    checked.obj = _audited(item, test)
    yield
    checked.obj = test


def _checked(item: pytest.Item) -> pytest.Function:
    """A marked test whose function can return something, and whose marks agree."""
    import inspect
    import unittest

    if not isinstance(item, pytest.Function) or (
        item.cls is not None and issubclass(item.cls, unittest.TestCase)
    ):
        _no_audit(f"only a test function can return a mechanism, and {item.name} is none")
    if inspect.iscoroutinefunction(item.obj) or inspect.isasyncgenfunction(item.obj):
        _no_audit("an async test returns no mechanism; return it from a plain function")
    _, wrong = _words(item)
    if wrong:
        _no_audit(wrong)
    return item


def _audited(item: pytest.Item, test: Callable[..., Any]) -> Callable[..., None]:
    """A test function that audits what `test` returns."""

    @functools.wraps(test)
    def audited(*arguments: Any, **keywords: Any) -> None:
        returned = test(*arguments, **keywords)
        words, _ = _words(item)
        named = [word for word in NAMING if word in words]
        if returned is None and not named:
            _no_audit("the test must return a mechanism, or its mark name one (target='m.py:mean')")
        if returned is not None and named:
            what = "plan" if named[0] == "account" else named[0]
            _no_audit(f"the mark names a {what}, and the test returns a mechanism; give one")
        if "account" in words:
            _add_up(item, words.pop("account"), words)
        else:
            _audit(item, words.pop("target", returned), words, 0, 1.0)

    return audited


@pytest.fixture(name=FIXTURE)
def _privacy_audit(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Audit a mechanism: privacy_audit(mechanism, claim, ...) -> AuditResult.

    The words are those of the mark `privacy`. A refuted claim fails the test with its witness.
    """
    item = request.node
    done = 0

    def audit(mechanism: Any, claim: Any = None, /, **words: Any) -> Any:
        __tracebackhide__ = True
        nonlocal done
        if claim is not None:
            if "claim" in words:
                _no_audit(f"the claim is stated twice: {claim} and claim={words['claim']}")
            words["claim"] = claim
        if FIXTURE not in item.fixturenames:
            _no_audit(f"{FIXTURE} must be an argument of the test, so that its audits are counted")
        done += 1
        return _audit(item, mechanism, words, done, 1 / (done * (done + 1)))

    return audit


@pytest.fixture(name=ACCOUNTS)
def _privacy_account(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Add up a plan: privacy_account(plan, claim=..., relation=..., delta=...) -> AccountResult."""

    def add_up(plan: Any, /, **words: Any) -> Any:
        __tracebackhide__ = True
        return _add_up(request.node, plan, words)

    return add_up


def _add_up(item: pytest.Item, plan: Any, words: dict[str, Any]) -> Any:
    """Add up one plan of a test: it draws nothing, and takes no part of the rate."""
    __tracebackhide__ = True
    session, repeat = item.config.stash[SESSION], ["pytest", _name(item)]
    given = {"folder": item.config.rootpath, "inconclusive_ok": session.inconclusive_ok}
    told = _touchstone().account_in_test(plan, words, repeat=repeat, **given)
    return _told(item, told, session.parts(item.session.items))


def _audit(
    item: pytest.Item, mechanism: Any, words: dict[str, Any], number: int, of_part: float
) -> Any:
    """Run one audit of a test; `number` is 0 for the mark, and counts those of the fixture."""
    __tracebackhide__ = True
    import hashlib

    session = item.config.stash[SESSION]
    name, parts = _name(item), session.parts(item.session.items)
    digest = hashlib.sha256(f"{session.seed} {number} {name}".encode()).digest()
    repeat = ["pytest", name, "--privacy-seed", f"{session.seed}/{parts}", *session.spelled]
    told = _touchstone().audit_in_test(
        mechanism,
        words,
        place=name,
        folder=item.config.rootpath,
        seed=int.from_bytes(digest[:SEED_BYTES]),
        false_alarm=session.false_alarm / parts * of_part,
        profile=session.profile,
        repeat=repeat,
        inconclusive_ok=session.inconclusive_ok,
    )
    return _told(item, told, parts)


def _told(item: pytest.Item, told: Any, parts: int) -> Any:
    """Keep the row of an audit for the summary, and fail the test if it fails."""
    __tracebackhide__ = True
    if told.row:
        rows, before = item.stash.setdefault(ROWS, ([], 0))
        rows.append({"test": _name(item), "parts": parts, **told.row})
        item.stash[ROWS] = (rows, before + 1)
        suffix = f" {before + 1}" if before else ""
        properties = {key: value for key, value in told.row.items() if key != "limit"}
        item.user_properties += [(f"{key}{suffix}", value) for key, value in properties.items()]
    if told.failure is not None:
        item.stash[FAILURE] = told.failure.partition("\n")[0]
        pytest.fail(told.failure, pytrace=False)
    return told.result


def _no_audit(text: str) -> NoReturn:
    """Fail a test that asks for what cannot be."""
    pytest.fail(f"no audit: {text}", pytrace=False)


def _name(item: pytest.Item) -> str:
    """The id of a test, without the group that pytest-xdist may add to it."""
    marks = item.iter_markers("xdist_group")
    groups = {str(mark.args[0] if mark.args else mark.kwargs.get("name")) for mark in marks}
    return item.nodeid.removesuffix(f"@{'_'.join(sorted(groups))}") if groups else item.nodeid


ADVICE = """
Or keep the package off sys.path here: `pytest` and not `python -m pytest`, no `pythonpath`, \
--import-mode=importlib."""


def _touchstone() -> Any:
    """Import what runs an audit, if the names of the packages stand for ours."""
    __tracebackhide__ = True
    import touchstone_dp

    try:
        touchstone_dp.check_packages()
    except ImportError as exc:
        _no_audit(f"{exc}{ADVICE}")
    import audit.testing

    return audit.testing


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Send what the audits found with the report, also from a worker of pytest-xdist.

    What pytest says of a failure in one line (all of it under CI) has the first line alone.
    """
    outcome = yield
    rows, count = item.stash.get(ROWS, ([], 0))
    if rows:
        outcome.get_result().privacy_audits = rows
        item.stash[ROWS] = ([], count)
    crash = getattr(outcome.get_result().longrepr, "reprcrash", None)
    first = item.stash.get(FAILURE, None)
    if crash is not None and first is not None and crash.message.startswith(f"Failed: {first}"):
        crash.message = f"Failed: {first}"


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Write a line for each audit, and what repeats them."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    rows = [row for report in reports for row in getattr(report, "privacy_audits", ())]
    if not rows:
        return
    rows.sort(key=lambda row: str(row["test"]))
    table = [HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    terminalreporter.section("privacy audits")
    for line in table:
        padded = (f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True))
        terminalreporter.write_line("  ".join(padded).rstrip())
    session, parts = config.stash[SESSION], max(row["parts"] for row in rows)
    terminalreporter.write_line(
        "seen from: the loss from which on an event of probability 0.1 would have been found\n"
        f"false-alarm rate {session.false_alarm:.3g} for the session, "
        f"in {parts} part{'s' if parts > 1 else ''}; "
        f"--privacy-seed {session.seed}/{parts} repeats the audits"
    )


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    """A line of the summary's table."""
    numbers = (f"{row[key]:.3g}" if key in row else "" for key in ("detectable", "false_alarm"))
    numbers = ("never" if number == "inf" else number for number in numbers)
    return (row["verdict"], row["test"], row["claim"], row.get("limit", ""), *numbers)
