"""A first configuration, written from the code of a module."""
