"""White box of machine numbers: outputs that one neighbor can give and the other cannot."""
