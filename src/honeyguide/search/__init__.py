"""Full-text search over a collection: an index in CRAWL/search that can be rebuilt at any time."""
