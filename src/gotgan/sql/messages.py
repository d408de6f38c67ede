"""Messages of the relational database; their Korean is in ``texts/ko/sql.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# The database

FILE: Final = Template("sql.file", "the file {path}")
MEMORY: Final = Template("sql.memory", "the database in memory")
DATABASE: Final = Template("sql.database", "the database {name}")
DATABASE_AT: Final = Template("sql.database_at", "the database {name} at {host}")
UNAVAILABLE: Final = Template("sql.unavailable", "Could not use {database}: {cause}. {advice}")
POOL_EXHAUSTED: Final = Template(
    "sql.pool_exhausted", "All connections to {database} are in use. Try again later."
)
BAD_VALUE: Final = Template(
    "sql.bad_value", "The database does not accept a value: {cause}. Change it."
)
TOO_NEW: Final = Template(
    "sql.too_new",
    "The database was written by a later version of Gotgan: its tables have version {found}, and "
    "this program supports up to {latest}. Upgrade Gotgan.",
)
NO_DRIVER: Final = Template(
    "sql.no_driver",
    "GOTGAN_DATABASE names a PostgreSQL server, which needs an extra package. Run pip install "
    "'gotgan[postgres]'.",
)
BAD_ADDRESS: Final = Template(
    "sql.bad_address",
    "GOTGAN_DATABASE is not valid. Use postgresql://user:password@host:5432/name. In the password, "
    "write %40 for @, %3A for : and %2F for /.",
)
LEASE_LOST: Final = Template(
    "sql.lease_lost", "The lease of {key} was lost. Another process has taken over."
)

# What to do about it

BUSY: Final = Template(
    "sql.busy", "Other processes have been writing for too long. Try again later."
)
FULL: Final = Template("sql.full", "Free space on its disk, then try again.")
DISK: Final = Template("sql.disk", "Check its disk and the free space on it.")
RIGHTS: Final = Template("sql.rights", "Give this user read and write access to it.")
READ_ONLY: Final = Template(
    "sql.read_only",
    "Give this user write access to the file and its folder, or copy a read-only data folder to a "
    "writable place and set GOTGAN_DATA.",
)
DAMAGED: Final = Template(
    "sql.damaged", "Restore it from a backup, or set GOTGAN_DATA to another folder."
)
UNPREPARED: Final = Template(
    "sql.unprepared", "Its tables are created when Gotgan starts. Start it once."
)
NO_SCHEMA: Final = Template(
    "sql.no_schema", "Create the schema of its search_path with CREATE SCHEMA."
)
UNKNOWN: Final = Template(
    "sql.unknown", "Check that it is running and that GOTGAN_DATABASE is right, then try again."
)

# Existing tables

IS_VIEW: Final = Template("sql.is_view", "{table} is a view, but Gotgan needs a table. {advice}")
MISSING_COLUMN: Final = Template(
    "sql.missing_column",
    "Table {table} has {count:row|rows} but no column {column}, which Gotgan needs in every row. "
    "{advice}",
)
NOT_UNIQUE: Final = Template(
    "sql.not_unique",
    "Table {table} has several rows with {values:list}, but Gotgan needs one. Delete or change "
    "the others.",
)
COLUMN_VALUE: Final = Template("sql.column_value", "{column} {value}")
NOT_FILLED: Final = Template(
    "sql.not_filled",
    "Column {column} of table {table} is NOT NULL without a default, and Gotgan does not fill it. "
    "Give it a default or drop NOT NULL.",
)
NOT_NUMBERED: Final = Template(
    "sql.not_numbered",
    "Column {column} of table {table} is not numbered by the database. Gotgan needs INTEGER "
    "PRIMARY KEY in SQLite or SERIAL PRIMARY KEY in PostgreSQL. {advice}",
)
WRONG_TYPE: Final = Template(
    "sql.wrong_type",
    "Column {column} of table {table} has the type {found}, but Gotgan needs {needed}. {advice}",
)
MISSING_VALUES: Final = Template(
    "sql.missing_values",
    "Table {table} has {count:row|rows} without {column}, which Gotgan needs in every row. Fill it "
    "in.",
)
NOT_A_DATE: Final = Template(
    "sql.not_a_date",
    "Column {column} of table {table} contains a value that is not a date or time ({cause}). Write "
    "it like 2025-10-20 17:00:00.",
)
FOREIGN_KEY: Final = Template(
    "sql.foreign_key", "FOREIGN KEY constraint failed: it references {table}"
)
REFUSES_ROWS: Final = Template(
    "sql.refuses_rows",
    "Table {table} does not accept the rows that Gotgan writes: {cause}. Change or drop that "
    "constraint, rename the table, or use a separate schema for Gotgan (see docs/deployment.md).",
)
CHANGE_TABLE: Final = Template(
    "sql.change_table",
    "Change it, rename the table, or use a separate schema for Gotgan (see docs/deployment.md).",
)
