"""The market: its days, its prices and what is calculated from them."""
