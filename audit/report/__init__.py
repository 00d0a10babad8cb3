"""Reports of audits and gate runs."""
