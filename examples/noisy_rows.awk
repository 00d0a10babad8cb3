# Noisy number of rows of a table on standard input (CSV), one release a line: Laplace noise of the
# scale given by -v scale. With scale=3 it keeps epsilon = 1 for people with at most three rows.
#
#   touchstone audit --epsilon 1 --schema examples/people.toml --takes csv --ideal \
#     -- awk -v scale=1 -f examples/noisy_rows.awk

function laplace(  u) {
  u = rand() - 0.5
  if (u == -0.5) u = 0
  return (u < 0 ? -1 : 1) * scale * log(1 - 2 * (u < 0 ? -u : u))
}

NR > 1 && NF { rows++ }

END {
  srand(ENVIRON["TOUCHSTONE_SEED"] + 0)
  for (i = 1; i <= ENVIRON["TOUCHSTONE_SIZE"]; i++) printf "%.17g\n", rows + laplace()
}
