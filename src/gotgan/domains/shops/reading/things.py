"""Things as schema.org describes them, whichever standard they were written in.

A thing is a dictionary: ``@type`` names its kinds, and what else it holds are values, other things,
or lists of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Any, Final

__all__ = ["Thing", "kinds_of", "listed", "text_in", "things_in"]

Thing = dict[str, Any]

_MOST: Final = 20_000
"""How many values of a page are looked at: a catalogue of thousands of things is not read out."""
_LONGEST: Final = 2_000
"""How much of a text is kept: no name and no address of use is longer."""


def things_in(values: list[Any], apart: frozenset[str] = frozenset()) -> Iterator[Thing]:
    """Every thing in some documents in their order, but none held under the names set apart."""
    waiting = list(reversed(values))
    seen: set[int] = set()
    for _ in range(_MOST):
        if not waiting:
            return
        each = waiting.pop()
        if isinstance(each, dict) and id(each) not in seen:
            seen.add(id(each))
            yield each
            held = [value for name, value in each.items() if name not in apart]
            waiting.extend(reversed([value for value in held if isinstance(value, dict | list)]))
        elif isinstance(each, list):
            waiting.extend(reversed(each))


def kinds_of(thing: Thing) -> frozenset[str]:
    """What a thing is, in lower case, without the address of the vocabulary."""
    named = (each for each in listed(thing.get("@type")) if isinstance(each, str))
    return frozenset(_last_segment(each) for name in named for each in name.split())


def listed(value: Any) -> list[Any]:
    """One value or several, as a list; none where there is none."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def text_in(value: Any) -> str | None:
    """The first text among some values, on one line; many write entities where none belong."""
    texts = (each.get("@value") if isinstance(each, dict) else each for each in listed(value))
    first = next((each for each in texts if isinstance(each, str) and each.strip()), None)
    return " ".join(unescape(first[:_LONGEST]).split()) if first else None


def _last_segment(name: str) -> str:
    return name.rstrip("/#").replace("#", "/").replace(":", "/").rpartition("/")[2].lower()
