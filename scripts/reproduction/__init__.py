"""The claims of the literature, checked one by one with crawls of recorded webs."""
