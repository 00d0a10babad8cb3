"""The gate: what it runs, what came of it, and its exit statuses."""
