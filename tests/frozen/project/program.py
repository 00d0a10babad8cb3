"""Noise of a scale on a sum of records in [0, 1], as a program of its own."""

import json
import math
import random
import sys

request = json.loads(sys.stdin.readline())
rng = random.Random(request["seed"])
total = sum(min(max(x, 0.0), 1.0) for x in request["data"])
for _ in range(request["size"]):
    u = rng.random() - 0.5
    noise = math.copysign(1.0, u) * -math.log(1 - 2 * abs(u)) / float(sys.argv[1])
    sys.stdout.write(f"{total + noise!r}\n")
