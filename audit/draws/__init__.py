"""What every kind of sampling shares: streams, blocks, encoding, events, settings."""
