"""Reference implementations of private mean estimators, and the vocabulary of promises.

Numpy generators draw the noise of the reference forms: they are for auditing and study, not for
releases. `mechanisms.add_remove.release` is the hardened form.
"""
