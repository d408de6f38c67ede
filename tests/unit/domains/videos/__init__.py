"""Videos: what is collected of them, counted in it, and said about it."""
