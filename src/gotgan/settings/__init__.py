"""What can be set: in ``gotgan.toml`` in the data folder, or by environment variables."""

from __future__ import annotations

from gotgan.settings.file import CONFIG_FILE, PREFIX, file_key, write_config
from gotgan.settings.language import reader_language
from gotgan.settings.listing import Origin, Setting, settings_with_origin
from gotgan.settings.parsers import Ttl
from gotgan.settings.secret import Secret
from gotgan.settings.settings import (
    DYNAMODB_FILE,
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
    "CONFIG_FILE",
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
    "file_key",
    "hidden_variables",
    "reader_language",
    "settings_with_origin",
    "write_config",
]
