"""Indicators: what they are, and how they are kept up with the days."""
