"""pure-ldp 1.2.0: no bit of a value's Bloom filter is ever cleared."""

from pure_ldp.frequency_oracles.rappor import RAPPORClient

HASHES = [
    [lambda s, c=c, k=k: (int(s) * (2 * k + 3) + c + k) % 8 for k in range(2)] for c in range(2)
]
CLIENT = RAPPORClient(0.5, 8, HASHES, num_of_cohorts=2)
STATED = CLIENT.convert_f_to_eps(0.5, 2)


def release(data, _):
    """Answer eight bits and the cohort."""
    bits, cohort = CLIENT.privatise(data)
    return [*bits, cohort]


def event(output):
    """Say whether a bit of the value 2 is 0."""
    return any(output[HASHES[int(output[-1])][k](2)] == 0 for k in range(2))
