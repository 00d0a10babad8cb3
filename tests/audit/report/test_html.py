"""HTML pages: well-formed, self-contained, escaped, and they say what they should."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from audit.accounting.account_result import AccountResult
from audit.documents.legend import LEGEND
from audit.documents.phrases import sentence
from audit.report.html.elements import el, joined, raw
from audit.report.html.pages import MOST_OPEN
from audit.report.rendering import audit_report, gate_report
from audit.results.verdict import Limits
from audit.stability.sensitivity_result import SensitivityResult
from audit.suite.exit_status import Exit
from audit.suite.gate_outcome import GateResult
from audit.utility.error_result import METHODS, UtilityResult
from proofs_check.claim import Status
from tests.audit.report.runs import (
    BOUNDS,
    HOSTILE,
    RESULTS,
    broken_run,
    good_run,
    hostile_run,
    outcome_of,
    proof_of,
    run_of,
    statuses,
)
from tests.audit.results import CONSISTENT, POWER, REFUTED

VOID = frozenset({"meta", "link"})


@dataclass
class Page(HTMLParser):
    """What a parser makes of a page; every element must be closed in order."""

    stack: list[str] = field(default_factory=list)
    tags: Counter[str] = field(default_factory=Counter)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element; no attribute comes twice."""
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        assert len({name for name, _ in attrs}) == len(attrs)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last open element, which must be this."""
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note words and where they stand."""
        self.words.append((self.stack[-1] if self.stack else "", data))

    def values(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, own, value in self.attributes if own == name]

    @property
    def text(self) -> str:
        """What a reader sees, in one line."""
        hidden = ("style", "script", "title", "desc")
        said = " ".join(words for tag, words in self.words if tag not in hidden)
        return " ".join(said.split())


def read(text: str) -> Page:
    """Parse a page, and check what every page must be."""
    text.encode()
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    page = Page()
    page.feed(text)
    page.close()
    assert page.stack == []
    assert page.tags["h1"] == page.tags["main"] == page.tags["script"] == page.tags["style"] == 1
    ids = page.values("id")
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    told = " ".join(page.values("aria-labelledby") + page.values("data-copies"))
    wanted = {*told.split(), *page.values("data-tells")}
    wanted |= {link.removeprefix("#") for link in page.values("href") if link.startswith("#")}
    assert wanted <= set(ids)
    check_levels([int(tag[1]) for tag in re.findall(r"<(h[1-6])[ >]", text)])
    check_alone(page)
    return page


def check_levels(levels: list[int]) -> None:
    """No heading skips a level on the way down."""
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def check_alone(page: Page) -> None:
    """Nothing is loaded, and no element does what a script would."""
    assert page.tags.keys() & {"img", "iframe", "object", "embed", "form", "base", "video"} == set()
    assert set(page.values("src")) == set()
    links = page.values("href")
    assert [link for link in links if not link.startswith("#") and link != "data:,"] == []
    assert [
        name for _, name, _ in page.attributes if name.startswith("on") or name == "style"
    ] == []
    whole = " ".join(words for tag, words in page.words if tag in ("style", "script"))
    assert not re.search(r"https?:|//[a-z]|@import|url\(", whole.replace("// ", ""))


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_page(name: str) -> None:
    """It must hold that the page of each verdict and level is sound and has all parts."""
    result = RESULTS[name]
    page = read(audit_report("html", outcome_of(name, result)))
    first = page.text.index(result.verdict.value)
    for part in ("Evidence", "What was tested", "What could not have been seen", "versions"):
        assert page.text.index(part) > first, part
    kinds: tuple[str, ...] = ("Samples (black box)", "Exact", "Proved")
    if isinstance(result, UtilityResult):
        kinds = ("estimate", "limits", "claimed") if result.cases[0].estimates else ("Nothing",)
    if isinstance(result, SensitivityResult):
        kinds = ("largest", "claimed") if result.largest else ("Nothing",)
    if isinstance(result, AccountResult):
        kinds = ("Both ends are theorems",)
    for evidence in kinds:
        assert evidence in page.text
    assert str(result.claim) in page.text
    witness = getattr(result, "witness", None)
    assert ("The witness as a script" in page.text) == (getattr(witness, "rerun", "") != "")
    assert all(term in page.text and words in page.text for term, words in LEGEND)


def opened(page: Page) -> int:
    """How many details are unfolded."""
    return sum(name == "open" for _, name, _ in page.attributes)


def test_what_is_not_as_expected_is_unfolded() -> None:
    """It must hold that the details of failures are open at first, and no others."""
    outcomes = [outcome_of("sound", CONSISTENT), outcome_of("x", REFUTED), outcome_of("y", REFUTED)]
    text = gate_report("html", run_of(*outcomes))
    assert opened(read(text)) == 2
    assert not re.search(r'id="case-1" open', text)


@pytest.mark.long
def test_a_gate_page_has_all() -> None:
    """It must hold that each case is a row, failures first, and can be unfolded."""
    run = broken_run()
    page = read(gate_report("html", run))
    cases = len(statuses(run))
    assert page.tags["details"] == cases
    assert opened(page) == MOST_OPEN < sum(status != 0 for status in statuses(run))
    links = [link for link in page.values("href") if link.startswith("#case-")]
    assert len(links) == len(set(links)) == cases
    head, _, rest = page.text.partition(" Summary ")
    assert head.startswith("To the report INTERNAL ERROR touchstone.toml")
    assert "2 slow audits left out" in head
    marks = re.findall(r"\b(ERROR|FAIL|OPEN|ok)\b", rest.partition("Details")[0])
    order = [mark for mark in marks if mark != "ERROR"]
    assert order == sorted(order, key=("FAIL", "OPEN", "ok").index)
    counts = Counter({0: "ok", 1: "FAIL", 3: "OPEN", 4: "ERROR"}[s] for s in statuses(run))
    assert set(counts) == {"ERROR", "FAIL", "OPEN", "ok"}
    assert all(f" {count} {mark} " in head for mark, count in counts.items())


@pytest.mark.parametrize(
    ("run", "word"),
    [
        (good_run(), "PASSED"),
        (run_of(outcome_of("x", REFUTED)), "FAILED"),
        (run_of(outcome_of("x", RESULTS["coarse"])), "INCONCLUSIVE"),
        (replace(good_run(), status=Exit.INTERRUPTED, interrupted=True), "INTERRUPTED"),
        (run_of(), "PASSED"),
    ],
)
def test_the_verdict_of_a_run_comes_first(run: GateResult, word: str) -> None:
    """It must hold that the first words say how the run ended."""
    page = read(gate_report("html", run))
    assert page.text.startswith(f"To the report {word} touchstone.toml")


def test_hostile_words_are_text() -> None:
    """It must hold that no word of a user's becomes markup, on pages of both kinds."""
    run = hostile_run()
    pages = [gate_report("html", run)]
    pages += [audit_report("html", o) for o in run.outcomes if o.result is not None]
    for text in pages:
        page = read(text)
        assert "<script>alert('x')</script> & \"q\"" in page.text
        assert "\x1b" not in text
        assert r"\x1b[31m" in text


def test_the_policy_allows_our_script_only() -> None:
    """It must hold that the policy names the digests of what stands in the page, and no network."""
    text = audit_report("html", outcome_of("x", REFUTED))
    page = Page()
    page.feed(text)
    (policy,) = [v for v in page.values("content") if "default-src" in v]
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        held = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(held.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_witness_can_be_copied() -> None:
    """It must hold that button, text and answer are tied together by their identifiers."""
    text = audit_report("html", outcome_of("x", REFUTED))
    assert '<code id="audit-script">print(&#x27;a script&#x27;)\n</code>' in text
    page = read(text)
    assert ("button", "data-copies", "audit-script") in page.attributes
    assert ("button", "data-tells", "audit-script-told") in page.attributes
    assert page.values("role").count("status") == page.tags["button"] == 2


def test_what_would_have_been_seen_is_said() -> None:
    """It must hold that a pass shows its power as words, table and picture, and its notes."""
    result = replace(CONSISTENT, notes=("floating point was left out",))
    page = read(audit_report("html", outcome_of("x", result)))
    part = page.text.partition("What could not have been seen")[2]
    for words in ("On the 60 pairs tried", "12,345 draws", "0.0001", "inf", "may be at most 1.5"):
        assert words in part
    assert "Floating point was left out." in part
    described = [words for tag, words in page.words if tag == "desc"]
    assert any(words.startswith("event of 0.5: epsilon 1.05; event of") for words in described)


def test_the_three_kinds_of_evidence_stand_side_by_side() -> None:
    """It must hold that samples, exact loss and proved bound are on one scale."""
    page = read(audit_report("html", outcome_of("x", replace(CONSISTENT, exact=BOUNDS))))
    (words,) = [said for tag, said in page.words if tag == "desc" and said.startswith("claimed")]
    assert words == (
        "claimed 1; samples: epsilon > 0.9; would have been seen from 1.2 on (event of 0.1); "
        "exactly reached: 1; proved: at most 1"
    )
    assert "A pair of neighbors loses 1 exactly." in page.text
    assert "touchstone prove KSW-L2" in page.text


def test_a_personalized_proof_says_what_each_user_loses() -> None:
    """It must hold that a proof by user is told by user, and never as an infinite loss."""
    page = read(audit_report("html", outcome_of("x", RESULTS["proved by user"])))
    assert "At worst lose user 1 1/20 exactly of 1/10; user 3 1/4 exactly of 1." in page.text
    assert "loss of user 1, at worst 1/20 exactly of 1/10 of user 3" in page.text
    assert "infinite" not in page.text
    assert "user 1, budget 1/10: 0.5" in page.text


def test_an_infinite_loss_is_told() -> None:
    """It must hold that an approximate claim may hold although the largest loss is infinite."""
    page = read(audit_report("html", outcome_of("x", RESULTS["proved with delta"])))
    assert "The largest privacy loss is infinite" in page.text


def test_the_event_of_an_exact_witness_is_drawn() -> None:
    """It must hold that its probabilities stand beside what the claim of its user allows."""
    page = read(audit_report("html", outcome_of("x", RESULTS["disproved for a user"])))
    for words in (
        "is false for user 2, whose budget is 1/2",
        "on the neighbor: 0.5",
        "on the data: 0.25",
        "the claim allows at most 0.412 on the neighbor.",
    ):
        assert words in page.text, words


def test_an_erratum_is_refuted_as_registered() -> None:
    """It must hold that REFUTED says why it passes: a control, or what the ledger has."""
    statuses_of_claims = ((Status.REFUTED, Status.REFUTED), (Status.PROVED, Status.PROVED))
    proofs = tuple(proof_of(f"P{i}", both) for i, both in enumerate(statuses_of_claims))
    run = run_of(outcome_of("twin", REFUTED, "refuted"), proofs=proofs)
    rows = read(gate_report("html", run)).text.partition("Details")[0]
    for words in ("twin REFUTED as expected", "P0 REFUTED as registered", "P1 PROVED"):
        assert words in rows
    assert rows.count("as registered") == 1


def test_errors_stand_beside_their_claims() -> None:
    """It must hold that an estimate has its limits, claim and fault, and that methods are told."""
    page = read(audit_report("html", outcome_of("x", RESULTS["useless"])))
    for words in (
        "10 records at low MSE 0.31 0.28 to inf MSE = 0.25 REFUTED",
        "10 records at low the estimates inf 0.02 REFUTED",
        "MSE is 0.31, not 1/4",
        sentence(METHODS["Student's t"]),
    ):
        assert words in page.text, words
    page = read(audit_report("html", outcome_of("x", RESULTS["useful"])))
    for words in (
        "unbiased",
        "a bias of 0.02",
        "MSE of 1.2 times the claimed",
        "distance 0.04",
    ):
        assert words in page.text, words
    assert page.text.partition("What the words mean")[0].count("REFUTED") == 0


def test_every_result_can_be_unfolded_on_one_page() -> None:
    """It must hold that identifiers differ although a run has the same audit many times."""
    page = read(gate_report("html", run_of(*[outcome_of("x", REFUTED)] * 3)))
    assert page.tags["details"] == 3
    assert "x [3]" in page.text


def test_a_certificate_is_named() -> None:
    """It must hold that the page of a proof says how to recheck it."""
    text = audit_report("html", outcome_of("p", RESULTS["proved"]), "my proof.json")
    assert "touchstone verify 'my proof.json' rechecks it" in read(text).text


def test_infinite_and_zero_limits_can_be_drawn() -> None:
    """It must hold that a picture has finite places whatever the numbers are."""
    never = replace(POWER, epsilons=(float("inf"),) * 5)
    for changes in (
        {"limits": Limits.of(epsilon=float("inf"), delta=0.0)},
        {"limits": Limits.of(epsilon=0.0, delta=0.0)},
        {"detectable": never},
        {"profile": ((0.0, 0.0), (1.0, 0.0))},
        {"profile": ((0.5, 1.0),)},
    ):
        text = audit_report("html", outcome_of("x", replace(CONSISTENT, **changes)))
        read(text)
        drawn = re.findall(r' (?:x|y|x1|y1|cx|cy|width|height|points)="([^"]*)"', text)
        assert drawn
        assert all(re.fullmatch(r"[-0-9., ]*", place) for place in drawn if "width" not in place)


def test_elements_escape_what_is_no_markup() -> None:
    """It must hold that text and values are escaped once, markup never, and None is nothing."""
    made = el("p", "a < b", el("b", "&"), None, class_='x"y', data_of=True, gone=None, no=False)
    assert made == '<p class="x&quot;y" data-of>a &lt; b<b>&amp;</b></p>'
    assert joined("<", raw("<"), None) == "&lt;<"
    assert el("meta", name="x", content=HOSTILE).count("<") == 1
    assert el("rect", width=1.23456, height=12) == '<rect width="1.23" height="12"></rect>'
