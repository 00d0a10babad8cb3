"""How pairs are found before the first bet."""
