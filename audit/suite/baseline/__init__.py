"""What audits promised and showed when a baseline was written, beside what they do now."""
