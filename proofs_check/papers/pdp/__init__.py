"""Claims of Dong, Ge; `MODULES` lists the modules that state them."""

__all__ = ["MODULES"]

MODULES: tuple[str, ...] = ()
