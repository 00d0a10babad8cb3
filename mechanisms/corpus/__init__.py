"""Mechanisms of the auditing literature, sound and broken, with their exact epsilon per pair."""
