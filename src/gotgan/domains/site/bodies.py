"""What may be sent to the site: each body with its bounds, under the names that items have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Final, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from gotgan.domains.site.additional import ATTRIBUTE_NAME, name_problem
from gotgan.domains.site.contents import Contents, Format
from gotgan.domains.site.letters import mailbox
from gotgan.domains.site.models import Status
from gotgan.domains.site.nesting import misfit
from gotgan.domains.site.roles import Role
from gotgan.errors import UsageError
from gotgan.store import camel_case
from gotgan.store.attributes import encode
from gotgan.store.engine.values import size_of
from gotgan.texts import Language

__all__ = [
    "AttributeName",
    "BannerBody",
    "BannerNew",
    "Body",
    "CategoryBody",
    "CategoryNew",
    "CompanyBody",
    "ContactBody",
    "DraftNew",
    "Line",
    "PostBody",
    "PostNew",
    "PreferencesBody",
    "PublishBody",
    "ReplyBody",
    "StatusBody",
    "TokenNew",
    "UserBody",
    "UserNew",
    "checked",
    "checked_words",
    "patch_of",
]

B = TypeVar("B", bound="Body")

_MOST_BYTES: Final = 300_000
_LAST_SECOND: Final = 253_402_300_799
_MOMENTS: Final = frozenset({"expires_at"})
"""Fields that are sent as seconds, and are moments in a record."""
_CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_BREAKS: Final = rf"{_CONTROLS}\t\n"
_VISIBLE: Final = rf"[^\s\\{_BREAKS}]"
_LINK: Final = rf"^ *(https://{_VISIBLE}+|/|/(?!/){_VISIBLE}+) *$"


@dataclass(frozen=True)
class _Told:
    """Tells the schema what a check accepts, by a word of it; the check says it in a sentence."""

    word: str
    value: str

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core), self.word: self.value}


def _one_line(text: str) -> str:
    if re.search(f"[{_BREAKS}]", text):
        raise PydanticCustomError("one_line", "use one line, without control characters")
    return text


def _plain_text(text: str) -> str:
    if re.search(f"[{_CONTROLS}]", text.replace("\r\n", "\n")):
        raise PydanticCustomError("plain_text", "leave out control characters")
    return text


def _mailbox(text: str) -> str:
    if mailbox(text) is None:
        raise PydanticCustomError("mailbox", "use one address such as somebody@example.com")
    return text.strip()


def _whole(value: Any) -> Any:
    """Python counts with truth and falsehood, and JSON does not; a form sends digits."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


def _holdable(contents: Contents) -> Contents:
    problem = misfit(contents)
    if problem is not None:
        raise PydanticCustomError(*problem)
    return contents


def _bounded(contents: Contents) -> Contents:
    if size_of(encode(contents)) > _MOST_BYTES:
        raise PydanticCustomError(
            "contents_too_long",
            "contents take at most {most} bytes; keep pictures elsewhere",
            {"most": f"{_MOST_BYTES:,}"},
        )
    return contents


def _link(text: str) -> str:
    if not re.match(_LINK, text):
        raise PydanticCustomError("link", "use an address that begins with https:// or with one /")
    return text


def _attribute_name(name: str) -> str:
    problem = name_problem(name)
    if problem is not None:
        raise PydanticCustomError("attribute_name", "{problem}", {"problem": problem})
    return name


NewId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Reference = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^#]*[^#\s][^#]*$")]
Line = Annotated[
    str,
    Field(min_length=1, max_length=200),
    AfterValidator(_one_line),
    _Told("pattern", rf"^[^{_BREAKS}]*[^\s{_BREAKS}][^{_BREAKS}]*$"),
]
Text = Annotated[
    str,
    Field(max_length=2_000),
    AfterValidator(_plain_text),
    _Told("pattern", rf"^[^{_CONTROLS}]*$"),
]
Message = Annotated[
    str,
    Field(min_length=1, max_length=5_000),
    AfterValidator(_plain_text),
    _Told("pattern", rf"^[^{_CONTROLS}]*[^\s{_CONTROLS}][^{_CONTROLS}]*$"),
]
Mailbox = Annotated[
    str,
    Field(min_length=3, max_length=254, examples=["user@example.com"]),
    AfterValidator(_mailbox),
    _Told("format", "email"),
]
Link = Annotated[
    str,
    Field(max_length=2_000, examples=["https://cdn.example.com/banner/bn001.png"]),
    AfterValidator(_link),
    _Told("pattern", _LINK),
]
ZoneName = Annotated[str, Field(max_length=100, examples=["Asia/Seoul"])]
AttributeName = Annotated[str, AfterValidator(_attribute_name)]
Slug = Annotated[str, Field(max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Seconds = Annotated[
    int,
    Field(ge=1, le=_LAST_SECOND, description="Seconds since 1970.", examples=[1893456000]),
    BeforeValidator(_whole),
]
Version = Annotated[
    int,
    Field(ge=0, le=_LAST_SECOND, description="The version that the change is for."),
    BeforeValidator(_whole),
]
Order = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_whole)]
Days = Annotated[int, Field(ge=1, le=3_650), BeforeValidator(_whole)]
Bounded = Annotated[Contents, AfterValidator(_holdable), AfterValidator(_bounded)]


class Body(BaseModel):
    """A body with the names of items, and with nothing that nobody knows."""

    stays: ClassVar[frozenset[str]] = frozenset()
    """What may be left out, but never cleared."""

    model_config = ConfigDict(
        alias_generator=camel_case,
        extra="forbid",
        str_strip_whitespace=True,
        validate_by_name=False,
    )

    def fields(self) -> dict[str, Any]:
        """What it says about a record, under the names of its fields."""
        return {name: self._stored(name) for name in self._told() - {"id", "version"}}

    def _stored(self, name: str) -> Any:
        value = getattr(self, name)
        told = name in _MOMENTS and value is not None
        return datetime.fromtimestamp(value, UTC) if told else value

    def _told(self) -> set[str]:
        return set(type(self).model_fields)


class _Change(Body):
    version: Version | None = None


class UserBody(_Change):
    """A user, as an admin may write it."""

    display_name: Line
    role: Role


class UserNew(UserBody):
    """A new user."""

    id: NewId | None = None


class PreferencesBody(Body):
    """How pages look for a user; null removes a choice, and the browser's applies again."""

    zone: ZoneName | None = Field(default=None, description="The time zone of pages.")
    language: Language | None = Field(default=None, description="The language of pages.")


class CategoryBody(_Change):
    """A category, as an editor may write it."""

    title: Line
    desc: Text | None = None
    slug: Slug | None = None
    order: Order | None = None


class CategoryNew(CategoryBody):
    """A new category; without a slug it gets one of its title or its id."""

    id: NewId | None = None


class PostBody(_Change):
    """An article, as an editor may write it."""

    stays = frozenset({"author_id"})

    category_id: Reference
    author_id: Reference | None = None
    title: Line
    contents: Bounded
    contents_format: Format | None = None
    thumbnail_url: Link | None = None
    expires_at: Seconds | None = None

    def fields(self) -> dict[str, Any]:
        """What it says about an article; an author can be replaced, but not left out."""
        told = super().fields()
        if told.get("author_id", "") is None:
            del told["author_id"]
        return told


class PostNew(PostBody):
    """A new post; its author is whoever writes it, unless an admin names another."""


class DraftNew(PostBody):
    """A new draft."""


class PublishBody(_Change):
    """For which version of the draft; nothing, for whichever there is."""


class BannerBody(_Change):
    """A banner, as an editor may write it."""

    title: Line
    desc: Text | None = None
    img_uri: Link
    btn1_text: Line | None = None
    btn1_link: Link | None = None
    btn2_text: Line | None = None
    btn2_link: Link | None = None
    expires_at: Seconds | None = None


class BannerNew(BannerBody):
    """A new banner."""

    id: NewId | None = None


class CompanyBody(_Change):
    """The company, as an admin may write it; other names are additional attributes.

    Additional attributes that are left out stay; null removes one.
    """

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"propertyNames": {"pattern": ATTRIBUTE_NAME}}
    )
    __pydantic_extra__: dict[AttributeName, Line | None]

    name: Line
    address: Text | None = None
    email: Mailbox | None = None
    fax: Line | None = None
    corp_num: Line | None = None
    ceo: Line | None = None
    hp: Line | None = None

    def fields(self) -> dict[str, Any]:
        """What it says about the company, with the additional attributes."""
        return {**super().fields(), **(self.model_extra or {})}


class ContactBody(Body):
    """A message of a visitor."""

    name: Line
    email: Mailbox
    company: Line | None = None
    title: Line | None = None
    referral: Line | None = None
    subject: Line
    message: Message
    website: Annotated[str, Field(max_length=200)] = Field(
        default="", description="Leave it empty: people do not see this field, programs fill it in."
    )


class ReplyBody(_Change):
    """What to write back to a visitor."""

    message: Message


class StatusBody(_Change):
    """How far an inquiry has come."""

    status: Status


class TokenNew(Body):
    """A new token."""

    user_id: Reference
    role: Role
    note: Line | None = None
    expires_in_days: Days | None = None


class _Partial(Body):
    """A body of which anything may be left out."""

    def _told(self) -> set[str]:
        return self.model_fields_set


@cache
def patch_of(body: type[Body]) -> type[Any]:
    """A body of which anything may be left out; null clears what may be empty."""
    fields: dict[str, Any] = {
        name: _optional(info, clears=name not in body.stays)
        for name, info in body.model_fields.items()
    }
    return create_model(
        body.__name__.replace("Body", "Patch"),
        __base__=(_Partial, body),
        __doc__="Some of it: what is left out stays, and null clears it.",
        **fields,
    )


def _optional(info: FieldInfo, *, clears: bool) -> tuple[Any, FieldInfo]:
    """The same field, that may be left out; what is not given is never looked at."""
    merged = copy(info)
    merged.default = None
    merged.json_schema_extra = _without_default
    return info.annotation if clears else get_args(info.annotation)[0], merged


def _without_default(made: dict[str, Any]) -> None:
    made.pop("default", None)


def checked_words(body: type[B], **words: Any) -> B:
    """A body of words that somebody typed; what cannot be is an error that says why."""
    return checked(body, {name: word for name, word in words.items() if word is not None})


def checked(body: type[B], fields: Mapping[str, Any]) -> B:
    """A body of these fields, None included; an invalid one is an error that says why."""
    try:
        return body.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UsageError(f"{where} cannot be so: {first['msg']}") from None
