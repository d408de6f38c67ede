"""Whether a thing can be bought, in the words of schema.org and of shops."""

from __future__ import annotations

import re
from typing import Any, Final

from gotgan.domains.shops.reading.facts import Status

__all__ = ["declared_status"]

_DECLARED: Final = {
    "INSTOCK": Status.AVAILABLE,
    "INSTOREONLY": Status.AVAILABLE,
    "ONLINEONLY": Status.AVAILABLE,
    "LIMITEDAVAILABILITY": Status.AVAILABLE,
    "MADETOORDER": Status.AVAILABLE,
    "PRESALE": Status.AVAILABLE,
    "AVAILABLE": Status.AVAILABLE,
    "AVAILABLEFORORDER": Status.LISTED,
    "BACKORDER": Status.LISTED,
    "PREORDER": Status.LISTED,
    "RESERVED": Status.RESERVED,
    "SOLDOUT": Status.SOLD,
    "SOLD": Status.SOLD,
    "OOS": Status.SOLD,
    "OUTOFSTOCK": Status.SOLD,
    "DISCONTINUED": Status.REMOVED,
}
_SEGMENT: Final = re.compile(r"[/#:]")
_JOINT: Final = re.compile(r"[\s_-]+")


def declared_status(value: Any) -> Status | None:
    """What an availability of schema.org or OpenGraph means; None where it says nothing."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("name")
    if not isinstance(value, str):
        return None
    segment = _SEGMENT.split(value.strip().rstrip("/"))[-1]
    return _DECLARED.get(_JOINT.sub("", segment).upper())
