"""The ledger in the forms of its reports."""
