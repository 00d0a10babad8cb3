"""Every block of code of the README and the pages is run by a test: none is left out in silence."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```([^`\n]*)\n.*?^```$", re.MULTILINE | re.DOTALL)
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "REPRODUCING.md",
    "docs/**/*.md",
    "benchmarks/*.md",
    "examples/*.md",
)

PYTHON = "tests/docs/test_pages_run.py"
README, TARGETS = "tests/test_readme.py", "tests/audit/test_targets_page.py"
GATE, ERRORS = "tests/ci/test_page.py", "tests/audit/utility/test_page.py"
CLUSTERS = "tests/cli/test_clusters.py"
PERSONALIZED = "tests/audit/test_personalized_page.py"
FOLLOWED = "tests/docs/test_pages.py"
RUN_BY = {
    ("README.md", "python"): (1, README),
    ("README.md", "console"): (2, README),
    ("README.md", "toml"): (1, README),
    ("docs/explanation/exact-audits.md", "console"): (3, FOLLOWED),
    ("docs/explanation/floating-point.md", "console"): (2, FOLLOWED),
    ("docs/reference/configuration.md", "console"): (1, FOLLOWED),
    ("docs/reference/configuration.md", "toml"): (1, FOLLOWED),
    ("docs/how-to/ci.md", "console"): (5, GATE),
    ("docs/how-to/ci.md", "py"): (2, GATE),
    ("docs/how-to/ci.md", "yaml"): (1, GATE),
    ("docs/how-to/claims.md", "console"): (2, README),
    ("docs/how-to/clusters.md", "console"): (1, CLUSTERS),
    ("docs/how-to/evidence.md", "console"): (3, FOLLOWED),
    ("docs/how-to/evidence.md", "toml"): (1, FOLLOWED),
    ("docs/tutorial/first-audit.md", "console"): (5, FOLLOWED),
    ("docs/tutorial/first-audit.md", "python"): (2, FOLLOWED),
    ("docs/tutorial/first-audit.md", "toml"): (1, FOLLOWED),
    ("docs/tutorial/maintainer.md", "console"): (6, FOLLOWED),
    ("docs/tutorial/maintainer.md", "python"): (1, FOLLOWED),
    ("docs/how-to/personalized.md", "console"): (4, PERSONALIZED),
    ("docs/how-to/personalized.md", "python"): (2, PYTHON),
    ("docs/how-to/proofs.md", "console"): (6, README),
    ("docs/how-to/proofs.md", "python"): (1, PYTHON),
    ("docs/how-to/names.md", "python"): (1, PYTHON),
    ("docs/how-to/pytest.md", "python"): (3, PYTHON),
    ("docs/how-to/python.md", "python"): (3, PYTHON),
    ("docs/how-to/reports.md", "py"): (1, README),
    ("docs/how-to/accounting.md", "console"): (3, "tests/audit/accounting/test_page.py"),
    ("docs/how-to/accounting.md", "python"): (2, PYTHON),
    ("docs/how-to/accounting.md", "toml"): (1, "tests/audit/accounting/test_page.py"),
    ("docs/how-to/sensitivity.md", "console"): (2, "tests/audit/stability/test_page.py"),
    ("docs/how-to/sensitivity.md", "python"): (1, PYTHON),
    ("docs/how-to/tables.md", "console"): (2, "tests/audit/tables/test_page.py"),
    ("docs/how-to/tables.md", "python"): (2, PYTHON),
    ("docs/how-to/tables.md", "text"): (1, "tests/audit/tables/test_dataframes.py"),
    ("docs/how-to/survey.md", "console"): (2, "tests/audit/surveys/test_page.py"),
    ("docs/how-to/survey.md", "python"): (1, PYTHON),
    ("docs/how-to/survey.md", "toml"): (1, "tests/audit/surveys/test_page.py"),
    ("docs/how-to/targets.md", "console"): (5, TARGETS),
    ("docs/how-to/targets.md", "python"): (1, PYTHON),
    ("docs/how-to/targets.md", "toml"): (1, TARGETS),
    ("docs/how-to/tracing.md", "python"): (1, PYTHON),
    ("docs/how-to/utility.md", "console"): (3, ERRORS),
    ("docs/how-to/utility.md", "python"): (1, PYTHON),
    ("docs/how-to/utility.md", "toml"): (1, ERRORS),
}
"""How many blocks of a language a page has, and the test that runs them."""

NOT_RUN = {
    ("README.md", "sh"): (1, "installs from the network; CI does the same in fresh environments"),
    ("REPRODUCING.md", "sh"): (1, "installs from the network, at the locked versions"),
    ("CONTRIBUTING.md", "sh"): (1, "the stages of CI themselves"),
    ("docs/explanation/trusted-base.md", "sh"): (1, "stages of CI: a second solver, and Coq"),
    ("docs/how-to/clusters.md", "sh"): (1, "a scheduler and workers on several machines"),
    ("docs/how-to/pytest.md", "text"): (1, "a line of a report of pytest, with its seed"),
}
"""What no test runs, and why."""


def blocks() -> Counter[tuple[str, str]]:
    """Fenced blocks, by page and language."""
    pages = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    return Counter(
        (str(path.relative_to(ROOT)), language)
        for path in pages
        for language in FENCE.findall(path.read_text(encoding="utf-8"))
        if not language.startswith("{")  # what the site makes of it, such as a table of contents
    )


def test_every_block_is_run_or_excused() -> None:
    """It must hold that a new block, or a block in a new language, has a test that runs it."""
    assert blocks() == {key: count for key, (count, _) in (RUN_BY | NOT_RUN).items()}


def test_the_tests_that_run_them_name_their_page() -> None:
    """It must hold that each test is there and reads its page, by name or with its folder."""
    for page, language in RUN_BY:
        text = (ROOT / RUN_BY[page, language][1]).read_text(encoding="utf-8")
        name = Path(page).stem
        assert name in text or '.glob("*.md")' in text, (page, language)
        assert f'"{language}"' in text or f"```{language}" in text, (page, language)
