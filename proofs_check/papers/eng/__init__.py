"""Claims of the audit engine; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = ()
