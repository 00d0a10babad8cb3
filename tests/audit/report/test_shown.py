"""Pages as people see and use them: contrast of the colors, and all else in headless Chromium."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from audit.cli import main
from audit.report.rendering import audit_report, gate_report
from tests.audit.report.runs import RESULTS, broken_run, good_run, hostile_run, outcome_of
from tests.audit.results import REFUTED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = (400, 1400)
ENOUGH = 4.5
"""Contrast that WCAG 2.1, 1.4.3 asks for text."""
WRITTEN = ("ink", "soft", "blue", "good", "bad", "open", "focus")
CONFIGURATION = """
[[audit]]
target = "ksw.swap-laplace"
ideal = true
[[audit]]
target = "ksw.swap-laplace"
epsilon = "1/10"
expect = "refuted"
[[audit]]
target = "ksw.shifted-laplace"
mode = "exact"
[[audit]]
target = "ksw.swap-laplace"
epsilon = "1/2"
"""


def luminance(color: str) -> float:
    """Relative luminance of "#rrggbb", by WCAG 2.1."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_color_can_be_read() -> None:
    """It must hold that text has enough contrast on page and card, light, dark and on paper."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") < ENOUGH < contrast("#767676", "#ffffff")
    style = (files("audit.report.html") / "page.css").read_text(encoding="utf-8")
    schemes = [dict(re.findall(r"--(\w+): (#\w+);", block)) for block in style.split(":root {")[1:]]
    assert len(schemes) == 3
    for scheme in schemes:
        colors = schemes[0] | scheme
        ground = [colors["paper"], colors["card"]]
        low = {w for w in WRITTEN for g in ground if contrast(colors[w], g) < ENOUGH}
        assert low == set()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program is not None, "no chromium: `apt-get install chromium`"
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program)
        yield opened
        opened.close()


Show = Callable[..., "Page"]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Open a page; at the end nothing may have been said on the console, nor loaded."""
    faults: list[str] = []
    contexts = []

    def open_page(text: str, width: int = 1400, scheme: str = "light", hash_: str = "") -> Page:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri() + hash_)
        assert [url.partition("#")[0] for url in asked if url != "data:,"] == [file.as_uri()]
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def check_fits(page: Page, width: int) -> None:
    """Nothing is wider than the window but what scrolls by itself."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        """width => [...document.querySelectorAll("main *")]
        .filter(e => !e.closest(".scroll, pre, svg") && e.getBoundingClientRect().right > width + 1)
        .map(e => e.tagName)""",
        width,
    )
    assert wide == []


PAGES: dict[str, Callable[[], str]] = {
    "broken gate": lambda: gate_report("html", broken_run()),
    "good gate": lambda: gate_report("html", good_run()),
    "hostile gate": lambda: gate_report("html", hostile_run()),
    **{
        name: partial(audit_report, "html", outcome_of(name, RESULTS[name]))
        for name in (
            "refuted",
            "by law",
            "pure",
            "failed",
            "proved",
            "proved by user",
            "disproved for a user",
        )
    },
}
"""The run has every result; pages of one audit have other headings."""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_every_page_fits_and_is_silent(show: Show, width: int, scheme: str) -> None:
    """It must hold that pages render at phone and desktop width, and the console stays empty."""
    for made in PAGES.values():
        page = show(made(), width, scheme)
        assert page.locator("h1").is_visible()
        check_fits(page, width)
        for details in page.locator("summary").all()[-3:]:
            details.click()
        check_fits(page, width)
        drawn = page.locator("svg[role=img]:visible").all()
        assert all((box := svg.bounding_box()) and box["height"] > 50 for svg in drawn)
        page.close()


@pytest.mark.browser
def test_what_is_too_wide_is_seen(show: Show) -> None:
    """It must hold that the check above fails for a word or an element that sticks out."""
    page = show(audit_report("html", outcome_of("x", REFUTED)), 400)
    check_fits(page, 400)
    for style in ("width: 500px", "position: absolute; left: 390px; width: 50px"):
        grow = "style => { document.querySelector('h1').style.cssText = style; }"
        page.evaluate(grow, style)
        with pytest.raises(AssertionError):
            check_fits(page, 400)


@pytest.mark.browser
def test_a_real_gate_opens(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that what the command writes of a run with a failure shows at both widths."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "touchstone.toml").write_text(CONFIGURATION)
    words = "gate --seed 1 --budget-samples 100000 --budget-seconds 60 --report html=gate.html"
    assert main([*words.split(), "--report", "json=gate.json"]) == 1
    assert json.loads((tmp_path / "gate.json").read_text())["exit_status"] == 1
    for width in WIDTHS:
        page = show((tmp_path / "gate.html").read_text(encoding="utf-8"), width)
        check_fits(page, width)
        assert page.locator("h1 .badge").inner_text() == "FAILED"
        assert page.locator("header p .badge").all_inner_texts() == ["1 FAIL", "1 OPEN", "2 ok"]
        rows = page.locator("table.wide tbody tr")
        assert rows.count() == 4
        assert rows.first.inner_text().startswith("FAIL")
        assert page.locator("details[open] h4", has_text="Witness").is_visible()


@pytest.mark.browser
def test_the_witness_can_be_copied(show: Show) -> None:
    """It must hold that the button puts exactly the script on the clipboard, and says so."""
    page = show(audit_report("html", outcome_of("x", REFUTED)), 400)
    page.get_by_role("button", name="Copy script").click()
    page.locator("#audit-script-told", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "print('a script')\n"


@pytest.mark.browser
def test_a_refused_copy_is_marked(show: Show) -> None:
    """It must hold that without a clipboard the text is marked, to be copied by hand."""
    page = show(audit_report("html", outcome_of("x", REFUTED)))
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.get_by_role("button", name="Copy script").click()
    page.locator("#audit-script-told", has_text="Ctrl-C").wait_for()
    assert page.evaluate("getSelection().toString()").strip() == "print('a script')"


@pytest.mark.browser
def test_all_is_reached_by_keyboard(show: Show) -> None:
    """It must hold that Tab reaches each link, button, fold and scroller, visibly, in order."""
    page = show(gate_report("html", broken_run()))
    wanted = page.evaluate(
        """() => [...document.querySelectorAll("a, button, summary, [tabindex='0']")]
        .filter(e => e.checkVisibility()).length"""
    )
    places, seen = [], 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the report"
    while page.evaluate("document.activeElement !== document.body"):
        seen += 1
        style = page.evaluate(
            """() => { const s = getComputedStyle(document.activeElement);
            return [s.outlineStyle, parseFloat(s.outlineWidth)]; }"""
        )
        assert style == ["solid", 3]
        box = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
        assert box["width"] > 0
        assert -1 <= box["top"] < 900
        places.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        page.keyboard.press("Tab")
    assert seen == wanted > 50
    assert places[0] == "A"


@pytest.mark.browser
def test_keys_fold_and_copy(show: Show) -> None:
    """It must hold that Enter unfolds an audit and that Space on its button copies."""
    page = show(gate_report("html", good_run()), 400)
    details = page.locator("details").first
    assert details.get_attribute("open") is None
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    assert details.get_attribute("open") is not None
    page.get_by_role("button", name="Copy command").first.focus()
    page.keyboard.press("Space")
    page.locator(".told", has_text="copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("touchstone audit ksw.shifted-laplace")


@pytest.mark.browser
def test_a_link_unfolds_its_audit(show: Show) -> None:
    """It must hold that a row leads to its details, each time, from the page and from outside."""
    text = gate_report("html", good_run())
    page = show(text)
    last = page.locator("details").last
    for _ in range(2):
        page.locator("tbody a").last.click()
        assert last.get_attribute("open") is not None
        last.locator("summary").click()
        assert last.get_attribute("open") is None
    page = show(text, hash_="#case-2")
    assert page.locator("#case-2").get_attribute("open") is not None
    assert page.locator("#case-1").get_attribute("open") is None


@pytest.mark.browser
def test_paper_shows_everything(show: Show) -> None:
    """It must hold that folds are open while it is printed, and folded again afterwards."""
    page = show(gate_report("html", good_run()))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert page.get_by_role("button").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


@pytest.mark.browser
def test_no_other_script_runs(show: Show, browser: Browser) -> None:
    """It must hold that the policy stops a script and a picture that got into a page."""
    text = audit_report("html", outcome_of("x", REFUTED))
    added = "<script>window.ran = 1</script><img src='http://127.0.0.1:9/x.png'></main>"
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.set_content(text.replace("</main>", added))
    assert page.evaluate("window.ran") is None
    assert len([words for words in said if "Content Security Policy" in words]) == 2
    context.close()
