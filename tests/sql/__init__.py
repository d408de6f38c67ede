"""What the relational side promises, on SQLite and on PostgreSQL alike."""
