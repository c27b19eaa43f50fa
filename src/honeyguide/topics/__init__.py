"""How a topic is written and read."""
