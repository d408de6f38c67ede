"""What changed in an offer, in one word."""

from __future__ import annotations

from typing import Literal

from gotgan.domains.shops.models import Change
from gotgan.domains.shops.reading import Status

__all__ = ["Kind", "kind_of"]

Kind = Literal["new", "removed", "price", "status"]


def kind_of(change: Change) -> Kind:
    """What a change is about; a price that changes with the status is told by the status."""
    if change.before is None:
        return "new"
    if change.after.status == Status.REMOVED:
        return "removed"
    return "price" if change.before.status == change.after.status else "status"
