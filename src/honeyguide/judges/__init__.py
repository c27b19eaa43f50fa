"""Telling whether a page is on topic; one file per judge."""
