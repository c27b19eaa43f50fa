"""What waits to be fetched, and whose turn it is."""
