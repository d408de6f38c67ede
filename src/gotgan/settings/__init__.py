"""What can be set from outside, read from the environment once and nowhere else."""

from __future__ import annotations

from gotgan.settings.language import reader_language
from gotgan.settings.listing import Origin, Setting, settings_with_origin
from gotgan.settings.parsers import Ttl
from gotgan.settings.secret import Secret
from gotgan.settings.settings import (
    DYNAMODB_FILE,
    PREFIX,
    RESTORING_FOLDER,
    SECRET_FILE,
    SQLITE_FILE,
    Analyser,
    LogLevel,
    Settings,
    Synchronous,
    hidden_variables,
)

__all__ = [
    "DYNAMODB_FILE",
    "PREFIX",
    "RESTORING_FOLDER",
    "SECRET_FILE",
    "SQLITE_FILE",
    "Analyser",
    "LogLevel",
    "Origin",
    "Secret",
    "Setting",
    "Settings",
    "Synchronous",
    "Ttl",
    "hidden_variables",
    "reader_language",
    "settings_with_origin",
]
