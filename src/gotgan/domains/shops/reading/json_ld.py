"""Things that a page declares in scripts of JSON-LD."""

from __future__ import annotations

from typing import Any, Final

from gotgan.domains.shops.reading.lenient_json import parsed
from gotgan.domains.shops.reading.things import Thing, listed, things_in

__all__ = ["documents_of"]

_MOST: Final = 100
"""How many scripts of a page are read."""
_REFERRED: Final = ("offers", "priceSpecification")
"""What a product may keep elsewhere in the graph and only refer to."""


def documents_of(scripts: list[str]) -> list[Any]:
    """The documents in some scripts, with what their products refer to put in its place."""
    documents = [each for script in scripts[:_MOST] for each in parsed(script)]
    named = _named(documents) if any('"@id"' in script for script in scripts) else {}
    for thing in list(things_in(documents)) if named else ():
        _resolve(thing, named)
    return documents


def _named(documents: list[Any]) -> dict[str, Thing]:
    things = things_in(documents)
    named = ((each.get("@id"), each) for each in things if len(each) > 1)
    return {name: each for name, each in named if isinstance(name, str)}


def _resolve(thing: Thing, named: dict[str, Thing]) -> None:
    for name in _REFERRED:
        if name in thing:
            thing[name] = [_target(each, named) for each in listed(thing[name])]


def _target(value: Any, named: dict[str, Thing]) -> Any:
    is_reference = isinstance(value, dict) and len(value) == 1 and "@id" in value
    return named.get(str(value["@id"]), value) if is_reference else value
