"""What can be set from outside, read from the environment once and nowhere else."""

from __future__ import annotations

from gotgan.settings.declared import PREFIX, Analyser, LogLevel, Settings, Synchronous, hidden
from gotgan.settings.secret import Secret
from gotgan.settings.shown import Origin, Shown, shown
from gotgan.settings.ttl import Ttl

__all__ = [
    "PREFIX",
    "Analyser",
    "LogLevel",
    "Origin",
    "Secret",
    "Settings",
    "Shown",
    "Synchronous",
    "Ttl",
    "hidden",
    "shown",
]
