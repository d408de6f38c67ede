"""Those who say what comments mean: the built-in one, and models behind an address."""
