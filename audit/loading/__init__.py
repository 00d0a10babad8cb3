"""How `targets` and `external` find what is audited: user's objects, notebooks, programs."""
