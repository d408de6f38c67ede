"""A database that misbehaves as it is told, and what the drivers make of that."""
