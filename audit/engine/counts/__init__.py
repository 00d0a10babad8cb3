"""Where samples are drawn and counted: in this process, in joblib's workers, on a dask cluster.

A batch is cut into blocks (`blocks_of`), each with a stream of its own. `block.count_block`
draws a block and reduces it to counts wherever it runs; `batch.Batch` is what comes back when all
blocks of both arms are there, merged in the order of the blocks. Nothing of it depends on where or
in which order blocks were drawn, so a run gives the same result for any number of workers.
"""
