"""A small web with everything that makes crawling hard, served on loopback."""
