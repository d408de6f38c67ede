"""The schemas of all answers: made of the entities as items have them."""

from __future__ import annotations

from typing import Any, Final

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.roles import ROLES
from gotgan.domains.site.types import json_schema
from gotgan.store import Entity, entities_of

__all__ = ["records", "schemas"]

_TEXT: Final = {"type": "string"}
_TEXT_OR_NULL: Final = {"type": ["string", "null"]}
_ANYTHING: Final = {"type": "object", "additionalProperties": True}


def records() -> list[type[Entity]]:
    """Every kind of record that the site has."""
    found = [entity for entity in entities_of(SITE) if issubclass(entity, SiteEntity)]
    return sorted(found, key=lambda entity: entity.__name__)


def schemas() -> dict[str, Any]:
    """The schemas, by their names; that of an answer is named after its data."""
    kinds: dict[str, Any] = {}
    for entity in records():
        kinds |= _lifted(entity)
    data = {
        **{entity.__name__: _ref(entity.__name__) for entity in records()},
        **{f"{entity.__name__}Page": _page(_ref(entity.__name__)) for entity in records()},
        **_others(),
    }
    answers = {f"{name}Answer": _answer(name, each) for name, each in data.items()}
    return {**kinds, **answers, "Failure": _failure()}


def _lifted(entity: type[Entity]) -> dict[str, Any]:
    """An entity's schema, and those of its parts beside it."""
    made = json_schema(entity)
    parts = made.pop("$defs", {})
    lifted: dict[str, Any] = _repointed({entity.__name__: made, **parts})
    return lifted


def _repointed(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: each.replace("#/$defs/", "#/components/schemas/")
            if key == "$ref"
            else _repointed(each)
            for key, each in value.items()
        }
    return [_repointed(each) for each in value] if isinstance(value, list) else value


def _others() -> dict[str, Any]:
    """What is no record and no page of records."""
    posts = _page(_ref("Post"))
    posts["properties"]["filtered"] = {
        "type": "boolean",
        "description": "Whether `q` dropped some of what was read.",
    }
    posts["required"].append("filtered")
    return {
        "PostPage": posts,
        "Post": _with_html("Post"),
        "Draft": _with_html("Draft"),
        "CategoryList": _object(items=_list(_ref("Category"))),
        "TypeList": _object(schemaVersion=_TEXT, items=_list(_described())),
        "ItemPage": _page(_ANYTHING),
        "Receipt": _object(id=_TEXT, status={"const": "new"}, CreatedAt=_TEXT),
        "IssuedToken": _object(
            token=_ref("Token"), text={**_TEXT, "description": "The token; shown this once."}
        ),
        "Me": _object(user=_ref("User"), token=_ref("Token"), role={"enum": list(ROLES)}),
        "Health": _object(status={"const": "ok"}, version=_TEXT),
        "Nothing": {"type": "null"},
    }


def _described() -> dict[str, Any]:
    """A type, as the registry tells of it."""
    return _object(
        type=_TEXT,
        description=_TEXT,
        key=_ANYTHING,
        indexes=_ANYTHING,
        patterns=_list(_ANYTHING),
        readableBy={"enum": ["public", *ROLES]},
        writableBy={"enum": [*ROLES, None]},
        writable=_list(_TEXT),
        schema=_ANYTHING,
    )


def _with_html(name: str) -> dict[str, Any]:
    html = {**_TEXT, "description": "The contents as safe HTML, where `html=true` asks for it."}
    return {"allOf": [_ref(name), {"type": "object", "properties": {"html": html}}]}


def _page(record: dict[str, Any]) -> dict[str, Any]:
    read = _object(
        items={"type": "integer", "description": "How many records were read for this page."},
        units={"type": "number", "description": "The read units that they took."},
    )
    cursor = {**_TEXT_OR_NULL, "description": "Where the next page begins; null at the end."}
    return _object(items=_list(record), cursor=cursor, read=read)


def _answer(name: str, data: dict[str, Any]) -> dict[str, Any]:
    body = _object(success={"const": True}, data=data, error={"type": "null"})
    return {"title": f"{name}Answer", **body}


def _failure() -> dict[str, Any]:
    error = _object(
        code={"type": "string", "description": "What went wrong, for programs to compare."},
        message={"type": "string", "description": "What went wrong, and what to do."},
        details={"description": "What there is to know besides: both versions, or each value."},
        traceId={"type": "string", "description": "The X-Request-Id of the request."},
    )
    return _object(success={"const": False}, data={"type": "null"}, error=error)


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(record: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": record}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}
