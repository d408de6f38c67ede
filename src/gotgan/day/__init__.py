"""The day: one page that joins what the domains have of a date."""
