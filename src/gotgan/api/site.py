"""Routes of the site that are written by hand: posts in a hurry, visitors, oneself, and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.binder import Endpoint, answered, bind, values_of
from gotgan.api.envelope import ok
from gotgan.api.paging import Paged, asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.running import read_at_once
from gotgan.api.who import app_of, caller_of, role_of
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import DOCUMENT_VERSION, SCHEMA_VERSION, Caller, Token, User
from gotgan.domains.site.params import Line, Mailbox, Message, ZoneName
from gotgan.domains.site.roles import Role, allows
from gotgan.domains.site.service import Site
from gotgan.domains.site.types import TypeDescription, reader_of
from gotgan.encoding import encode
from gotgan.errors import Forbidden, Unauthenticated
from gotgan.events import emit
from gotgan.store import Entity, Page
from gotgan.texts import Language
from gotgan.verbs import Verb

__all__ = [
    "ROUTERS",
    "RUNNING",
    "ContactBody",
    "Me",
    "PreferencesBody",
    "Receipt",
    "TypeList",
    "leave_message",
    "list_items",
    "list_types",
    "set_preferences",
    "who_am_i",
]

router = APIRouter(route_class=StrictJson)


def _listed(verb: Verb) -> Callable[..., Any]:
    """Posts are asked for most: a page of them is read without a thread where it can be."""

    async def list_posts(request: Request) -> Response:
        values, posts = await values_of(request, verb, frozenset()), app_of(request).site.posts

        def read() -> Response:
            return answered(request, verb, posts.list(**values))

        if values["q"] is None:
            return await read_at_once(request, read)
        return await run_in_threadpool(read)  # it may look through thousands

    return list_posts


# Visitors


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class ContactBody(_Sent):
    """A message of a visitor."""

    name: Annotated[Line, Field(examples=["홍길동"])]
    email: Mailbox
    company: Line | None = None
    title: Line | None = None
    referral: Line | None = None
    subject: Annotated[Line, Field(examples=["협업 문의"])]
    message: Annotated[Message, Field(examples=["협업 관련해서 문의드립니다."])]
    website: Annotated[str, Field(max_length=200)] = Field(
        default="", description="Leave it empty: people do not see this field, programs fill it in."
    )


@dataclass(frozen=True)
class Receipt:
    """What a visitor gets for a message."""

    shown: ClassVar = {"id": "id", "status": "status", "CreatedAt": "created_at"}

    id: str
    created_at: datetime
    status: Literal["new"] = "new"


@router.post(
    "/contact",
    tags=["inquiries"],
    **declared(
        "Leave a message", gives=Receipt, role=None, status=201, fails=(400, 429), body=True
    ),
)
def leave_message(request: Request, body: ContactBody) -> Response:
    """Leave a message for the company; five are taken from an address within ten minutes."""
    app, fields = app_of(request), dict(body)
    if fields.pop("website"):
        # A program filled in what people do not see. It is told what it wants to hear.
        emit("site.contact.trapped", level="info")
        now = app.clock.now()
        return ok(encode(Receipt(new_id(now), now)), status=201)
    address = "" if request.client is None else request.client.host
    inquiry = app.site.inquiries.receive(**fields, address=address)
    return ok(encode(Receipt(inquiry.id, inquiry.created_at)), status=201)


# Oneself


class PreferencesBody(_Sent):
    """How pages look for you; null removes a choice, and what is left out stays."""

    zone: ZoneName | None = None
    language: Language | None = Field(default=None, description="The language of pages.")


@dataclass(frozen=True)
class Me:
    """Who you are."""

    user: User
    token: Token | None
    role: Role
    """The role that counts: the lesser of the user's and the token's."""


@router.get("/me", tags=["users"], **declared("Ask who you are", gives=Me, role="viewer"))
def who_am_i(request: Request) -> Response:
    """The user and the token that this request came with, and the role that counts."""
    caller = caller_of(request)
    return _me(caller, caller.user)


@router.patch(
    "/me",
    tags=["users"],
    **declared("Set your preferences", gives=Me, role="viewer", fails=(400, 404), body=True),
)
def set_preferences(request: Request, body: PreferencesBody) -> Response:
    """Set the zone and the language that pages use for you; null removes a choice."""
    caller, changes = caller_of(request), body.model_dump(exclude_unset=True)
    changed: Any = changes
    return _me(caller, app_of(request).site.users.set_preferences(caller.user.id, changed))


def _me(caller: Caller, user: User) -> Response:
    return ok(encode(Me(user, caller.token, caller.role)))


# Types


@dataclass(frozen=True)
class TypeList:
    """Every type of the table."""

    schema_version: str
    """The version of this schema."""
    document_version: str
    """The schema document that it extends."""
    items: tuple[TypeDescription, ...]


@router.get("/types", tags=["types"], **declared("List types", gives=TypeList, role=None))
def list_types(request: Request) -> Response:
    """Every type: its JSON Schema, its keys, its access patterns, and what may be written."""
    types = app_of(request).site.types
    described = tuple(types.describe(name) for name in sorted(types.all()))
    return ok(encode(TypeList(SCHEMA_VERSION, DOCUMENT_VERSION, described)))


class _OfType(Paged):
    """What is asked of the items of a type."""

    type: str = Field(
        min_length=1,
        max_length=100,
        description="The type, as the registry names it.",
        examples=["Banner"],
    )


@router.get(
    "/items",
    tags=["types"],
    **declared(
        "List items of a type",
        gives=Page[dict[str, Any]],
        role=None,
        fails=(400, 404),
        by_type=True,
        query=_OfType,
    ),
)
def list_items(request: Request) -> Response:
    """The items of a type, newest first, as far as the caller's role may read them."""
    listing, types = asked(request, _OfType), app_of(request).site.types
    role, needed = role_of(request), reader_of(types.named(listing.type))
    if not allows(role, needed):
        told = f"items of the type {listing.type} are for the role {needed}"
        raise Unauthenticated(f"{told}; send a token") if role is None else Forbidden(told)
    found: Page[Entity] = types.list(listing.type, limit=listing.limit, cursor=listing.cursor)
    return ok(encode(found))


_ENDPOINTS: Final[Mapping[str, Endpoint]] = {"posts.list": Endpoint(make=_listed)}
ROUTERS: Final = (router, bind(Site, _ENDPOINTS, runs=False))
RUNNING: Final = bind(Site, runs=True)
"""What goes on after its answer, which a function of the cloud does not."""
