"""Guaranteed daily prices, indices and indicators of the Korean exchange."""
