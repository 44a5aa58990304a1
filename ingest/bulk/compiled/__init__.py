"""What Numba compiles: the strict reader, the replay and the digests, over the flat arrays of ``ingest.bulk.layout``.

Compiled once on a machine and cached. There are no bounds checks: a block ends with a newline, which no token passes,
and every text is read only inside its bounds. Every literal that meets a ``uint64`` is one itself: Numba compares mixed
integers as floats (numba issue 10151).
"""
