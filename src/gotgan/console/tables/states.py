"""How tables stand, as the pages draw it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {"active": "good", "unready": "running", "missing": "bad", "unreachable": "bad"}
)
