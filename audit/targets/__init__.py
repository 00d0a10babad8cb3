"""What is audited, however it is given: found, bound to its arguments, run."""
