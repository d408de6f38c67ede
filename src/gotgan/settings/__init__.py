"""What can be set from outside, read from the environment once and nowhere else."""

from __future__ import annotations

from gotgan.settings.declared import (
    DYNAMODB_FILE,
    PREFIX,
    RESTORING,
    SECRET_FILE,
    SQLITE_FILE,
    Analyser,
    LogLevel,
    Settings,
    Synchronous,
    hidden,
)
from gotgan.settings.secret import Secret
from gotgan.settings.shown import Origin, Setting, shown
from gotgan.settings.ttl import Ttl

__all__ = [
    "DYNAMODB_FILE",
    "PREFIX",
    "RESTORING",
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
    "hidden",
    "shown",
]
