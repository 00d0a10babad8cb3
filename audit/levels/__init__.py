"""What a claim may promise: everything that differs between kinds of claim."""
