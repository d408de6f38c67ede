"""Made-up old tables: the same for the same seed, with every oddity that real ones have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

from gotgan.domains.site.migration import OldTable, Sources
from gotgan.store import Store
from gotgan.store.attributes import encode
from gotgan.store.batches import chunks

__all__ = [
    "KEYS",
    "NAMES",
    "OldSite",
    "categories",
    "fill",
    "make",
    "posts",
    "put",
    "remove",
    "stamp",
    "tables",
    "write_lines",
]

KEYS: Final = {
    "posts": "postId",
    "categories": "categoryId",
    "corp": "corpMetaId",
    "contact": "inquiryId",
}
NAMES: Final = {kind: f"fm_{kind}" for kind in KEYS}
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
_AUTHORS: Final = ("김대연", "이서준", "Ada", None)
_WORDS: Final = ("회사", "소식", "사업", "보고서", "plan", "news", "2025", "안내")

Row = dict[str, Any]


@dataclass
class OldSite:
    """The rows of all old tables, by their kinds."""

    posts: list[Row]
    categories: list[Row]
    corp: list[Row]
    contact: list[Row]

    def of(self, kind: str) -> list[Row]:
        """The rows of one kind."""
        rows: list[Row] = getattr(self, kind)
        return rows


def stamp(seconds: float) -> str:
    """A moment as the old system wrote it, so many seconds after the first."""
    return (START + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


def make(seed: int = 0, *, count: int = 40, category_count: int = 4) -> OldSite:
    """A small old site."""
    chance = Random(seed)
    kinds = list(categories(category_count, seed))
    return OldSite(
        list(posts(count, kinds, seed)),
        kinds,
        [_corp(chance, number) for number in range(2)],
        [_inquiry(chance, number) for number in range(max(3, count // 4))],
    )


def categories(count: int, seed: int = 0) -> Iterator[Row]:
    """Categories with names and slugs, and some with neither description nor order."""
    chance = Random(f"categories {seed}")
    for number in range(count):
        row: Row = {
            "categoryId": _uuid(chance),
            "name": f"분류 {number}",
            "slug": f"kind-{number}",
            "createdAt": stamp(number * 60),
            "updatedAt": stamp(number * 60 + 30),
        }
        if number % 2:
            row |= {"description": f"about {number}", "order": number}
        yield row


def posts(count: int, kinds: list[Row], seed: int = 0, *, size: int = 200) -> Iterator[Row]:
    """Posts that name their categories in every way, one in forty of them a missing one."""
    chance = Random(f"posts {seed}")
    for number in range(count):
        kind = chance.choice(kinds)
        made = number * 97.25 + chance.random()
        row: Row = {
            "postId": _uuid(chance),
            "category": kind[chance.choice(("slug", "slug", "name", "categoryId"))],
            "title": " ".join(chance.choices(_WORDS, k=4)),
            "content": _content(chance, size),
            "createdAt": stamp(made),
            "updatedAt": stamp(made + chance.randrange(10_000)),
        }
        if number % 40 == 7:
            row["category"] = "no-such-category"
        if author := chance.choice(_AUTHORS):
            row["author"] = author
        if chance.random() < 0.3:
            row["thumbnailUrl"] = f"https://cdn.example.com/{number}.png"
        if chance.random() < 0.2:
            row["views"] = chance.randrange(1000)
        yield row


def _content(chance: Random, size: int) -> Any:
    words = " ".join(chance.choices(_WORDS, k=max(1, size // 8)))
    document = {"type": "doc", "content": [{"type": "text", "text": words, "size": 1.5}]}
    return chance.choice([words, f"# {words}", json.dumps(document), document])


def _corp(chance: Random, number: int) -> Row:
    return {
        "corpMetaId": _uuid(chance),
        "address": f"서울 {number}",
        "ceo": "김대연",
        "email": "contact@example.com",
        "createdAt": stamp(number),
        "updatedAt": stamp(1000 * number),
    }


def _inquiry(chance: Random, number: int) -> Row:
    row = {
        "inquiryId": _uuid(chance),
        "company": "",
        "title": "과장",
        "name": f"손님 {number}",
        "email": f"visitor{number}@example.com",
        "referral": "web",
        "subject": "문의",
        "message": " ".join(chance.choices(_WORDS, k=9)),
        "status": chance.choice(["new", "in_progress", "done"]),
        "createdAt": stamp(number * 500),
        "updatedAt": stamp(number * 500 + 60),
    }
    if chance.random() < 0.5:
        row["notifiedEmail"] = "contact@example.com"
    return row


def _uuid(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


def tables(store: Store, site: OldSite) -> Sources:
    """The old tables in a database, filled, as sources."""
    for kind, name in NAMES.items():
        definition = {"AttributeName": KEYS[kind], "AttributeType": "S"}
        store.calls.driver.call(
            "CreateTable",
            {
                "TableName": name,
                "KeySchema": [{"AttributeName": KEYS[kind], "KeyType": "HASH"}],
                "AttributeDefinitions": [definition],
                "BillingMode": "PAY_PER_REQUEST",
            },
        )
        fill(store, name, site.of(kind))
    return Sources(**{kind: OldTable(store, name) for kind, name in NAMES.items()})


def fill(store: Store, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows in batches."""
    for some in chunks(rows, 25):
        puts = [{"PutRequest": {"Item": _item(row)}} for row in some]
        store.calls.driver.call("BatchWriteItem", {"RequestItems": {table: puts}})


def put(store: Store, kind: str, row: Mapping[str, Any]) -> None:
    """Write one row as the old system did: over whatever was there."""
    store.calls.driver.call("PutItem", {"TableName": NAMES[kind], "Item": _item(row)})


def remove(store: Store, kind: str, old_id: str) -> None:
    """Delete one row as the old system did."""
    key = {KEYS[kind]: {"S": old_id}}
    store.calls.driver.call("DeleteItem", {"TableName": NAMES[kind], "Key": key})


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]], *, typed: bool = False) -> Path:
    """Write rows as lines: plain, or with DynamoDB's types."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            content = {"Item": _item(row)} if typed else row
            file.write(json.dumps(content, ensure_ascii=False) + "\n")
    return path


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: encode(value) for name, value in row.items()}
