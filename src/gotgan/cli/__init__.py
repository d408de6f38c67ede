"""The command line: one file per command, each imported only when it is called."""

from __future__ import annotations

from gotgan.cli.frame import main

__all__ = ["main"]
