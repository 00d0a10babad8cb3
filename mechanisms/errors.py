"""Errors that the suite raises on purpose: one root, and the builtin that fits."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CertificateError",
    "InvalidArgument",
    "InvalidData",
    "MissingExtra",
    "NotImplied",
    "ShadowedPackage",
    "TouchstoneError",
    "UnexpectedVerdict",
    "close_names",
]


class TouchstoneError(Exception):
    """Root of all errors raised on purpose; the message is meant for the user."""


class InvalidArgument(TouchstoneError, ValueError):
    """A public argument is outside its domain; the message gives name, condition and value."""


class InvalidData(TouchstoneError, ValueError):
    """A file of the user cannot be read as data; the message says where."""


class NotImplied(TouchstoneError, ValueError):
    """No theorem that the suite knows derives the wanted claim from the stated one."""


class MissingExtra(TouchstoneError, ImportError):
    """An optional library is needed; the message says how to install it."""


class CertificateError(TouchstoneError):
    """A certificate does not prove what it states."""


class ShadowedPackage(TouchstoneError, ImportError):
    """The name of one of our packages stands for another one here; the message says which."""


class UnexpectedVerdict(TouchstoneError, AssertionError):
    """A result is not what was expected of it; the message is its report."""


def close_names(name: str, known: Iterable[str]) -> str:
    """End of a message about an unknown name: up to three that are close, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; close: {', '.join(close)}" if close else ""
