"""From a won bet to a witness: a readable event, fresh counts, a script that repeats them."""
