"""From a plan to its result: one module for each kind of audit."""
