# Noisy mean income of a table of people on standard input (CSV), one release a line; base R only.
# It divides by the number of rows, which is private: it breaks its promise.
#
#   touchstone audit --epsilon 1 --schema examples/people.toml --takes csv -- Rscript examples/noisy_mean.R

size <- as.integer(Sys.getenv("TOUCHSTONE_SIZE"))
set.seed(as.integer(Sys.getenv("TOUCHSTONE_SEED")))
people <- read.csv(file("stdin"), colClasses = c(income = "numeric"))
income <- people$income[!is.na(people$income)]
total <- sum(pmin(pmax(income, 0), 1))
noise <- rexp(size, 1 / 3) - rexp(size, 1 / 3)
writeLines(sprintf("%.17g", (total + noise) / max(1, length(income))))
