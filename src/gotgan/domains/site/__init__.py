"""Site: a company site's data in one table."""
