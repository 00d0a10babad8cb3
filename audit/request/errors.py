"""What a utility audit asks for, in the words of the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, final

from audit.levels.word import Of
from audit.request.words import named
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, exact, shown

__all__ = ["UtilityAsked", "asked_of", "check_utility_request", "utility_words"]

TRUTHS = ("mean", "median")


@final
@dataclass(frozen=True, slots=True)
class UtilityAsked:
    """Claims and records of a utility audit; None leaves a choice to the mechanism."""

    law: tuple[str, ...] = ()
    """Laws of the records, as `audit.utility.law_words` reads them."""
    n: int | None = None
    """Number of records of each data set that is made, and of the laws."""
    bias: Number | None = None
    """Claimed bound of the absolute bias; 0 for "unbiased"."""
    mse: Number | None = None
    mae: Number | None = None
    """Claimed bounds of the mean squared and the mean absolute error."""
    truth: Number | None = None
    """What is estimated: "mean", "median" or a number."""

    def check(self) -> None:
        """Check what the words alone can tell.

        Raises InvalidArgument if one of them is out of its domain.
        """
        for name in ("bias", "mse", "mae"):
            value = getattr(self, name)
            if value is not None:
                _check_double(check_fraction(value, f"--{name}", at_least=0), f"--{name}")
        if self.n is not None and self.n < 1:
            msg = f"--n must be at least 1, got {self.n}"
            raise InvalidArgument(msg)
        if self.truth is not None and self.truth not in TRUTHS:
            try:
                truth = exact(self.truth, "--truth")
            except InvalidArgument as exc:
                msg = f"--truth must be mean, median or a number, got {shown(self.truth)}"
                raise InvalidArgument(msg) from exc
            _check_double(truth, "--truth")

    @property
    def states_claims(self) -> bool:
        """Whether the user states claims, in place of the mechanism's own."""
        return not (self.bias is None and self.mse is None and self.mae is None)


def _check_double(number: Fraction, name: str) -> None:
    try:
        float(number)
    except OverflowError as exc:
        msg = f"{name} must be finite in double precision, got {shown(number)}"
        raise InvalidArgument(msg) from exc


def asked_of(values: dict[str, Any], where: str = "", dash: str = "") -> UtilityAsked | None:
    """Take the words of a utility audit out of all others; None for an audit of privacy.

    `values`: words by name, "utility" and "unbiased" among them; those of utility are removed.
    `where`: beginning of a message. `dash`: what stands before the name of a word in a message.
    Raises InvalidArgument if one of them is given without "utility", or two contradict each other.
    """
    wanted, unbiased = values.pop("utility", False), values.pop("unbiased", False)
    found = {item.name: values.pop(item.name, None) for item in fields(UtilityAsked)}
    told = [f"{dash}{name}" for name, value in found.items() if value not in (None, ())]
    told += [f"{dash}unbiased"] if unbiased else []
    if not wanted and told:
        msg = f"{where}{', '.join(told)} {'goes' if len(told) == 1 else 'go'} with {dash}utility"
        raise InvalidArgument(msg)
    if unbiased and found["bias"] is not None:
        msg = f"{where}{dash}unbiased claims a bias of 0; leave it out, or {dash}bias"
        raise InvalidArgument(msg)
    laws = found.pop("law") or ()
    found["bias"] = 0 if unbiased else found["bias"]
    return (
        UtilityAsked((laws,) if isinstance(laws, str) else tuple(laws), **found) if wanted else None
    )


def utility_words(asked: UtilityAsked) -> list[str]:
    """Words of the command that asks for it."""
    words = ["--utility"]
    for item in fields(asked):
        value = getattr(asked, item.name)
        if item.name == "law":
            for law in value:
                words += ["--law", law]
        elif item.name == "bias" and value is not None and exact(value) == 0:
            words.append("--unbiased")
        elif value is not None:
            words += [f"--{item.name}", str(value)]
    return words


def check_utility_request(request: Any) -> None:
    """Check that a request's other words fit a utility audit.

    Raises InvalidArgument if one of them says nothing about utility, or two contradict each other.
    """
    asked = request.utility
    asked.check()
    told = request.told()
    wrong = [
        f"{word.option} {request.mode}" if word.name == "mode" else word.option
        for word in named(Of.PRIVACY)
        if not word.of & Of.ERRORS and word.name in told
    ]
    if wrong:
        msg = (
            f"--utility audits errors, not privacy; leave out {', '.join(wrong)} (claims of "
            "utility are --unbiased, --bias, --mse and --mae; a mechanism's own parameters are set "
            "with --param)"
        )
        raise InvalidArgument(msg)
    faults = {
        "--column names a column of --data; give both": (
            request.column is not None and request.data is None
        ),
        "--law makes the records itself; leave out --data, or --law": (
            bool(asked.law) and request.data is not None
        ),
        "--n is the number of records that are made; --data has its own": (
            asked.n is not None and request.data is not None
        ),
    }
    for msg, fault in faults.items():
        if fault:
            raise InvalidArgument(msg)
    for name in ("resolution", "budget_samples"):
        value = getattr(request, name)
        if value is not None and not value > 0:
            msg = f"{name} must be positive, got {name}={shown(value)}"
            raise InvalidArgument(msg)
