"""JSON and TOML from files that anybody may have written, within bounds."""
