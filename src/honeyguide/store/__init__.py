"""What a crawl remembers: a database and an archive."""
