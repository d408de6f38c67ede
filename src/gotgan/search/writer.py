"""Writing documents into the index: what has not changed is left alone.

Each batch is one short transaction, which moves the mark of its domain with it. It first makes sure
that no other process has taken over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, insert, select

from gotgan.documents import SearchDocument
from gotgan.search.index import token_index
from gotgan.search.tables import SEARCH_DOCUMENTS

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection, Row, Select


MAX_DOCUMENTS: Final = 500
MAX_CHARS: Final = 400_000
"""Of a transaction: FTS5 takes about 0.2 s for so many."""
MAX_TEXT_CHARS: Final = 8_000
"""Of a document; what comes behind is not found."""
_MAX_TITLE_CHARS: Final = 1_000
_MAX_KEY_CHARS: Final = 2_000
_IDS_PER_QUERY: Final = 500
_TIMELESS: Final = 2**33 - 1
_TAIL_BITS: Final = 24
_MAX_LENGTH_RANK: Final = 255


@dataclass(frozen=True)
class Written:
    """How many documents were written and removed."""

    written: int = 0
    removed: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(self.written + other.written, self.removed + other.removed)


@dataclass(frozen=True)
class StoredDocument:
    """A row of ``search_documents``."""

    id: int
    domain: str
    kind: str
    key: str
    part: str
    title: str
    text: str
    names: str
    role: str
    at: datetime | None
    until: datetime | None
    digest: str = ""

    @classmethod
    def of(cls, domain: str, document: SearchDocument) -> StoredDocument:
        """A document as it is stored; its id is the first one that it may have."""
        key = _key(document)
        row = cls(
            id=_first_id(document, f"{domain}/{document.kind}/{key}"),
            domain=domain,
            kind=document.kind,
            key=key,
            part=part_of(document),
            title=_clean(document.title)[:_MAX_TITLE_CHARS],
            text=_clean(document.text[:MAX_TEXT_CHARS]),
            names="\n".join(_clean(each).replace("\n", " ") for each in document.names),
            role=document.role,
            at=document.at,
            until=document.until,
        )
        content = repr([*vars(row).values()]).encode()
        return replace(row, digest=hashlib.md5(content, usedforsecurity=False).hexdigest())


def part_of(document: SearchDocument) -> str:
    """The group of a document as it is stored."""
    return _clean(document.group)[:_MAX_KEY_CHARS] or _key(document)


def slices(documents: Iterable[SearchDocument]) -> Iterator[list[SearchDocument]]:
    """Documents for one transaction each."""
    part, chars = list[SearchDocument](), 0
    for each in documents:
        size = len(each.title) + min(len(each.text), MAX_TEXT_CHARS)
        if part and (len(part) == MAX_DOCUMENTS or chars + size > MAX_CHARS):
            yield part
            part, chars = [], 0
        part.append(each)
        chars += size
    yield part


def write_documents(
    connection: Connection, domain: str, documents: Sequence[SearchDocument]
) -> Written:
    """Write those that are new or have changed; of two with one id the last one counts."""
    given = (StoredDocument.of(domain, each) for each in documents)
    wanted = {(each.kind, each.key): each for each in given}
    known = {(row.kind, row.key): row for row in _stored(connection, domain, wanted)}
    changed = [
        each
        for name, each in wanted.items()
        if name not in known or known[name].digest != each.digest
    ]
    if not changed:
        return Written()
    _remove(connection, [row for each in changed if (row := known.get((each.kind, each.key)))])
    fresh = _with_free_ids(connection, changed)
    connection.execute(insert(SEARCH_DOCUMENTS), [vars(each) for each in fresh])
    token_index(connection).add(connection, fresh)
    return Written(len(fresh))


def remove_others(
    connection: Connection, domain: str, parts: Sequence[str], kept: Iterable[SearchDocument]
) -> Written:
    """Remove the documents of some groups, except those that are kept."""
    names = {(each.kind, _key(each)) for each in kept}
    found = list[Any]()
    for some in _some(parts):
        table = SEARCH_DOCUMENTS.c
        query = select(SEARCH_DOCUMENTS).where(table.domain == domain, table.part.in_(some))
        found += [row for row in connection.execute(query) if (row.kind, row.key) not in names]
    return _remove(connection, found)


def remove_expired(connection: Connection, domain: str, now: datetime) -> Written:
    """Remove some documents whose time is over."""
    table = SEARCH_DOCUMENTS.c
    query = select(SEARCH_DOCUMENTS).where(table.until <= now, table.domain == domain)
    return _remove(connection, connection.execute(query.limit(MAX_DOCUMENTS)).all())


def stored_parts(connection: Connection, domain: str, after: str, limit: int) -> list[str]:
    """The groups of a domain, in order."""
    table = SEARCH_DOCUMENTS.c
    query = select(table.part).where(table.domain == domain, table.part > after).distinct()
    return list(connection.execute(query.order_by(table.part).limit(limit)).scalars())


def clear(connection: Connection) -> None:
    """Remove all documents."""
    connection.execute(delete(SEARCH_DOCUMENTS))
    token_index(connection).clear(connection)


def _remove(connection: Connection, rows: Sequence[Any]) -> Written:
    if not rows:
        return Written()
    token_index(connection).remove(connection, rows)
    for some in _some([row.id for row in rows]):
        connection.execute(delete(SEARCH_DOCUMENTS).where(SEARCH_DOCUMENTS.c.id.in_(some)))
    return Written(removed=len(rows))


def _stored(
    connection: Connection, domain: str, names: Iterable[tuple[str, str]]
) -> Iterator[Row[Any]]:
    """The rows of some kinds and ids."""
    by_kind: dict[str, list[str]] = {}
    for kind, key in names:
        by_kind.setdefault(kind, []).append(key)
    table = SEARCH_DOCUMENTS.c
    for kind, keys in by_kind.items():
        query: Select[Any] = select(SEARCH_DOCUMENTS).where(table.kind == kind)
        for some in _some(keys):
            yield from connection.execute(query.where(table.domain == domain, table.key.in_(some)))


def _with_free_ids(connection: Connection, rows: Sequence[StoredDocument]) -> list[StoredDocument]:
    """Rows with ids that no other document has: the next free ones downwards."""
    taken, made = set[int](), list[StoredDocument]()
    for some in _some([row.id for row in rows]):
        query = select(SEARCH_DOCUMENTS.c.id).where(SEARCH_DOCUMENTS.c.id.in_(some))
        taken |= set(connection.execute(query).scalars())
    for row in rows:
        number = row.id
        while number in taken or (number != row.id and _is_taken(connection, number)):
            number -= 1
        taken.add(number)
        made.append(replace(row, id=number))
    return made


def _is_taken(connection: Connection, number: int) -> bool:
    query = select(SEARCH_DOCUMENTS.c.id).where(SEARCH_DOCUMENTS.c.id == number)
    return connection.execute(query).one_or_none() is not None


def _first_id(document: SearchDocument, name: str) -> int:
    """The second of a document, then bits of its name; without a time short titles come first."""
    tail = int.from_bytes(hashlib.sha256(name.encode()).digest()[:3])
    if document.at is None:
        shortness = _MAX_LENGTH_RANK - min(len(document.title), _MAX_LENGTH_RANK)
        return _TIMELESS << _TAIL_BITS | shortness << 16 | tail & 0xFFFF
    second = min(max(int(document.at.timestamp()), 1), _TIMELESS - 1)
    return second << _TAIL_BITS | tail


def _key(document: SearchDocument) -> str:
    return _clean(document.id)[:_MAX_KEY_CHARS]


def _clean(text: str) -> str:
    """A text that both databases accept: PostgreSQL takes no NUL, UTF-8 no lone surrogate."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _some(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    wanted = iter(values)
    while some := list(islice(wanted, _IDS_PER_QUERY)):
        yield some
