"""Measurements of the site: its API, and the move from the old tables."""
