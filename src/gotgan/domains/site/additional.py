"""Additional attributes of the company: what its item has beyond the declared fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from gotgan.domains.site.models import CorpInfo
from gotgan.errors import UsageError
from gotgan.store.schema import schema_of

__all__ = [
    "ATTRIBUTE_NAME",
    "MAX_ATTRIBUTES",
    "MAX_LENGTH",
    "expect_attributes",
    "name_problem",
    "writable",
]

ATTRIBUTE_NAME: Final = r"^[A-Za-z][A-Za-z0-9_]{0,49}$"
MAX_ATTRIBUTES: Final = 50
MAX_LENGTH: Final = 200

_RESERVED: Final = frozenset(
    {*schema_of(CorpInfo).owned, "PK", "SK", "Type", "id", "version", "expiresAt"}
)


def name_problem(name: str) -> str | None:
    """Why an additional attribute cannot have this name; None if it can.

    A name that differs from a declared one only in case or underscores is a slip, such as
    ``corp_num`` for ``corpNum``.
    """
    if not re.match(ATTRIBUTE_NAME, name):
        return "use a letter, then letters, digits and underscores, at most 50 characters"
    meant = next((each for each in sorted(_RESERVED) if _folded(each) == _folded(name)), None)
    return None if meant is None else f"this name is reserved for {meant}"


def expect_attributes(more: Mapping[str, Any], present: Collection[str]) -> None:
    """Refuse additional attributes that cannot be; None removes one.

    ``present`` names those that the item has already.
    """
    for name, value in more.items():
        problem = name_problem(name) or _value_problem(value)
        if problem:
            raise UsageError(f"additional attribute {name!r}: {problem}")
    removed = {name for name, value in more.items() if value is None}
    if len({*present, *more} - removed) > MAX_ATTRIBUTES:
        raise UsageError(f"the company takes at most {MAX_ATTRIBUTES} additional attributes")


def writable(more: Mapping[str, Any]) -> dict[str, str]:
    """The additional attributes that can be written; other tools may store more than those."""
    return {
        name: value
        for name, value in more.items()
        if not name_problem(name) and not _value_problem(value) and value.isprintable()
    }


def _value_problem(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and 0 < len(value) <= MAX_LENGTH):
        return None
    return f"use a text of 1 to {MAX_LENGTH} characters, or None to remove it"


def _folded(name: str) -> str:
    return name.replace("_", "").casefold()
