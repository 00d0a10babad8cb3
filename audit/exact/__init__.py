"""Exact auditors: from a known law to a proof, a witness, or the cell that stayed open."""
