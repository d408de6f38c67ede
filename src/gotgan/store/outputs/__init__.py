"""Outputs of a declaration: requests, templates, policies, pages, and the drift check."""
