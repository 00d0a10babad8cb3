"""JSON and TOML, read within bounds from files that anybody may have written."""
