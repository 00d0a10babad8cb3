"""What an audit rests on, and what of that has changed."""
