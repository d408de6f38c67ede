"""News: the latest list of Yahoo Finance, each article exactly once."""
