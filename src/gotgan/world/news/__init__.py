"""Simulated news sites: a finance site with consent pages, and other newspapers."""
