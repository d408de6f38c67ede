"""Mistakes in the viewer's language; what the store says of them is in English, and marked so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from gotgan.console.texts import catalogue
from gotgan.console.viewer import Viewer
from gotgan.errors import BadCursor, BadKeyPart, GotganError, IndexMissing, TableMissing, UsageError
from gotgan.store.engine.faults import ResourceNotFoundException, ValidationException

__all__ = ["REFUSED", "refusal", "worded", "worded_all"]

REFUSED: Final = (
    BadCursor,
    BadKeyPart,
    IndexMissing,
    ResourceNotFoundException,
    TableMissing,
    UsageError,
    ValidationException,
)
"""What a read can be refused with because of what was asked; a page tells it beside its form."""
_MISSING: Final = (ResourceNotFoundException, TableMissing)


def refusal(who: Viewer, error: GotganError) -> str:
    """Why a read was refused."""
    return worded(who, "tables.board.missing" if isinstance(error, _MISSING) else error.message)


def worded(who: Viewer, told: str) -> str:
    """The text of a key, or a sentence as it is."""
    return who.t(told) if told in catalogue() else Markup('<span lang="en">{}</span>').format(told)


def worded_all(who: Viewer, told: Mapping[str, str]) -> dict[str, str]:
    """The same for every field."""
    return {field: worded(who, each) for field, each in told.items()}
