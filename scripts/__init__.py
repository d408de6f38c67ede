"""Small programs for those who work on Gotgan; each runs with ``python -m scripts.<name>``."""
