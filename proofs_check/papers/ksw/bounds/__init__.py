"""Upper and lower bounds of the least worst-case error."""
