"""Touchstone under a name that no other project has: `import touchstone_dp as ts`.

The packages are called `audit`, `mechanisms` and `proofs_check`, and a folder of yours may be
called so too. Before the first attribute is read this module looks whether each of the names stands
for the package beside it; if not, ShadowedPackage says where the other one is. `python -m
touchstone_dp` is the command.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from audit import *  # noqa: F403

PACKAGES = ("audit", "mechanisms", "proofs_check")
"""Names that must stand for the packages beside this file."""

HERE = Path(__file__).resolve().parent

CLASH = (
    "the name {package!r} stands for {place} here, not for Touchstone's package in {ours}: run "
    "from another folder, rename yours, or use the command `touchstone`"
)


def check_packages() -> None:
    """Find out where our packages' names lead, without running what is there.

    Raises
    ------
    ImportError
        If one leads elsewhere: a ShadowedPackage, as far as that can be imported.
    """
    for package in PACKAGES:
        place = _place(package)
        if place is None or place.resolve() != HERE / package / "__init__.py":
            raise _error(CLASH.format(package=package, place=place or "no module", ours=HERE))


def _place(package: str) -> Path | None:
    """File of what a name stands for; None where it stands for no file."""
    import importlib.util

    loaded = sys.modules.get(package)
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
    else:
        try:
            spec = importlib.util.find_spec(package)
        except ValueError:  # a module that was made by hand
            spec = None
        file = None if spec is None else spec.origin
    return None if file is None else Path(file)


def _error(message: str) -> ImportError:
    """A ShadowedPackage of ours, even where the name of its package stands for another one."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(
        "_touchstone_errors", HERE / "mechanisms" / "errors.py"
    )
    found = sys.modules.get("mechanisms.errors")
    if getattr(found, "__file__", None) != str(HERE / "mechanisms" / "errors.py"):
        assert spec is not None
        assert spec.loader is not None
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    error: ImportError = found.ShadowedPackage(message)  # type: ignore[union-attr]
    return error


if not TYPE_CHECKING:  # else every misspelt attribute would have a type

    def __getattr__(name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        check_packages()
        import audit

        return getattr(audit, name)

    def __dir__() -> list[str]:
        check_packages()
        import audit

        return sorted({*globals(), *dir(audit)})


def _command() -> int:
    """Run the command; a name that stands for something else is a wrong use of it."""
    try:
        check_packages()
    except ImportError as exc:
        sys.stderr.write(f"touchstone: {exc}\n")
        return 2
    from audit.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(_command())
