"""JSON documents, and documents like a given one with something else somewhere."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

__all__ = ["mutated", "values"]

_ODD = [
    "",
    " ",
    "\u0000",
    "\u2028",
    "\ud800",
    "x" * 49,
    "x" * 51,
    "x" * 301,
    "x" * 1_001,
    "v2",
    "c1",
]
texts = st.one_of(st.text(max_size=20), st.sampled_from(_ODD))
"""Those that are too long, blank, or half a character among them."""
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**20),
    st.sampled_from([0.5, -0.5, 1.5, 1e300]),  # JSON Schema takes 1.0 for a whole number
    texts,
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)
Place = tuple[int | str, ...]


def mutated(document: Any) -> st.SearchStrategy[Any]:
    """The document with one to three changes: something replaced, taken out, added or repeated."""
    return st.lists(_changes(document), min_size=1, max_size=3).map(
        lambda changes: _changed(document, changes)
    )


def _changes(document: Any) -> st.SearchStrategy[tuple[Place, str, Any]]:
    places = st.sampled_from(sorted(_places(document), key=repr))
    deeds = st.sampled_from(["replace", "remove", "add", "repeat"])
    return st.tuples(places, deeds, values)


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    if place:
        yield place
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in inner:
            yield from _places(each, (*place, name))


def _changed(document: Any, changes: list[tuple[Place, str, Any]]) -> Any:
    result = copy.deepcopy(document)
    for place, deed, value in changes:
        _change(result, place, deed, copy.deepcopy(value))
    return result


def _change(document: Any, place: Place, deed: str, value: Any) -> None:
    """Change one thing, unless an earlier change has taken away where it would be."""
    *way, last = place
    for name in way:
        if not _has(document, name):
            return
        document = document[name]
    if not _has(document, last):
        return
    if deed == "replace":
        document[last] = value
    elif deed == "remove":
        del document[last]
    elif isinstance(document, dict):
        document[f"{last}x"] = value
    else:
        document.extend([value if deed == "add" else document[int(last)]] * 15)


def _has(value: Any, name: int | str) -> bool:
    if isinstance(value, list):
        return isinstance(name, int) and name < len(value)
    return isinstance(value, dict) and name in value
