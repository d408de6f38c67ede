"""IAM policies with only the permissions that access patterns and entities need."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gotgan.store.entities import Entity, entities_of
from gotgan.store.fields import Prefixed
from gotgan.store.outputs.definition import logical_ids
from gotgan.store.patterns import AnyPattern, patterns_of
from gotgan.store.schema import Schema, schema_of
from gotgan.store.tables import ALL, AS_DECLARED, Index, Names, Table
from gotgan.store.templates import KeyTemplate

Arns: TypeAlias = Callable[[str | None], Any]
"""Names a table (None) or one of its indexes as the resource of a statement."""
ANY_KEY: Final = "*"
"""Every partition key."""
_BY_KEY: Final = ("GetItem", "BatchGetItem")
_CONDITIONAL: Final = ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
_WRITES: Final = (
    *_CONDITIONAL,
    "BatchWriteItem",
    *_BY_KEY,  # what is stored already is looked at before it is written or moved
)
_MAX_SID: Final = 120


def plain_arns(name: str, region: str = "REGION", account: str = "ACCOUNT") -> Arns:
    """ARNs as text, with words to replace where region and account are not known yet."""
    arn = f"arn:aws:dynamodb:{region}:{account}:table/{name}"
    return lambda index: arn if index is None else f"{arn}/index/{index}"


def template_arns(logical: str) -> Arns:
    """ARNs of a table that the same template makes: ``!GetAtt`` and ``!Sub``."""
    arn = {"Fn::GetAtt": [logical, "Arn"]}
    return lambda i: arn if i is None else {"Fn::Sub": f"${{{logical}.Arn}}/index/{i}"}


@dataclass(frozen=True)
class Grant:
    """One action that is needed."""

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
    """ANY_KEY alone, or what a partition key must look like."""
    who: tuple[str, ...]


def read_grants(table: Table, only: Sequence[AnyPattern] | None = None) -> Iterator[Grant]:
    """What the access patterns of a table need, or only those that are named."""
    schemas = {entity.__name__: schema_of(entity) for entity in entities_of(table)}
    for pattern in patterns_of(table) if only is None else only:
        for read in pattern.reads:
            if read.table is not table:
                continue
            place = read.table if read.index is None else read.index
            keys = _index_pattern(place, read.pk)
            for action in _BY_KEY if read.operation == "GetItem" else (read.operation,):
                yield Grant(pattern.name, action, read.index, keys)
            if read.index is None or read.index.project == ALL:
                continue
            for name in read.entities:  # what an index does not hold may be read from the table
                keys = _template_keys(schemas[name], schemas[name].key.pk, read.table.pk.type)
                yield Grant(pattern.name, "BatchGetItem", None, keys)


def list_grants(index: Index) -> Iterator[Grant]:
    """What it takes to list each kind of entity that has one partition of an index for itself."""
    for entity in entities_of(index.table):
        schema = schema_of(entity)
        for key in schema.index_keys:
            if key.index is index and not any(template.slots for template in key.partition):
                kind = _index_pattern(index, key.pk.text)
                yield Grant(entity.__name__, "Query", index, kind)


def write_grants(
    table: Table, only: Mapping[type[Entity], Sequence[str]] | None = None
) -> Iterator[Grant]:
    """What it takes to write a table's entities, or ``only`` those named, with their actions."""
    for entity in entities_of(table):
        actions = _WRITES if only is None else tuple(only.get(entity, ()))
        if not actions:
            continue
        if "GetItem" not in actions and not set(_CONDITIONAL).isdisjoint(actions):
            actions = (*actions, "GetItem")  # for a refusal that does not show the item
        schema = schema_of(entity)
        keys = _template_keys(schema, schema.key.pk, schema.table.pk.type)
        for action in actions:
            yield Grant(entity.__name__, action, None, keys)
        for key in schema.index_keys:
            if key.state_attributes:  # a program that moves items looks for those that are stuck
                stuck = _template_keys(schema, key.pk, key.index.pk.type)
                yield Grant(entity.__name__, "Query", key.index, stuck)


def merge_grants(grants: Iterable[Grant]) -> list[Access]:
    """The grants as few statements; a batch must find all keys of an action in one of them."""
    actions: dict[tuple[Index | None, str], list[Grant]] = defaultdict(list)
    for grant in grants:
        actions[grant.index, grant.action].append(grant)
    alike: dict[tuple[Index | None, tuple[str, ...]], list[Grant]] = defaultdict(list)
    for (index, _), needed in actions.items():
        keys = _sorted(grant.keys for grant in needed)
        # Where one of them needs any key, a condition on the others would keep nothing out.
        alike[index, (ANY_KEY,) if ANY_KEY in keys else keys] += needed
    return [
        Access(
            index,
            _sorted(grant.action for grant in needed),
            keys,
            _sorted(grant.who for grant in needed),
        )
        for (index, keys), needed in alike.items()
    ]


def _sorted(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(words)))


def _template_keys(schema: Schema, template: KeyTemplate, kind: str) -> str:
    """The keys that a template gives; a field may bring its own prefix."""
    form = schema.parts[template.fields[0]].form if template.slots else None
    prefix = form.prefix if isinstance(form, Prefixed) else ""
    return _key_pattern(template.start + prefix + ("{" if template.slots else ""), kind)


def _index_pattern(place: Table | Index, pk: str) -> str:
    """What is known of the partition key of a read.

    AWS does not document what a condition on the leading keys compares where these are several.
    """
    return ANY_KEY if len(place.partition) > 1 else _key_pattern(pk, place.pk.type)


def _key_pattern(template: str, kind: str) -> str:
    """What is known of a partition key beforehand; only text can be compared by its beginning."""
    literal, brace, _ = template.partition("{")
    escaped = re.sub(r"[*?$]", lambda found: f"${{{found[0]}}}", literal)
    return escaped + ("*" if brace else "") if kind == "S" else ANY_KEY


def policy(
    tables: Sequence[Table],
    names: Names = AS_DECLARED,
    *,
    region: str = "REGION",
    account: str = "ACCOUNT",
) -> dict[str, Any]:
    """One policy for everything that is declared about these tables."""
    allowed: list[dict[str, Any]] = []
    for table, logical in zip(tables, logical_ids(tables), strict=True):
        arns = plain_arns(names.of(table), region, account)
        allowed += read_statements(table, logical, arns, names)
        allowed += write_statements(table, logical, arns, names)
    return document(allowed)


def document(allowed: list[dict[str, Any]]) -> dict[str, Any]:
    """A policy document of statements, each with a unique name."""
    seen: dict[str, int] = {}
    for statement in allowed:
        times = seen[statement["Sid"]] = seen.get(statement["Sid"], 0) + 1
        if times > 1:
            statement["Sid"] += f"N{times}"
    return {"Version": "2012-10-17", "Statement": allowed}


def read_statements(
    table: Table, called: str, arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """What the access patterns of a table need; each statement names its patterns."""
    return statements(f"Read{called}", read_grants(table), arns, names)


def write_statements(
    table: Table, called: str, arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """What it takes to write the entities of a table; each statement names its entities."""
    return statements(f"Write{called}", write_grants(table), arns, names)


def statements(
    start: str, grants: Iterable[Grant], arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """Grants on one table as statements, whose names begin with a word."""
    allowed: list[dict[str, Any]] = []
    for access in merge_grants(grants):
        index = None if access.index is None else names.of(access.index)
        statement = {
            "Sid": _sid(start + (index or ""), access.who),
            "Effect": "Allow",
            "Action": [f"dynamodb:{action}" for action in access.actions],
            "Resource": arns(index),
        }
        if access.keys != (ANY_KEY,):
            leading = {"dynamodb:LeadingKeys": list(access.keys)}
            statement["Condition"] = {"ForAllValues:StringLike": leading}
        allowed.append(statement)
    return allowed


def _sid(start: str, who: tuple[str, ...]) -> str:
    """Letters and digits alone, which is all that a Sid may have; as many names as fit."""
    sid = re.sub(r"[^A-Za-z0-9]", "", start) + "For"
    for number, name in enumerate(who):
        if len(sid) + len(name) > _MAX_SID:
            return f"{sid}And{len(who) - number}More"
        words = re.split(r"[^A-Za-z0-9]+", name)
        sid += "".join(word[:1].upper() + word[1:] for word in words)
    return sid
