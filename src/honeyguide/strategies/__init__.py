"""Telling where to go next; one file per strategy, named as the literature names it."""
