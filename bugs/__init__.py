"""Real defects of released libraries for differential privacy: data that any auditor can use.

No code of the product: `audit`, `mechanisms` and `proofs_check` do not import this folder, and it
is not in the wheel. `README.md` beside this file says what a row is and how to use it.
"""
