"""Data sets on which sums in machine numbers go wrong, as neighboring pairs.

A claim is proved for real numbers; a program adds in half, single or double precision, or in
integers of some width, in the order of the records. Each file has one kind of fault. What a pair
does is tried here on plain running sums, and only pairs that move one by several sensitivities (or
that overflow it) are made; whether the mechanism under audit adds in this way, its draws tell.

The faults are those of Casacuberta, Shoemate, Vadhan and Wagaman, "Widespread underestimation of
sensitivity in differentially private libraries and how to fix it", CCS 2022.
"""
