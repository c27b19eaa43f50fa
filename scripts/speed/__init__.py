"""The parts of the speed benchmark: a web, its server, and the two crawlers that are compared on it."""
