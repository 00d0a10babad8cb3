"""Fixed budget, tightest lower limit: one event, chosen by some draws, tested on the rest."""
