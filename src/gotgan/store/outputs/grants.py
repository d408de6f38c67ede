"""What a program needs of a table: from its access patterns for reading, its entities for writing.

A grant is one action on one place, with the partition keys that it is needed for. Actions that need
the same keys are joined, so that a policy stays short; nothing is granted that nobody asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gotgan.store.entities import Entity, entities_of
from gotgan.store.fields import Prefixed
from gotgan.store.patterns import AnyPattern, patterns_of
from gotgan.store.schema import Schema, schema_of
from gotgan.store.tables import ALL, Index, Table
from gotgan.store.templates import Template
from gotgan.store.tracing import Read

__all__ = ["ANY", "Access", "Grant", "joined", "lists_of", "reads_of", "writes_of"]

ANY: Final = "*"
"""Every partition key."""
_BY_KEY: Final = ("GetItem", "BatchGetItem")
_CONDITIONAL: Final = ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
_WRITES: Final = (
    *_CONDITIONAL,
    "BatchWriteItem",
    *_BY_KEY,  # what is stored already is looked at before it is written or moved
)


@dataclass(frozen=True)
class Grant:
    """One action that somebody needs."""

    who: str
    """The access pattern or the entity."""
    action: str
    index: Index | None
    keys: str
    """The partition keys, with ``*`` behind what is settled of them."""


@dataclass(frozen=True)
class Access:
    """Actions on one place, with the same partition keys for all of them."""

    index: Index | None
    actions: tuple[str, ...]
    keys: tuple[str, ...]
    """ANY alone, or what a partition key must look like."""
    who: tuple[str, ...]


def reads_of(table: Table, only: Sequence[AnyPattern] | None = None) -> Iterator[Grant]:
    """What the access patterns of a table need, or only those that somebody reads by."""
    schemas = {entity.__name__: schema_of(entity) for entity in entities_of(table)}
    for pattern in patterns_of(table) if only is None else only:
        for read in pattern.reads:
            if read.table is table:
                yield from _of_read(pattern.name, read)
                yield from _of_rest(pattern.name, read, schemas)


def lists_of(index: Index) -> Iterator[Grant]:
    """What it takes to list each kind of entity that has one partition of an index for itself."""
    for entity in entities_of(index.table):
        schema = schema_of(entity)
        for key in schema.index_keys:
            if key.index is index and not key.pk.slots:
                kind = _made_by(schema, key.pk, index.pk.type)
                yield Grant(entity.__name__, "Query", index, kind)


def writes_of(
    table: Table, only: Mapping[type[Entity], Sequence[str]] | None = None
) -> Iterator[Grant]:
    """What it takes to write the entities of a table, and to move them through lifecycles.

    ``only`` names the entities that somebody writes, each with the actions that this takes; that a
    refused write looks at the item in its way goes without saying.
    """
    for entity in entities_of(table):
        actions = _WRITES if only is None else only.get(entity, ())
        if actions:
            yield from _of_writer(entity, actions)


def joined(grants: Iterable[Grant]) -> list[Access]:
    """The grants as few statements, each with exactly the keys that its actions need.

    All keys of an action stand together, because a batch must find them in one statement.
    """
    actions: dict[tuple[Index | None, str], list[Grant]] = defaultdict(list)
    for grant in grants:
        actions[grant.index, grant.action].append(grant)
    alike: dict[tuple[Index | None, tuple[str, ...]], list[Grant]] = defaultdict(list)
    for (index, _), needed in actions.items():
        alike[index, _keys(needed)] += needed
    return [
        Access(
            index,
            _sorted(grant.action for grant in needed),
            keys,
            _sorted(grant.who for grant in needed),
        )
        for (index, keys), needed in alike.items()
    ]


def _keys(grants: list[Grant]) -> tuple[str, ...]:
    """Where somebody needs any key, a condition on the others would keep nothing out."""
    keys = _sorted(grant.keys for grant in grants)
    return (ANY,) if ANY in keys else keys


def _sorted(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(words)))


def _of_read(who: str, read: Read) -> Iterator[Grant]:
    place = read.table if read.index is None else read.index
    keys = _settled(read.pk, place.pk.type)
    for action in _BY_KEY if read.operation == "GetItem" else (read.operation,):
        yield Grant(who, action, read.index, keys)


def _of_writer(entity: type[Entity], actions: Sequence[str]) -> Iterator[Grant]:
    schema = schema_of(entity)
    keys = _made_by(schema, schema.key.pk, schema.table.pk.type)
    for action in _with_looks(actions):
        yield Grant(entity.__name__, action, None, keys)
    for key in schema.index_keys:
        if key.kept:  # whoever moves items looks for those that are stuck
            stuck = _made_by(schema, key.pk, key.index.pk.type)
            yield Grant(entity.__name__, "Query", key.index, stuck)


def _with_looks(actions: Sequence[str]) -> Sequence[str]:
    """Actions and what they lead to: a refusal that tells no item has the store ask for it."""
    if "GetItem" in actions or not set(actions).intersection(_CONDITIONAL):
        return actions
    return (*actions, "GetItem")


def _of_rest(who: str, read: Read, schemas: dict[str, Schema]) -> Iterator[Grant]:
    """What an index does not hold may be read from the table."""
    if read.index is None or read.index.project == ALL:
        return
    for name in read.entities:
        keys = _made_by(schemas[name], schemas[name].key.pk, read.table.pk.type)
        yield Grant(who, "BatchGetItem", None, keys)


def _made_by(schema: Schema, template: Template, kind: str) -> str:
    """The keys that a template gives; a field may bring a prefix of its own."""
    form = schema.parts[template.fields[0]].form if template.slots else None
    prefix = form.prefix if isinstance(form, Prefixed) else ""
    return _settled(template.start + prefix + ("{" if template.slots else ""), kind)


def _settled(template: str, kind: str) -> str:
    """What is known of a partition key beforehand; only text can be compared by its beginning."""
    literal, brace, _ = template.partition("{")
    return _escaped(literal) + ("*" if brace else "") if kind == "S" else ANY


def _escaped(literal: str) -> str:
    """A literal in which nothing stands for something else."""
    return "".join(f"${{{each}}}" if each in "*?$" else each for each in literal)
