"""The Python API: what the command line does, as functions of objects at hand.

Words have the meaning and the defaults of the command line's options (`audit.request.word_table`).
Each function loads what it needs when it is called. Code that runs in this process is trusted: it
can change the verdict.
"""
