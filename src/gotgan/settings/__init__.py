"""What can be set from outside, read from the environment once and nowhere else."""

from __future__ import annotations

from gotgan.settings.declared import PREFIX, LogLevel, Settings, Synchronous, hidden
from gotgan.settings.secret import Secret

__all__ = ["PREFIX", "LogLevel", "Secret", "Settings", "Synchronous", "hidden"]
