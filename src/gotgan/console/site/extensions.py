"""Pages of types that other packages declare: lists and forms that follow from their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from fastapi import APIRouter

from gotgan.console.sections import NavPage
from gotgan.console.site.resource import Forms, ResourceList
from gotgan.domains.site.service import Site
from gotgan.verbs import verbs_of

__all__ = ["Input", "inputs_of", "pages", "router"]

_COLUMNS: Final = 6
"""The columns of a list at most."""
_LONGEST_LINE: Final = 200

Kind = Literal["line", "area", "lines", "number", "moment", "date", "choice", "flag", "other"]

_KINDS: Final[Mapping[tuple[str, str], Kind]] = {
    ("array", "string"): "lines",
    ("boolean", ""): "flag",
    ("integer", ""): "number",
    ("number", ""): "line",
    ("string", "date"): "date",
    ("string", "email"): "line",
}
"""How a field is asked for, by the type of its schema and its format, or the type of its items."""


@dataclass(frozen=True)
class Input:
    """A field of a record, as a form asks for it and a list shows it."""

    name: str
    kind: Kind
    hint: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """What can be chosen: each value, and its label."""
    is_fixed: bool = False
    """Whether it stays once the record is created."""


@cache
def inputs_of(resource: str) -> Sequence[Input]:
    """The fields that a new record of a resource takes."""
    verb, fixed = verbs_of(Site)[f"{resource}.create"], Site.extensions()[resource].fixed
    made = verb.form.model_json_schema()
    found = []
    for each in verb.parameters:
        if each.into is not None:
            parts = [*_parts(made["properties"][each.alias], made.get("$defs", {}))]
            words = [str(word) for part in parts for word in part.get("enum", ())]
            options = tuple(zip(words, words, strict=True))
            hint, is_fixed = each.field.description or "", each.name in fixed
            found.append(Input(each.name, _kind(parts), hint, options, is_fixed=is_fixed))
    return found


def _parts(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schemas of what a value may be, without null."""
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        for part in schema["anyOf"]:
            yield from _parts(part, known)
    elif schema.get("type") != "null":
        yield schema


def _kind(parts: Sequence[Mapping[str, Any]]) -> Kind:
    if any(part.get("format") == "date-time" for part in parts):
        return "moment"  # which may be a number too
    part = parts[0] if len(parts) == 1 else {}
    if "enum" in part:
        return "choice"
    if part.get("type") == "string" and "format" not in part:
        return "area" if _takes_lines(part) else "line"
    of_items = part.get("items", {}).get("type", "")
    return _KINDS.get((part.get("type", ""), part.get("format", of_items)), "other")


def _takes_lines(text: Mapping[str, Any]) -> bool:
    """Whether a text may be long and have line breaks."""
    is_long = text.get("maxLength", _LONGEST_LINE + 1) > _LONGEST_LINE
    return is_long and re.search(text.get("pattern", ""), "a\nb") is not None


# Pages


def _pages() -> Iterator[NavPage]:
    for name, kind in Site.extensions().items():
        role = "viewer" if kind.read_by == "public" else kind.read_by
        yield NavPage(name, f"/site/{name}", role)


def _router() -> APIRouter:
    made = APIRouter()
    for name, kind in Site.extensions().items():
        inputs = inputs_of(name)
        shared = {"resource": name, "inputs": inputs, "writer": kind.written_by}
        columns = [each for each in inputs if each.name != "id" and each.kind != "other"]
        listed = {**shared, "columns": columns[:_COLUMNS] or [Input("id", "line")]}
        ResourceList(
            name, values=lambda *_, values=listed: values, template="site/records.html"
        ).add_to(made)
        Forms(name, "site/record_form.html", values=lambda *_, values=shared: values).add_to(made)
    return made


pages: Final = tuple(_pages())
router: Final = _router()
