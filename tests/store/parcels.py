"""Entities with everything at once: index keys of many fields, derived attributes, a lifecycle.

What their index keys must be is written down here a second time, by hand.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from pydantic import StringConstraints

from gotgan.lifecycle import Lifecycle
from gotgan.store import Entity, Id, IndexKey, Key, Table, Timestamp, derived

__all__ = ["LEASE", "PARCELS", "Letter", "Parcel", "Post", "followers"]

PARCELS = Table("parcels", pk="pk", sk="sk")
BY_STATE = PARCELS.index("by_state", pk="country_key", sk="state", project=("city",))
BY_CITY = PARCELS.index("by_city", pk="city_key", sk="weight_key")
BY_NAME = PARCELS.index("by_name", pk="slug", sk="began")
LEASE = timedelta(minutes=10)

Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class Post(Entity):
    """What letters and parcels have in common."""

    work = Lifecycle(BY_STATE, "COUNTRY#{country}", started="began", finished="ended", lease=LEASE)
    by_city = IndexKey(BY_CITY, "{country}#{city}", "{weight:05d}#{slug}")
    by_name = IndexKey(BY_NAME, "{slug}", "{began}")

    id: Id
    country: Word | None = None
    city: Word | None = None
    weight: int = 0
    name: Word = "Nobody"
    stamps: int = 0
    notes: tuple[str, ...] = ()
    began: Timestamp | None = None
    ended: Timestamp | None = None

    @derived("name")
    def slug(self) -> Word:
        """The name, simplified."""
        return self.name.lower()

    @derived("slug", "weight")
    def line(self) -> str:
        """Follows from another derived attribute."""
        return f"{self.slug} {self.weight}"


class Letter(Post, table=PARCELS):
    """Guarded by what its index keys are made of alone."""

    key = Key("LETTER#{id}", "META")


class Parcel(Post, table=PARCELS, version="version"):
    """Guarded by a version as well."""

    key = Key("PARCEL#{id}", "META")

    version: int = 1


def followers(item: dict[str, Any]) -> dict[str, Any]:
    """What must be stored beside the fields of an item, as they are stored."""
    slug, weight = item["name"].lower(), item["weight"]
    found: dict[str, Any] = {"slug": slug, "line": f"{slug} {weight}"}
    if "country" in item:
        found["country_key"] = f"COUNTRY#{item['country']}"
    if "country" in item and "city" in item:
        found["city_key"] = f"{item['country']}#{item['city']}"
        found["weight_key"] = f"{weight:05d}#{slug}"
    return found
