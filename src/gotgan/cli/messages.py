"""Errors of the command line itself; their Korean is in ``texts/ko/cli.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

INTERRUPTED: Final = Template("cli.interrupted", "interrupted")
CANNOT_PRINT: Final = Template("cli.cannot_print", "Cannot write the output: {cause}")
CANNOT_WRITE: Final = Template("cli.cannot_write", "Cannot write {path}: {cause}")
CANNOT_READ: Final = Template("cli.cannot_read", "Cannot read {path}: {cause}")
READ_ONLY: Final = Template(
    "cli.read_only",
    "The data folder {folder} is read-only. Give this user write access to it, or copy it to a "
    "place that you can write and set GOTGAN_DATA.",
)

# Arguments

ARGUMENT: Final = Template("cli.argument", "{name}: {problem}")
NOT_A_PAIR: Final = Template("cli.not_a_pair", "use NAME=VALUE, or NAME= to remove it")
NOT_UTF8: Final = Template("cli.not_utf8", "{file} is not UTF-8 text.")
NOT_PRINTABLE: Final = Template(
    "cli.not_printable", "This contains characters that cannot be printed. Type it again."
)
NOT_A_DATE: Final = Template("cli.not_a_date", "{given} is not a date; write it as 2025-11-06")
NOT_A_MOMENT: Final = Template(
    "cli.not_a_moment",
    "{given} is not a date or a time; write it as 2026-01-13, 2026-01-13T12:00 or "
    "2026-01-13T12:00:00Z",
)
EXCLUSIVE: Final = Template("cli.exclusive", "{options} exclude each other; leave one of them out")

# Tables

NO_TABLES: Final = Template(
    "cli.no_tables", "{modules:list} declares no table; name the module that does"
)
TABLE_TWICE: Final = Template(
    "cli.table_twice", "Two tables have the name {table}; rename one, or name fewer modules"
)
UNKNOWN_TABLE: Final = Template(
    "cli.unknown_table", "There is no table {table}; there are {known:list}"
)
NO_IMPORT: Final = Template("cli.no_import", "Cannot import --module {module}: {cause}")
MISSPELT_TABLE: Final = Template(
    "cli.misspelt_table",
    "GOTGAN_TABLES names {word}, which is not declared; did you mean {near}?",
)
UNKNOWN_INDEX: Final = Template(
    "cli.unknown_index", "GOTGAN_TABLES names {table}:{index}, but the table has no such index"
)
STREAM_ALONE: Final = Template(
    "cli.stream_alone", "Standard output takes neither --segments nor --gzip"
)
NO_STREAM_PROGRESS: Final = Template(
    "cli.no_stream_progress",
    "A load from standard input always starts at the beginning; leave --progress out",
)

# The migration of the site, and servers

NO_DRY_VERIFY: Final = Template(
    "cli.no_dry_verify", "--verify and --retire do not copy; leave out --dry-run"
)
MUST_VERIFY: Final = Template(
    "cli.must_verify", "--verify and --retire verify; leave out --no-verify"
)
NO_MCP: Final = Template(
    "cli.no_mcp", "The MCP server needs one more package: pip install 'gotgan[mcp]'."
)
NO_ANALYSIS: Final = Template("cli.no_analysis", "The analysis failed.")
