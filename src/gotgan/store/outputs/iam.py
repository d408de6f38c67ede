"""A policy that allows what the access patterns and entities of tables need, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from gotgan.store.outputs.arns import Arns, PlainArns
from gotgan.store.outputs.cloudformation import logical_ids
from gotgan.store.outputs.grants import ANY, Access, Grant, joined, reads_of, writes_of
from gotgan.store.tables import AS_DECLARED, Names, Table

__all__ = ["document", "policy", "read_statements", "statements", "write_statements"]

_LONGEST_SID: Final = 120


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
        arns = PlainArns(names.of(table), region, account)
        allowed += read_statements(table, logical, arns, names)
        allowed += write_statements(table, logical, arns, names)
    return document(allowed)


def document(allowed: list[dict[str, Any]]) -> dict[str, Any]:
    """A policy document of statements, each with a name of its own."""
    return {"Version": "2012-10-17", "Statement": _told_apart(allowed)}


def read_statements(
    table: Table, called: str, arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """What the access patterns of a table need; each statement names its patterns."""
    return statements(f"Read{called}", reads_of(table), arns, names)


def write_statements(
    table: Table, called: str, arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """What it takes to write the entities of a table; each statement names its entities."""
    return statements(f"Write{called}", writes_of(table), arns, names)


def statements(
    start: str, grants: Iterable[Grant], arns: Arns, names: Names = AS_DECLARED
) -> list[dict[str, Any]]:
    """Grants on one table as statements, whose names begin with a word."""
    return [_statement(start, access, arns, names) for access in joined(grants)]


def _statement(start: str, access: Access, arns: Arns, names: Names) -> dict[str, Any]:
    index = None if access.index is None else names.of(access.index)
    statement: dict[str, Any] = {
        "Sid": _sid(start + (index or ""), access.who),
        "Effect": "Allow",
        "Action": [f"dynamodb:{action}" for action in access.actions],
        "Resource": arns.table() if index is None else arns.index(index),
    }
    if access.keys != (ANY,):
        leading = {"dynamodb:LeadingKeys": list(access.keys)}
        statement["Condition"] = {"ForAllValues:StringLike": leading}
    return statement


def _sid(start: str, who: tuple[str, ...]) -> str:
    """Letters and digits alone, which is all that a Sid may have; as many names as fit."""
    sid = f"{_letters(start)}For"
    for number, name in enumerate(who):
        if len(sid) + len(name) > _LONGEST_SID:
            return f"{sid}And{len(who) - number}More"
        sid += _camel(name)
    return sid


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text)


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def _told_apart(allowed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    seen: dict[str, int] = {}
    for statement in allowed:
        times = seen[statement["Sid"]] = seen.get(statement["Sid"], 0) + 1
        if times > 1:
            statement["Sid"] += f"N{times}"
    return allowed
