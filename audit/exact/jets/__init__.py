"""Functions on a cell in ball arithmetic: jets, Taylor forms, closed forms, branch and bound."""
