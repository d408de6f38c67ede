"""Hand-written routes of the site: posts, inquiries, the caller's profile, and types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api import messages
from gotgan.api.auth import get_app, get_caller, get_role
from gotgan.api.binder import Endpoint, bind, verb_arguments, verb_response
from gotgan.api.responses import ok
from gotgan.api.routes import StrictJson, route_options
from gotgan.domains.site.keys import new_id
from gotgan.domains.site.messages import role_word
from gotgan.domains.site.models import (
    DOCUMENT_VERSION,
    SCHEMA_VERSION,
    Caller,
    Role,
    Token,
    User,
    allows,
)
from gotgan.domains.site.params import Line, Mailbox, Message, ZoneName
from gotgan.domains.site.service import Site
from gotgan.domains.site.types import TypeDescription, read_role
from gotgan.encoding import encode
from gotgan.errors import Forbidden, Unauthenticated
from gotgan.events import emit
from gotgan.store import Entity, Page
from gotgan.texts import Language
from gotgan.verbs import Verb

router = APIRouter(route_class=StrictJson)


def _post_list_endpoint(verb: Verb) -> Callable[..., Any]:
    """Posts are asked for most: a page of them is read without a thread if possible.

    With the database in this process, a short read is mostly Python, of which one thread runs at a
    time: handing it to another thread and back takes as long as the read.
    """

    async def list_posts(request: Request) -> Response:
        values, app = await verb_arguments(request, verb, frozenset()), get_app(request)

        def read() -> Response:
            return verb_response(request, verb, app.site.posts.list(**values))

        is_search = values["q"] is not None  # it may read thousands
        is_quick = app.store.is_in_process and not is_search
        return read() if is_quick else await run_in_threadpool(read)

    return list_posts


# Visitors


class _RequestModel(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class ContactBody(_RequestModel):
    """A message of a visitor."""

    name: Annotated[Line, Field(examples=["홍길동"])]
    email: Mailbox
    company: Line | None = None
    title: Line | None = None
    referral: Line | None = None
    subject: Annotated[Line, Field(examples=["협업 문의"])]
    message: Annotated[Message, Field(examples=["협업 관련해서 문의드립니다."])]
    website: Annotated[str, Field(max_length=200)] = Field(
        default="", description="Leave it empty: a hidden field that only spam programs fill in."
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
    **route_options(
        "Leave a message", gives=Receipt, role=None, status=201, fails=(400, 429), body=True
    ),
)
def leave_message(request: Request, body: ContactBody) -> Response:
    """Leave a message for the company. Limit: five per address in ten minutes."""
    app, fields = get_app(request), dict(body)
    if fields.pop("website"):
        # A program filled in what people do not see. It gets a receipt, too.
        emit("site.contact.trapped", level="info")
        now = app.clock.now()
        return ok(request, encode(Receipt(new_id(now), now)), status=201)
    address = "" if request.client is None else request.client.host
    inquiry = app.site.inquiries.receive(**fields, address=address)
    return ok(request, encode(Receipt(inquiry.id, inquiry.created_at)), status=201)


# Oneself


class PreferencesBody(_RequestModel):
    """How pages look for you; null removes a choice, and what is left out stays."""

    zone: ZoneName | None = None
    language: Language | None = Field(default=None, description="Language of pages.")


@dataclass(frozen=True)
class Me:
    """Who you are."""

    user: User
    token: Token | None
    role: Role
    """The role that counts: the lesser of the user's and the token's."""


@router.get("/me", tags=["users"], **route_options("Show your account", gives=Me, role="viewer"))
def who_am_i(request: Request) -> Response:
    """User and token of this request, and the role that applies."""
    caller = get_caller(request)
    return _me(request, caller, caller.user)


@router.patch(
    "/me",
    tags=["users"],
    **route_options("Set your preferences", gives=Me, role="viewer", fails=(400, 404), body=True),
)
def set_preferences(request: Request, body: PreferencesBody) -> Response:
    """Set your time zone and language for pages. Null removes a setting."""
    caller = get_caller(request)
    changes: Any = body.model_dump(exclude_unset=True)
    return _me(
        request, caller, get_app(request).site.users.set_preferences(caller.user.id, changes)
    )


def _me(request: Request, caller: Caller, user: User) -> Response:
    return ok(request, encode(Me(user, caller.token, caller.role)))


# Types


@dataclass(frozen=True)
class TypeList:
    """Every type of the table."""

    schema_version: str
    """The version of this schema."""
    document_version: str
    """The schema document that it extends."""
    items: tuple[TypeDescription, ...]


@router.get("/types", tags=["types"], **route_options("List types", gives=TypeList, role=None))
def list_types(request: Request) -> Response:
    """All types with their JSON Schema, keys, access patterns and writable fields."""
    types = get_app(request).site.types
    described = tuple(types.describe(name) for name in sorted(types.all()))
    return ok(request, encode(TypeList(SCHEMA_VERSION, DOCUMENT_VERSION, described)))


class _ItemsQuery(BaseModel):
    limit: int = Field(default=20, ge=1, le=100, description="Number of records to return.")
    cursor: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_096,
        description="The `cursor` of the previous page. It is opaque and valid only for the same "
        "list.",
    )

    type: str = Field(
        min_length=1,
        max_length=100,
        description="Name of the type.",
        examples=["Banner"],
    )


@router.get(
    "/items",
    tags=["types"],
    **route_options(
        "List items of a type",
        gives=Page[dict[str, Any]],
        role=None,
        fails=(400, 404),
        by_type=True,
        query=_ItemsQuery,
    ),
)
def list_items(request: Request) -> Response:
    """Items of a type, newest first, if your role may read them."""
    try:
        listing = _ItemsQuery.model_validate(dict(request.query_params))
    except ValidationError as error:
        wrong = [{**each, "loc": ("query", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(wrong) from None
    types = get_app(request).site.types
    role, needed = get_role(request), read_role(types.entity(listing.type))
    if needed is not None and not allows(role, needed):
        what = {"type": listing.type, "needed": role_word(needed)}
        if role is None:
            raise Unauthenticated(messages.TYPE_NEEDS_TOKEN(**what))
        raise Forbidden(messages.TYPE_NEEDS_ROLE(**what))
    found: Page[Entity] = types.list(listing.type, limit=listing.limit, cursor=listing.cursor)
    return ok(request, encode(found))


ROUTERS: Final = (
    router,
    bind(Site, {"posts.list": Endpoint(make=_post_list_endpoint)}, runs=False),
)
RUN_ROUTER: Final = bind(Site, runs=True)
"""What runs after its answer, which a function on AWS Lambda cannot."""
