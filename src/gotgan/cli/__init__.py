"""The command line; each command is imported only when it is called."""

from __future__ import annotations

from gotgan.cli.commands import main

__all__ = ["main"]
