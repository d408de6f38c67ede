"""Structured data of a page: things of schema.org in JSON-LD, microdata and RDFa Lite.

A thing is a dictionary: ``@type`` has its types, and its other fields hold values, other things, or
lists of them. JSON is read leniently: entities are resolved, comments (of HTML, JavaScript and
CDATA) and trailing commas dropped, and line breaks in strings become spaces. Every document of a
script is read, up to the first one that is broken beyond that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

Thing = dict[str, Any]

_MAX_VALUES: Final = 20_000
"""Values of a page that are looked at: a large catalogue is not read in full."""
_MAX_CHARS: Final = 2_000
"""How much of a text is kept: no useful name or URL is longer."""


def iter_things(values: list[Any], apart: frozenset[str] = frozenset()) -> Iterator[Thing]:
    """Every thing in some documents in order, except those in the fields set apart."""
    waiting = list(reversed(values))
    seen: set[int] = set()
    for _ in range(_MAX_VALUES):
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


def thing_types(thing: Thing) -> frozenset[str]:
    """The types of a thing, in lower case, without the URL of the vocabulary."""
    named = (each for each in as_list(thing.get("@type")) if isinstance(each, str))
    names = (each for name in named for each in name.split())
    urls = (each.rstrip("/#").replace("#", "/").replace(":", "/") for each in names)
    return frozenset(url.rpartition("/")[2].lower() for url in urls)


def as_list(value: Any) -> list[Any]:
    """One value or several as a list; empty for None."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def first_text(value: Any) -> str | None:
    """The first text among some values, on one line; many sites write entities in it."""
    texts = (each.get("@value") if isinstance(each, dict) else each for each in as_list(value))
    first = next((each for each in texts if isinstance(each, str) and each.strip()), None)
    return " ".join(unescape(first[:_MAX_CHARS]).split()) if first else None


_MAX_SCRIPTS: Final = 100
_REFERENCE_FIELDS: Final = ("offers", "priceSpecification")


def json_ld_documents(scripts: list[str]) -> list[Any]:
    """The documents in some scripts, with the references of products resolved."""
    documents = [each for script in scripts[:_MAX_SCRIPTS] for each in parse_lenient_json(script)]
    if any('"@id"' in script for script in scripts):
        things = list(iter_things(documents))
        names = ((each.get("@id"), each) for each in things if len(each) > 1)
        by_id = {name: each for name, each in names if isinstance(name, str)}
        for thing in things if by_id else ():
            for name in _REFERENCE_FIELDS:
                if name in thing:
                    thing[name] = [_resolve_reference(each, by_id) for each in as_list(thing[name])]
    return documents


def _resolve_reference(value: Any, by_id: dict[str, Thing]) -> Any:
    is_reference = isinstance(value, dict) and len(value) == 1 and "@id" in value
    return by_id.get(str(value["@id"]), value) if is_reference else value


_ENTITY: Final = re.compile(r"&(?:quot|#34|#x22);", re.IGNORECASE)
_REPAIRS: Final = re.compile(
    r'("(?:[^"\\]|\\.)*+"?)'  # strings are kept: they may contain what looks like a comment
    r"|<!--|-->|<!\[CDATA\[|\]\]>"
    r"|/\*.*?(?:\*/|\Z)|//[^\n]*"
    r"|,(?=\s*[}\]])"
    r"|;(?=\s*$)",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"(\\[\"\\/bfnrtu])|\\(.)", re.DOTALL)
_QUOTE: Final = re.compile(r'([{\[,:]\s*)?(?<!\\)"(?=(\s*[,:}\]]))?')
"""A quotation mark, and what makes it the begin or the end of a string."""
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_DECODER: Final = json.JSONDecoder(strict=False)
_BETWEEN: Final = re.compile(r"\s*,?\s*")


def parse_lenient_json(text: str) -> list[Any]:
    """The documents of a script, up to where it cannot be read."""
    text = text.lstrip("\ufeff")
    try:
        value = orjson.loads(text)
        return [value] if not isinstance(value, str) else _decode_all(value)  # was encoded twice
    except ValueError:
        if '"' not in text and _ENTITY.search(text):
            text = unescape(text)
    repaired = _REPAIRS.sub(lambda found: _repair_string(found[1] or ""), text).strip()
    return _decode_all(repaired) or _decode_all(_QUOTE.sub(_escape_inner, text).strip())


def _repair_string(text: str) -> str:
    return _ESCAPE.sub(lambda found: found[1] or found[2], _CONTROL.sub(" ", text))


def _escape_inner(quote: re.Match[str]) -> str:
    return quote[0] if quote[1] or quote[2] else '\\"'


def _decode_all(text: str) -> list[Any]:
    found: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
    return found


@dataclass(frozen=True)
class Vocabulary:
    """The attributes in which a standard writes the start of a thing, its type and its fields."""

    scope: str
    kind: str
    name: str


MICRODATA: Final = Vocabulary(scope="itemscope", kind="itemtype", name="itemprop")
RDFA: Final = Vocabulary(scope="typeof", kind="typeof", name="property")

_VALUE_ATTRIBUTES: Final = {
    "a": "href",
    "area": "href",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "input": "value",
    "link": "href",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}
"""The attribute that holds an element's value; other elements have their text."""
_MAX_SCOPE_DISTANCE: Final = 100
_MAX_NODES: Final = 5_000
_MAX_REFERRERS: Final = 20
_MAX_REFERENCES: Final = 10
_PLAIN_NAME: Final = re.compile(r"[\w-]+")
_MAX_VALUE_CHARS: Final = 500
_MAX_TEXT_CHARS: Final = 1_000_000


def markup_things(tree: LexborHTMLParser, vocabulary: Vocabulary) -> list[Thing]:
    """The top-level things of a page, in its order."""
    found = tree.css(f"[{vocabulary.scope}], [{vocabulary.name}]")
    nodes = list({node.mem_id: node for node in found}.values())  # some match both
    reader = _MarkupReader(vocabulary)
    for node in tree.css("[itemref]")[:_MAX_REFERRERS] if vocabulary is MICRODATA else ():
        reader.refer(node, tree)
    return [thing for node in nodes[:_MAX_NODES] if (thing := reader.read(node)) is not None]


class _MarkupReader:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._scopes: dict[int, Thing] = {}
        self._referred: dict[int, Thing] = {}
        self._left = _MAX_TEXT_CHARS

    def refer(self, node: LexborNode, tree: LexborHTMLParser) -> None:
        """Give a thing the fields in other parts of the page that it refers to."""
        thing = self._begin(node)
        for name in (node.attributes.get("itemref") or "").split()[:_MAX_REFERENCES]:
            part = tree.css_first(f'[id="{name}"]') if _PLAIN_NAME.fullmatch(name) else None
            if part is not None:
                self._referred.setdefault(part.mem_id, thing)

    def _begin(self, node: LexborNode) -> Thing:
        kinds = (node.attributes.get(self._vocabulary.kind) or "").split()
        return self._scopes.setdefault(node.mem_id, {"@type": kinds})

    def read(self, node: LexborNode) -> Thing | None:
        """The thing that begins with an element, unless it is a field of another."""
        attributes, vocabulary = node.attributes, self._vocabulary
        holder = self._holder(node)
        thing: Thing | None = None
        if vocabulary.scope in attributes:
            thing = self._begin(node)
        names = (attributes.get(vocabulary.name) or "").split()
        if holder is None or not names:
            return thing
        value: Any = thing
        if value is None:
            declared = ("content", _VALUE_ATTRIBUTES.get(node.tag or "", ""))
            value = next(filter(None, map(attributes.get, declared)), None) or self._text(node)
        for name in names:
            holder.setdefault(name.rpartition(":")[2], []).append(value)
        return None

    def _holder(self, node: LexborNode) -> Thing | None:
        if self._referred and node.mem_id in self._referred:
            return self._referred[node.mem_id]
        above = node.parent
        for _ in range(_MAX_SCOPE_DISTANCE):
            if above is None:
                return None
            holder = self._scopes.get(above.mem_id) or self._referred.get(above.mem_id)
            if holder is not None:
                return holder
            above = above.parent
        return None

    def _text(self, node: LexborNode) -> str:
        """The text of an element; empty once a page has had too much of it."""
        if self._left <= 0:
            return ""
        text = node.text()
        self._left -= len(text)
        return text[:_MAX_VALUE_CHARS].strip()
