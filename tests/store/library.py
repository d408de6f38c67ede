"""The tables and entities that the contract of the store is told with."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import StringConstraints

from gotgan.store import (
    KEYS_ONLY,
    Attribute,
    Entity,
    Epoch,
    Id,
    IndexKey,
    Key,
    LongKey,
    Table,
    Timestamp,
    binary,
    camel_case,
    derived,
    number,
)

__all__ = [
    "CLIPS",
    "LIBRARY",
    "MONDAY",
    "READINGS",
    "Account",
    "Book",
    "Clip",
    "Entry",
    "Reading",
    "Shelf",
    "Ticket",
    "book",
    "books",
]

Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]

LIBRARY = Table("library", pk="pk", sk="sk", ttl="expires")
BY_GENRE = LIBRARY.index("by_genre", pk="genre_pk", sk="genre_sk")
BY_AUTHOR = LIBRARY.index("by_author", pk="author_pk", sk="title", project=("rating", "expires"))
BY_LANGUAGE = LIBRARY.index("by_language", pk="language_pk", sk="language_sk", project=("expires",))
CLIPS = Table("clips", pk="pk")
BY_SHOP = CLIPS.index("by_shop", pk="shop_pk", project=KEYS_ONLY)
READINGS = Table("readings", pk=binary("device"), sk=number("at"))
READINGS.local_index("by_value", sk=number("value"), project=KEYS_ONLY)


MADE_HERE = LongKey("the tests name their devices with a few bytes")


class Shelf(Entity, table=LIBRARY):
    """A shelf, which shares its partition with its books."""

    key = Key("SHELF#{id}", "META")

    id: Id
    room: str | None = None


class Book(Entity, table=LIBRARY, names=camel_case):
    """A book: one index key of three fields and a derived attribute, and two that hold little."""

    key = Key("SHELF#{shelf_id}", "BOOK#{id}")
    by_genre = IndexKey(BY_GENRE, "GENRE#{genre}", "{rating:03d}#{heading}")
    by_author = IndexKey(BY_AUTHOR, "AUTHOR#{author}", "{title}")
    by_language = IndexKey(BY_LANGUAGE, "LANG#{language}", "{id}")

    shelf_id: Id
    id: Id
    title: Word = "Untitled"
    genre: Word | None = None
    author: Word | None = None
    language: Word | None = None
    rating: int = 0
    lent: int = 0
    notes: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    bought_at: Annotated[Timestamp | None, Attribute("BoughtAt")] = None
    expires_at: Annotated[Epoch | None, Attribute("expires")] = None

    @derived("title")
    def heading(self) -> Word:
        """The title as a catalogue sorts it."""
        return self.title.lower().removeprefix("the ")


class Account(Entity, table=LIBRARY, version="version"):
    """What a reader owes; its version counts the changes."""

    key = Key("ACCOUNT#{id}", "META")
    by_genre = IndexKey(BY_GENRE, "GENRE#{branch}", "{owner}")

    id: Id
    owner: Word
    branch: Word | None = None
    owed: int = 0
    version: int = 1


class Entry(Entity, table=LIBRARY):
    """A line of a log: a sort key of two parts."""

    key = Key("LOG#{log}", "DAY#{day}#{number:04d}")

    log: Id
    day: Word
    number: int
    text: str = ""


class Ticket(Entity, table=LIBRARY):
    """Fields that are not stored when there is nothing in them, whatever their default is."""

    key = Key("TICKET#{id}", "META")

    id: Id
    holder: Word | None
    seats: frozenset[str]
    meals: frozenset[str] = frozenset({"supper"})


class Clip(Entity, table=CLIPS, identity="url"):
    """Something with an address, under a key so short that two addresses can share it."""

    key = Key("{pk}")
    by_shop = IndexKey(BY_SHOP, "SHOP#{shop}")

    url: str
    title: str = ""
    price: float | None = None
    shop: Word | None = None

    @derived("url")
    def pk(self) -> Word:
        """The key: of ``one…`` and ``eno…`` it is the same if they have the same length."""
        return f"{zlib.crc32(bytes(sorted(self.url.encode()))):08x}"


class Reading(Entity, table=READINGS):
    """A measurement, keyed by bytes and a number."""

    key = Key("{device}", "{at}", acknowledge=[MADE_HERE])
    by_value = IndexKey(
        READINGS.indexes["by_value"], "{device}", "{value}", acknowledge=[MADE_HERE]
    )

    device: bytes
    at: int
    value: int | None = None


MONDAY = datetime(2025, 11, 10, 9, tzinfo=UTC)


def book(number: int = 0, shelf: str = "s1", **fields: Any) -> Book:
    """A book with a number in its id, so that books sort by it."""
    return Book(shelf_id=shelf, id=f"b{number:04d}", **fields)


def books(count: int, shelf: str = "s1", **fields: Any) -> list[Book]:
    """Books on one shelf."""
    return [book(number, shelf, **fields) for number in range(count)]
