"""Those who say what comments mean."""
