"""The test bench: recorded webs replayed, strategies scored with labels the crawl never sees."""
