"""Steps of an argument: how the checks of a claim add up to its statement, one after the other.

A step says on what it stands: on a check of its claim, on another claim, on a definition, on other
work, or on nothing but prose. So what is left to the reader can be counted, and shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never, final

from mechanisms.errors import InvalidArgument

__all__ = [
    "MOST_WORDS",
    "ByCheck",
    "ByClaim",
    "ByDefinition",
    "ByHand",
    "Cited",
    "Step",
    "stands_on",
]

MOST_WORDS = 120
"""Words of a step: what is longer can be split, and then each part stands on something."""


@final
@dataclass(frozen=True, slots=True)
class ByCheck:
    """A step that a check of the same claim decides.

    Parameters
    ----------
    check : str
        Name of the check.
    says : str
        The step in words; those of the check if empty.
    """

    check: str
    says: str = ""

    def __post_init__(self) -> None:
        _check_filled("ByCheck", check=self.check)


@final
@dataclass(frozen=True, slots=True)
class ByClaim:
    """A step that another claim of the ledger is.

    Parameters
    ----------
    claim : str
        Its id; of a claim that has a level of evidence, not of a definition.
    says : str
        The step in words.
    """

    claim: str
    says: str

    def __post_init__(self) -> None:
        _check_filled("ByClaim", claim=self.claim, says=self.says)


@final
@dataclass(frozen=True, slots=True)
class ByDefinition:
    """A step that only unfolds a definition.

    Parameters
    ----------
    unfolds : str
        Id of the definition.
    says : str
        What is unfolded.
    """

    unfolds: str
    says: str

    def __post_init__(self) -> None:
        _check_filled("ByDefinition", unfolds=self.unfolds, says=self.says)


@final
@dataclass(frozen=True, slots=True)
class Cited:
    """A step that is taken from other work, and not proved here.

    Parameters
    ----------
    work : str
        Authors, year, title.
    item : str
        Which theorem of it.
    says : str
        The step in words.
    """

    work: str
    item: str
    says: str

    def __post_init__(self) -> None:
        _check_filled("Cited", work=self.work, item=self.item, says=self.says)


@final
@dataclass(frozen=True, slots=True)
class ByHand:
    """A step that only prose carries.

    Parameters
    ----------
    proof : str
        At least one sentence.
    """

    proof: str

    def __post_init__(self) -> None:
        _check_filled("ByHand", proof=self.proof)

    @property
    def says(self) -> str:
        """The step in words: its proof."""
        return self.proof


Step: TypeAlias = ByCheck | ByClaim | ByDefinition | Cited | ByHand
"""A step of an argument."""


def stands_on(step: Step) -> tuple[str, str]:
    """Return on what a step stands: its kind, and the name or id of what it names."""
    match step:
        case ByCheck():
            return "check", step.check
        case ByClaim():
            return "claim", step.claim
        case ByDefinition():
            return "definition", step.unfolds
        case Cited():
            return "cited", f"{step.work}: {step.item}"
        case ByHand():
            return "by hand", ""
    assert_never(step)


def _check_filled(kind: str, **parts: str) -> None:
    for name, text in parts.items():
        if not text.strip():
            msg = f"a step of kind {kind} needs `{name}`, got {text!r}"
            raise InvalidArgument(msg)
