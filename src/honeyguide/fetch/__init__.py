"""Going and getting: HTTP, names, robots.txt."""
