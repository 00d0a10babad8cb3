"""The ledger's problems as theorems of Coq, and which of them its kernel accepts."""
