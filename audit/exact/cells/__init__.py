"""Laws in exact cells: on the line, in the plane, of finitely many outcomes."""
