"""Scores of inverse sensitivity: fewest edits that give a data set a certain property (SUB-A5).

Records stand at the places 0..m-1 of a grid, and may be added at these places alone. For a property
theta and a place t the scores are

    length      min{d(D, D') : theta(D') = t}                                        len(D, t)
    crossing    max(min{d(D, D') : theta(D') >= t - h}, min{d(D, D') : theta(D') <= t + h})

over D' that are not empty, with d the number of records added and removed. Both change by at most
1 with one record, as distances to fixed sets of data do. All numbers are integers.
"""
