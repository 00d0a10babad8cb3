# Noisy sum of records in [0, 1], one release a line: Laplace noise of the scale given by -v scale.
# With scale=1 it keeps epsilon = 1 when a record comes or goes; with scale=0.5 it does not.
#
#   touchstone audit --epsilon 1 --relation add-remove --low 0 --high 1 --ideal \
#     -- awk -v scale=1 -f examples/noisy_sum.awk
#
# Standard input is one line, {"data": [0.0, 1.0], "size": 64, "seed": 1234567}.

function number(key) { match($0, "\"" key "\": *[0-9]+"); return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 }

function laplace(  u) {
  u = rand() - 0.5
  if (u == -0.5) u = 0
  return (u < 0 ? -1 : 1) * scale * log(1 - 2 * (u < 0 ? -u : u))
}

{
  match($0, /\[[^\]]*\]/)
  n = split(substr($0, RSTART + 1, RLENGTH - 2), record, ",")
  sum = 0
  for (i = 1; i <= n; i++) sum += record[i] < 0 ? 0 : record[i] > 1 ? 1 : record[i] + 0
  srand(number("seed"))
  size = number("size")
  for (i = 1; i <= size; i++) printf "%.17g\n", sum + laplace()
}
