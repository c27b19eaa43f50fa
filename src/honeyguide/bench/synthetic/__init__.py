"""Webs made to order, with known structure."""
