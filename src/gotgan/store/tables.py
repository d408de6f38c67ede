"""Tables and indexes as values, declared at import; they collect their entities and patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from gotgan.errors import DeclarationError

ALL: Final = "ALL"
KEYS_ONLY: Final = "KEYS_ONLY"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{3,255}")
Projection = Literal["ALL", "KEYS_ONLY"] | tuple[str, ...]
StreamView = Literal["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]


@dataclass(frozen=True, slots=True)
class KeyAttribute:
    """An attribute that a key is made of: its name, and its type as DynamoDB writes it."""

    name: str
    type: Literal["S", "N", "B"] = "S"


KeyAttributes: TypeAlias = str | KeyAttribute | tuple[str | KeyAttribute, ...]
"""The attributes of one part of an index's key: one, or up to four."""
MAX_KEY_ATTRIBUTES: Final = 4


def number(name: str) -> KeyAttribute:
    """A key attribute that holds a number."""
    return KeyAttribute(name, "N")


def binary(name: str) -> KeyAttribute:
    """A key attribute that holds bytes."""
    return KeyAttribute(name, "B")


@dataclass(frozen=True, slots=True)
class Provisioned:
    """Capacity that is paid for by the hour, in units a second."""

    read: int
    write: int


@dataclass(frozen=True, eq=False)
class Index:
    """A secondary index of a table; made by ``Table.index``."""

    table: Table = field(repr=False)
    name: str
    pk: KeyAttribute
    sk: KeyAttribute | None = None
    project: Projection = ALL
    local: bool = False
    more_pk: tuple[KeyAttribute, ...] = ()
    more_sk: tuple[KeyAttribute, ...] = ()

    @cached_property
    def partition(self) -> tuple[KeyAttribute, ...]:
        """The attributes of the partition key."""
        return (self.pk, *self.more_pk)

    @cached_property
    def sort(self) -> tuple[KeyAttribute, ...]:
        """The attributes of the sort key; none where it has no sort key."""
        return () if self.sk is None else (self.sk, *self.more_sk)

    @cached_property
    def keys(self) -> tuple[KeyAttribute, ...]:
        """All key attributes, those of the partition key first."""
        return (*self.partition, *self.sort)

    def held(self) -> frozenset[str] | None:
        """The attributes that the index holds of an item; None where it holds all of them."""
        if self.project == ALL:
            return None
        keys = {key.name for key in (*self.table.keys, *self.keys)}
        return frozenset(keys if self.project == KEYS_ONLY else keys | set(self.project))


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its keys, and everything that was declared about it."""

    name: str
    pk: KeyAttribute
    sk: KeyAttribute | None
    ttl: str | None
    stream: StreamView | None
    billing: Provisioned | None
    """What is provisioned; None is on demand."""
    indexes: dict[str, Index] = field(default_factory=dict, repr=False)
    entities: list[type[Any]] = field(default_factory=list, repr=False)
    """Typed by ``gotgan.store.entities.entities_of``."""
    patterns: list[Any] = field(default_factory=list, repr=False)
    """Typed by ``gotgan.store.patterns.patterns_of``."""

    def __init__(
        self,
        name: str,
        *,
        pk: str | KeyAttribute,
        sk: str | KeyAttribute | None = None,
        ttl: str | None = None,
        stream: StreamView | None = None,
        billing: Provisioned | None = None,
    ) -> None:
        settled = {
            "name": name,
            "pk": _key(pk),
            "sk": None if sk is None else _key(sk),
            "ttl": ttl,
            "stream": stream,
            "billing": billing,
            "indexes": {},
            "entities": [],
            "patterns": [],
        }
        for attribute, value in settled.items():
            object.__setattr__(self, attribute, value)
        _check(self)

    @cached_property
    def partition(self) -> tuple[KeyAttribute, ...]:
        """The partition key: one attribute, and several only in indexes."""
        return (self.pk,)

    @cached_property
    def sort(self) -> tuple[KeyAttribute, ...]:
        """The sort key, where there is one."""
        return () if self.sk is None else (self.sk,)

    @cached_property
    def keys(self) -> tuple[KeyAttribute, ...]:
        """The partition key, and the sort key where there is one."""
        return (*self.partition, *self.sort)

    def index(
        self,
        name: str,
        *,
        pk: KeyAttributes,
        sk: KeyAttributes | None = None,
        project: Literal["ALL", "KEYS_ONLY"] | Iterable[str] = ALL,
    ) -> Index:
        """Declare a global index, with a copy of all attributes, of the keys alone, or of some.

        Partition and sort key may have up to four attributes each, given as tuples.
        """
        first, *more = _part(name, "pk", pk)
        sort = [] if sk is None else _part(name, "sk", sk)
        index = Index(
            self,
            name,
            first,
            sort[0] if sort else None,
            _projection(project),
            more_pk=tuple(more),
            more_sk=tuple(sort[1:]),
        )
        return self._add(index)

    def local_index(
        self,
        name: str,
        *,
        sk: str | KeyAttribute,
        project: Literal["ALL", "KEYS_ONLY"] | Iterable[str] = ALL,
    ) -> Index:
        """Declare a local index: the table's partitions in another order."""
        return self._add(Index(self, name, self.pk, _key(sk), _projection(project), local=True))

    def _add(self, index: Index) -> Index:
        _check(index)
        if index.name in self.indexes:
            raise DeclarationError(
                f"{self.name} has two indexes called {index.name}; rename one of them"
            )
        self.indexes[index.name] = index
        self.attribute_types()  # refuses an attribute that would have two types
        return index

    def attribute_types(self) -> dict[str, Literal["S", "N", "B"]]:
        """Every key attribute of the table and its indexes, with its type."""
        types: dict[str, Literal["S", "N", "B"]] = {}
        for key in (*self.keys, *(key for index in self.indexes.values() for key in index.keys)):
            if types.setdefault(key.name, key.type) != key.type:
                raise DeclarationError(
                    f"{key.name} of {self.name} is declared as {types[key.name]} and as "
                    f"{key.type}; an attribute has one type in all keys"
                )
        return types


@dataclass(frozen=True)
class Names:
    """What tables and indexes are called where they live, when not as they were declared."""

    tables: Mapping[str, str] = field(default_factory=dict)
    indexes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By the declared names of table and index."""

    @classmethod
    def parse(cls, words: Mapping[str, str]) -> Names:
        """The names in a setting: ``table`` or ``table:index`` to the real name."""
        pairs = [(*word.partition(":"), name) for word, name in words.items()]
        return cls(
            {table: name for table, colon, _, name in pairs if not colon},
            {(table, index): name for table, colon, index, name in pairs if colon},
        )

    def of(self, declared: Table | Index) -> str:
        """The name that a database knows."""
        if isinstance(declared, Table):
            return self.tables.get(declared.name, declared.name)
        return self.indexes.get((declared.table.name, declared.name), declared.name)


AS_DECLARED: Final = Names()
"""All names are as declared."""


def _check(place: Table | Index) -> None:
    if not _NAME.fullmatch(place.name):
        raise DeclarationError(
            f"{place.name!r} cannot be the name of a table or an index; use 3 to 255 letters, "
            "digits, dots, hyphens and underscores"
        )
    names = [key.name for key in place.keys]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DeclarationError(
            f"{place.name} has {twice} twice in its key; a key is made of different attributes"
        )
    if isinstance(place, Table) and place.ttl in names:
        raise DeclarationError(
            f"{place.ttl} of {place.name} is part of the key and cannot be the time to live"
        )


def _part(index: str, part: str, given: KeyAttributes) -> list[KeyAttribute]:
    keys = [_key(key) for key in (given if isinstance(given, tuple) else (given,))]
    if not 1 <= len(keys) <= MAX_KEY_ATTRIBUTES:
        raise DeclarationError(
            f"{part} of {index} has {len(keys)} attributes; a part of a key has one to "
            f"{MAX_KEY_ATTRIBUTES}"
        )
    return keys


def _key(key: str | KeyAttribute) -> KeyAttribute:
    return KeyAttribute(key) if isinstance(key, str) else key


def _projection(project: Literal["ALL", "KEYS_ONLY"] | Iterable[str]) -> Projection:
    if project in (ALL, KEYS_ONLY):
        return project
    if isinstance(project, str):
        raise DeclarationError(
            f"project={project!r} names no projection; use ALL, KEYS_ONLY, or a tuple of attributes"
        )
    return tuple(project)
