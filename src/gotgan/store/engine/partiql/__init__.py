"""PartiQL: statements parsed into the requests of Query, Scan, GetItem and the writes.

The expressions in them are the trees of ``expressions``, so a statement is evaluated, stored and
billed as the operation that it stands for.
"""
