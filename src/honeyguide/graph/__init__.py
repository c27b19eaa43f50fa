"""Which page links to which, and what follows from it."""
