"""The console's pages: how long the server takes for each, and what a first visit downloads."""
