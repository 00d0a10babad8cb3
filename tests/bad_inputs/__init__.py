"""Bad inputs of every kind: one line and a status, whatever they are."""
