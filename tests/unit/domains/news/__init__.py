"""The news: what is read from pages, and what is kept."""
