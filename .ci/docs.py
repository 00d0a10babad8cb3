"""Build the site in an empty folder, without network, and look at what came out: `docs.py FOLDER`.

No warning is let through, every public name has a page, and no page of the site loads anything from
elsewhere. Links to other sites are not followed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOADS = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\ssrc=\"(https?:[^\"]+)\""
    r"|<link[^>]*rel=\"(?:stylesheet|preload|icon)\"[^>]*href=\"(https?:[^\"]+)\""
)


def build(target: Path) -> None:
    """Build, warnings as errors; where it is allowed in a process that cannot open a connection."""
    words = [sys.executable, "-m", "sphinx", "-n", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    command = [*words, str(ROOT / "docs"), str(target)]
    without = ["unshare", "--map-root-user", "--net", *command]
    alone = subprocess.run([*without[:3], "true"], capture_output=True, check=False)
    subprocess.run(without if alone.returncode == 0 else command, check=True)
    if alone.returncode:
        sys.stdout.write("unshare is not allowed here: the build could have used the network\n")


def loaded_from_elsewhere(target: Path) -> list[str]:
    """Scripts, styles and pictures of other sites, by page."""
    return [
        f"{page.relative_to(target)}: {next(filter(None, found))}"
        for page in sorted(target.rglob("*.html"))
        for found in LOADS.findall(page.read_text(encoding="utf-8"))
    ]


def public_names() -> list[str]:
    """Classes and functions that are public, with their modules."""
    sys.path.insert(0, str(ROOT))
    from tests.docs.reference import paged

    return [f"{module}.{name}" for module, names in paged().items() for name in names]


def without_page(target: Path) -> list[str]:
    """Public names that have no page."""
    folder = target / "reference" / "generated"
    return [name for name in public_names() if not (folder / f"{name}.html").is_file()]


def main(target: Path) -> int:
    """Build and check."""
    build(target)
    missing, names = without_page(target), len(public_names())
    wrong = [*loaded_from_elsewhere(target), *missing]
    pages = len(list(target.rglob("*.html")))
    sys.stdout.write(f"{pages} pages; {names - len(missing)} of {names} public names have one\n")
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
