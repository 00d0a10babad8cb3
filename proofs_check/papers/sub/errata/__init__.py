"""What is wrong in print."""
