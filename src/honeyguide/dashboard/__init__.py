"""The web application over one crawl or a folder of crawls: it reads the store and asks the crawl by rows."""
