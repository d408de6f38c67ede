"""The shops of the world: what they show, and that it is true."""
