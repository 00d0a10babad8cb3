"""Claims of Dick, Kulesza, Sun, Suresh; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = ()
