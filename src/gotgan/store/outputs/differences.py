"""One way in which a live table is not what was declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.store.tables import KeyAttribute

__all__ = ["BREAKS", "DIFFERS", "Difference", "Severity", "shown_keys"]

Severity = Literal["breaks", "differs"]
BREAKS: Final = "breaks"
"""What was declared cannot be kept: reads or writes fail, or items are lost."""
DIFFERS: Final = "differs"
"""It works, but it is not as declared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as declared, and what to do about it."""

    where: str
    """The part of the table: ``key``, ``index GSI1``, ``billing``."""
    declared: str
    found: str
    remedy: str
    severity: Severity

    def __str__(self) -> str:
        return (
            f"{self.where} {self.severity}: declared {self.declared}, found {self.found}; "
            f"{self.remedy}"
        )


def shown_keys(keys: Iterable[KeyAttribute] | Iterable[Mapping[str, Any]]) -> str:
    """The names of key attributes, the partition key first: ``pk, sk``."""
    return ", ".join(_name(key) for key in keys)


def _name(key: KeyAttribute | Mapping[str, Any]) -> str:
    return key.name if isinstance(key, KeyAttribute) else str(key["AttributeName"])
