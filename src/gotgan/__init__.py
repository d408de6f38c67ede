"""Gotgan, the storehouse: collect every day, keep each thing exactly once, work on it, serve it."""
