"""The pages of banners, of categories, and of types that other packages declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal

from fastapi import APIRouter
from starlette.requests import Request

from gotgan.console.binder import value_schemas
from gotgan.console.frame import NavPage
from gotgan.console.session import Viewer, app_of
from gotgan.console.site.resource import ResourceForms, ResourceList
from gotgan.domains.site.service import Site
from gotgan.store import Page
from gotgan.verbs import verbs_of

router = APIRouter()
_TIME_UNITS: Final = (("days", 86_400), ("hours", 3_600), ("minutes", 60))


def time_left(until: datetime | None, now: datetime, t: Callable[..., str]) -> str | None:
    """The time until a moment in its largest unit; None without one."""
    if until is None:
        return None
    seconds = max(0, int((until - now).total_seconds()))
    for unit, length in _TIME_UNITS:
        if seconds >= length:
            return t(f"site.left.{unit}", count=seconds // length)
    return t("site.left.none")


def _banner_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    now, t = app_of(request).clock.now(), Viewer.of(request).t
    return {"left": {each.id: time_left(each.expires_at, now, t) for each in found}}


ResourceList("banners", values=_banner_values, has_images=True).add_to(router)
ResourceList("categories").add_to(router)
ResourceForms("banners", "site/banner_form.html", has_images=True).add_to(router)
ResourceForms("categories", "site/category_form.html").add_to(router)


# Extensions

_MAX_COLUMNS: Final = 6
"""The most columns of a list."""
_MAX_LINE_LENGTH: Final = 200

InputKind = Literal["line", "area", "lines", "number", "moment", "date", "choice", "flag", "other"]

_INPUT_KINDS: Final[Mapping[tuple[str, str], InputKind]] = {
    ("array", "string"): "lines",
    ("boolean", ""): "flag",
    ("integer", ""): "number",
    ("number", ""): "line",
    ("string", "date"): "date",
    ("string", "email"): "line",
}
"""The input of a field, by the type and the format of its schema, or the type of its items."""


@dataclass(frozen=True)
class Input:
    """A field of a record in forms and lists."""

    name: str
    kind: InputKind
    hint: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """Each value with its label."""
    is_fixed: bool = False
    """Whether it cannot be changed later."""


@cache
def _inputs_of(resource: str) -> Sequence[Input]:
    verb, fixed = verbs_of(Site)[f"{resource}.create"], Site.extensions()[resource].fixed
    schemas, found = value_schemas(verb.form), []
    for each in verb.parameters:
        if each.into is not None:
            parts = schemas[each.alias]
            words = [str(word) for part in parts for word in part.get("enum", ())]
            options = tuple(zip(words, words, strict=True))
            hint, is_fixed = each.field.description or "", each.name in fixed
            found.append(Input(each.name, _input_kind(parts), hint, options, is_fixed=is_fixed))
    return found


def _input_kind(parts: Sequence[Mapping[str, Any]]) -> InputKind:
    if any(part.get("format") == "date-time" for part in parts):
        return "moment"  # it may be a number too
    part = parts[0] if len(parts) == 1 else {}
    if "enum" in part:
        return "choice"
    if part.get("type") == "string" and "format" not in part:
        is_long = part.get("maxLength", _MAX_LINE_LENGTH + 1) > _MAX_LINE_LENGTH
        takes_lines = re.search(part.get("pattern", ""), "a\nb") is not None
        return "area" if is_long and takes_lines else "line"
    of_items = part.get("items", {}).get("type", "")
    return _INPUT_KINDS.get((part.get("type", ""), part.get("format", of_items)), "other")


def _make_extension_router() -> APIRouter:
    made = APIRouter()
    for name, kind in Site.extensions().items():
        inputs = _inputs_of(name)
        shared = {"resource": name, "inputs": inputs, "writer": kind.written_by}
        columns = [each for each in inputs if each.name != "id" and each.kind != "other"]
        listed = {**shared, "columns": columns[:_MAX_COLUMNS] or [Input("id", "line")]}
        ResourceList(
            name, values=lambda *_, values=listed: values, template="site/records.html"
        ).add_to(made)
        ResourceForms(
            name, "site/record_form.html", values=lambda *_, values=shared: values
        ).add_to(made)
    return made


EXTENSION_PAGES: Final = tuple(
    NavPage(name, f"/site/{name}", "viewer" if kind.read_by == "public" else kind.read_by)
    for name, kind in Site.extensions().items()
)
extension_router: Final = _make_extension_router()
