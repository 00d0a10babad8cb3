"""Formulas run on whole regions: affine forms, their cases, and logarithms kept exact."""
