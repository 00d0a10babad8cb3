"""The state of a run as bytes that nothing in them can make run code.

Values are a list of nodes, written as JSON: children before their parents, so that no node needs
another that comes later, and each value once, however often it is referred to. Arrays of numbers
follow as they lie in memory. Of classes only those of `audit.engine.archive.classes` are written
and read; each field is of the kind that its class states, or the whole is refused.
"""

from audit.engine.archive.reader import Foreign, read
from audit.engine.archive.writer import CannotBeKept, write

__all__ = ["CannotBeKept", "Foreign", "read", "write"]
