"""The exchange of the world: what it answers, and that it is true."""
