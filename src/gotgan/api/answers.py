"""The schemas of all answers: made of the entities as items have them."""

from __future__ import annotations

from typing import Any

from gotgan.api import videos
from gotgan.api.analysis import answers as analysis
from gotgan.api.shapes import (
    ANYTHING,
    TEXT,
    TEXT_OR_NULL,
    TRUTH,
    WHOLE,
    cost,
    list_of,
    object_of,
    or_null,
    page_of,
    ref,
)
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.roles import ROLES
from gotgan.domains.site.types import json_schema
from gotgan.store import Entity, entities_of

__all__ = ["records", "schemas"]


def records() -> list[type[Entity]]:
    """Every kind of record that the site has."""
    found = [entity for entity in entities_of(SITE) if issubclass(entity, SiteEntity)]
    return sorted(found, key=lambda entity: entity.__name__)


def schemas() -> dict[str, Any]:
    """The schemas, by their names; that of an answer is named after its data."""
    kinds: dict[str, Any] = {}
    kinds["SendingReport"] = _sending()
    kinds["SiteAdoptReport"] = _site_adopted()
    for entity in records():
        kinds |= _lifted(entity)
    data = {
        **{entity.__name__: ref(entity.__name__) for entity in records()},
        **{f"{entity.__name__}Page": page_of(ref(entity.__name__)) for entity in records()},
        **_others(),
        **videos.data(),
    }
    answers = {f"{name}Answer": _answer(name, each) for name, each in data.items()}
    return {**kinds, **answers, **analysis.schemas(), "Failure": _failure()}


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
    posts = page_of(ref("Post"))
    posts["properties"]["filtered"] = {
        "type": "boolean",
        "description": "Whether `q` dropped some of what was read.",
    }
    posts["required"].append("filtered")
    return {
        "PostPage": posts,
        "Post": _with_html("Post"),
        "Draft": _with_html("Draft"),
        "CategoryList": object_of(items=list_of(ref("Category"))),
        "TypeList": object_of(
            schemaVersion={**TEXT, "description": "The version of this schema."},
            documentVersion={**TEXT, "description": "The schema document that it extends."},
            items=list_of(_described()),
        ),
        "ItemPage": page_of(ANYTHING),
        "Receipt": object_of(id=TEXT, status={"const": "new"}, CreatedAt=TEXT),
        "IssuedToken": object_of(
            token=ref("Token"), text={**TEXT, "description": "The token; shown this once."}
        ),
        "Me": object_of(user=ref("User"), token=ref("Token"), role={"enum": list(ROLES)}),
        "Run": object_of(run=ref("Run"), report=or_null(_report())),
        "Health": object_of(
            status={"const": "ok"},
            checks={"type": "object", "additionalProperties": {"const": "ok"}},
            version=TEXT,
        ),
        "Nothing": {"type": "null"},
    }


def _described() -> dict[str, Any]:
    """A type, as the registry tells of it."""
    return object_of(
        type=TEXT,
        description=TEXT,
        key=ANYTHING,
        indexes=ANYTHING,
        patterns=list_of(ANYTHING),
        readableBy={"enum": ["public", *ROLES]},
        writableBy={"enum": [*ROLES, None]},
        writable=list_of(TEXT),
        schema=ANYTHING,
    )


def _report() -> dict[str, Any]:
    of_adopt = ("SiteAdoptReport",)
    return {"anyOf": [ref(name) for name in (*of_adopt, "SendingReport")]}


def _sending() -> dict[str, Any]:
    return object_of(
        sent=WHOLE,
        failed={**WHOLE, "description": "How many failed and stay queued; each says why."},
        lost={**WHOLE, "description": "How many another worker took over meanwhile."},
        waiting={**TEXT_OR_NULL, "description": "What keeps all mails from being sent."},
        cost=cost(),
    )


def _site_adopted() -> dict[str, Any]:
    return object_of(
        read={**WHOLE, "description": "How many posts, drafts and categories were read."},
        pointers={**WHOLE, "description": "How many ids can be looked up now."},
        slugs={**WHOLE, "description": "How many slugs are kept unique now."},
        failed={**list_of(TEXT), "description": "Such as slugs that two categories have."},
        is_complete={**TRUTH, "description": "Whether all were read; if not, run it again."},
        cost=cost(),
    )


def _with_html(name: str) -> dict[str, Any]:
    html = {**TEXT, "description": "The contents as safe HTML, where `html=true` asks for it."}
    return {"allOf": [ref(name), {"type": "object", "properties": {"html": html}}]}


def _answer(name: str, data: dict[str, Any]) -> dict[str, Any]:
    body = object_of(success={"const": True}, data=data, error={"type": "null"})
    return {"title": f"{name}Answer", **body}


def _failure() -> dict[str, Any]:
    error = object_of(
        code={"type": "string", "description": "What went wrong, for programs to compare."},
        message={"type": "string", "description": "What went wrong, and what to do."},
        details={"description": "What there is to know besides: both versions, or each value."},
        traceId={"type": "string", "description": "The X-Request-Id of the request."},
    )
    return object_of(success={"const": False}, data={"type": "null"}, error=error)
