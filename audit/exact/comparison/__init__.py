"""Two laws held against each other: their largest ratio, gaps, divergences."""
