"""Shops: which there are, when each was crawled and scraped, and what its pages are."""
