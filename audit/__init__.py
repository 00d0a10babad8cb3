"""Auditors, adapters to released libraries, the gate and the command line."""
