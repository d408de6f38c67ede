"""What follows from one declaration: requests, templates, policies, pages, and the drift check."""
