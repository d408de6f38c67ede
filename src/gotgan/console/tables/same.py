"""The same read elsewhere: in Python, on our command line, and with the AWS CLI."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from gotgan.console.tables.typed import Piece, key_text, look_of
from gotgan.store import Entity, Query, Ref, Store, Table
from gotgan.store.attributes import Item, KeyValue, decode
from gotgan.store.cursors import fingerprint, verify
from gotgan.store.data.aws_cli import command_line, command_words, endpoint_of, starting_token
from gotgan.store.data.browse import Look
from gotgan.store.patterns import AnyPattern
from gotgan.store.queries import Leg
from gotgan.store.reading import request_of

__all__ = ["Same", "same_item", "same_look", "same_pattern"]

_PLAIN: Final = Look()
_OPENED: Final = "with App.open(Settings.from_env()) as app:"
_EACH: Final = ("for item in found.items:", "    print(item)")


@dataclass(frozen=True)
class Same:
    """One read, three times."""

    python: str
    cli: str
    aws: str


def same_look(table: Table, look: Look, command: list[str]) -> Same:
    """A look into a table; ``command`` has the words of the AWS CLI."""
    python = _script(
        ["from gotgan.store.data.browse import Look, browse"],
        "calls = app.store.calls",
        f"look = Look({_given(look)})",
        f"found = browse(calls.driver, {table.name!r}, look, calls.names)",
        *_EACH,
    )
    return Same(python, _browse(table, look), command_line(command))


def same_pattern(
    store: Store,
    pattern: AnyPattern,
    arguments: Mapping[str, Any],
    read: Query[Any] | Ref[Any],
    piece: Piece,
) -> Same:
    """An access pattern with its arguments; a read of several partitions is several commands."""
    call = f"{pattern.name}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    imports = [f"from {pattern.module} import {pattern.name}"]
    if "datetime." in call:
        imports.insert(0, "import datetime")
    if isinstance(read, Ref):
        python = _script(imports, f"found = app.store.get({call})", "print(found)")
        return Same(python, _browse_key(read.table, read.pk, read.sk), _get(store, read))
    behind = "" if piece.cursor is None else f", cursor={piece.cursor!r}"
    query = f"found = app.store.query({call}, limit={piece.limit}{behind})"
    python = _script(imports, query, *_EACH)
    parts = list(_parts(store, read, piece))
    cli = "\n".join(_browse(leg.table, look_of(leg, part)) for leg, part in parts)
    return Same(python, cli, "\n".join(_query(store, leg, part) for leg, part in parts))


def same_item(store: Store, table: Table, entity: type[Entity] | None, key: Item) -> Same:
    """One item by its key; in Python as what it is, where that was declared."""
    pk, *rest = (decode(key[each.name]) for each in table.keys)
    sk = next(iter(rest), None)
    if entity is None:
        steps = [f"request = {{'TableName': {store.calls.names.of(table)!r}, 'Key': {key!r}}}"]
        steps.append("answer, cost = app.store.calls.send('browse', 'GetItem', request)")
        python = _script([], *steps, "print(answer.get('Item'))")
    else:
        imports = [
            f"from {entity.__module__} import {entity.__name__}",
            "from gotgan.store import Ref",
        ]
        words = ", ".join([entity.__name__, *map(repr, [pk, *rest])])
        python = _script(imports, f"found = app.store.get(Ref({words}))", "print(found)")
    return Same(python, _browse_key(table, pk, sk), _get_key(store, table, key))


def _script(imports: Sequence[str], *steps: str) -> str:
    own = ["from gotgan.app import App", "from gotgan.settings import Settings"]
    body = [f"    {step}" for step in steps]
    plain = [line for line in imports if line.startswith("import ")]
    named = sorted({*own, *imports} - set(plain))
    return "\n".join([*plain, *named, "", _OPENED, *body])


def _given(look: Look) -> str:
    """The arguments of a look that are not as they are without saying."""
    told = {each.name: getattr(look, each.name) for each in fields(look)}
    given = [(name, value) for name, value in told.items() if value != getattr(_PLAIN, name)]
    return ", ".join(f"{name}={value!r}" for name, value in given)


def _browse(table: Table, look: Look) -> str:
    return shlex.join(["gotgan", "tables", "browse", table.name, *_options(look)])


def _browse_key(table: Table, pk: KeyValue, sk: KeyValue | None) -> str:
    sort = () if sk is None else (f"={key_text(sk)}",)
    return _browse(table, Look(pk=key_text(pk), sk=sort, limit=1))


def _options(look: Look) -> Iterator[str]:
    for name, word in _OPTIONS.items():
        value = getattr(look, name)
        if value == getattr(_PLAIN, name):
            continue
        if value is True:
            yield word
        for each in value if isinstance(value, tuple) else () if value is True else (value,):
            yield from (word, str(each))


def _parts(store: Store, query: Query[Any], piece: Piece) -> Iterator[tuple[Leg, Piece]]:
    """The legs that are still to be read, the first behind the key that the cursor names."""
    if piece.cursor is None:
        yield from ((leg, piece) for leg in query.legs)
        return
    requests = [request_of(leg, store.calls.names) for leg in query.legs]
    place = verify(store.calls.secret, fingerprint(requests), piece.cursor)
    token = None if place.key is None else starting_token(place.key)
    for number, leg in enumerate(query.legs[place.leg :]):
        yield leg, replace(piece, cursor=None if number else token)


def _query(store: Store, leg: Leg, part: Piece) -> str:
    request = request_of(leg, store.calls.names)
    words = command_words("Query", request, endpoint_of(store.calls.driver.name))
    behind = [] if part.cursor is None else ["--starting-token", part.cursor]
    return command_line([*words, "--max-items", str(part.limit), *behind])


def _get(store: Store, ref: Ref[Any]) -> str:
    return _get_key(store, ref.table, ref.item)


def _get_key(store: Store, table: Table, key: Item) -> str:
    request = {"TableName": store.calls.names.of(table), "Key": key}
    endpoint = endpoint_of(store.calls.driver.name)
    return command_line(command_words("GetItem", request, endpoint))


_OPTIONS: Final[Mapping[str, str]] = {
    "index": "--index",
    "pk": "--pk",
    "sk": "--sk",
    "filters": "--filter",
    "expression": "--expression",
    "values": "--value",
    "only": "--only",
    "limit": "--limit",
    "most_read": "--most-read",
    "newest_first": "--newest-first",
    "consistent": "--consistent",
    "cursor": "--cursor",
}
