"""Noise laws, one per file; `mechanisms.registry.NOISES` lists them."""
