"""How long a test waits for an answer of its own machine: a busy one is slow, which is no fault."""

from __future__ import annotations

from typing import Final

__all__ = ["PATIENCE"]

PATIENCE: Final = 60.0
"""In seconds."""
