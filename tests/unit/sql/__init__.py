"""Of the relational side what belongs to one database alone, or to none."""
