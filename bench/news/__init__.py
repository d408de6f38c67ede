"""Measurements of the news: reading the list, and keeping what is new."""
