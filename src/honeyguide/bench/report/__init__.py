"""A bench's results as a page that a person reads, with its tables and figures."""
