"""How the servers answer while thousands of clients are connected."""
