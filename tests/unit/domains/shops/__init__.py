"""Shops: what is read from their pages, and what is kept of them."""
