"""Claims of Regehr; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = ()
