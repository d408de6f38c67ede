"""Clients that others wrote, as their users run them, against Gotgan's endpoint."""
