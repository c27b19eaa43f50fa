"""Reading: from bytes to a page with its own text and its links."""
