"""Parameters of the site's verbs: what each field of a record accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypedDict

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from gotgan import verbs
from gotgan.clock import moment_of
from gotgan.domains.site.additional import ATTRIBUTE_NAME, MAX_ATTRIBUTES, name_problem
from gotgan.domains.site.contents import Contents, Format
from gotgan.domains.site.letters import mailbox
from gotgan.domains.site.models import Caller, Status
from gotgan.domains.site.nesting import misfit
from gotgan.domains.site.roles import Role
from gotgan.store.attributes import encode
from gotgan.store.engine.values import size_of
from gotgan.texts import Language

__all__ = [
    "ArticleFields",
    "AttributeName",
    "BannerFields",
    "By",
    "CategoryFields",
    "CategoryName",
    "CompanyFields",
    "Consistent",
    "Days",
    "Expires",
    "Html",
    "Line",
    "Link",
    "Mailbox",
    "MailsShown",
    "Message",
    "Moment",
    "More",
    "NewId",
    "Order",
    "PreferenceFields",
    "RecordId",
    "Reference",
    "Search",
    "StatusName",
    "Text",
    "UserFields",
    "Version",
    "VersionRequired",
]

_MOST_BYTES: Final = 300_000
_LAST_SECOND: Final = 253_402_300_799
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


def _moment(value: Any, info: ValidationInfo) -> Any:
    """A time: seconds since 1970, as they are stored, or ISO text."""
    if isinstance(value, datetime):
        return value
    try:
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _LAST_SECOND:
            return datetime.fromtimestamp(value, UTC)
        return moment_of(value, (info.context or {}).get("zone", "UTC"))
    except (OverflowError, TypeError, ValueError):
        raise PydanticCustomError(
            "moment", "use a time such as 2026-01-13T12:00:00Z, or seconds since 1970"
        ) from None


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
    Field(min_length=1, max_length=5_000, description="The message."),
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
ZoneName = Annotated[
    str, Field(max_length=100, description="Time zone of pages.", examples=["Asia/Seoul"])
]
AttributeName = Annotated[str, AfterValidator(_attribute_name)]
Slug = Annotated[str, Field(max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": _LAST_SECOND},
                {"type": "string", "format": "date-time"},
            ],
            "examples": [1893456000],
        }
    ),
]
Order = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_whole)]
Days = Annotated[
    int,
    Field(ge=1, le=3_650, description="Days until it expires. Default: it never does."),
    BeforeValidator(_whole),
]
Bounded = Annotated[Contents, AfterValidator(_holdable), AfterValidator(_bounded)]


RecordId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        pattern=r"^[^#/]+$",
        description="The id of the record.",
        examples=["c001"],
    ),
]
Consistent = Annotated[
    bool, Field(description="Use a strongly consistent read, which costs twice as much.")
]
Html = Annotated[bool, Field(description="Add the contents as safe HTML.")]
_VersionNumber = Annotated[
    int,
    Field(ge=0, le=_LAST_SECOND, description="Only if the record still has this version."),
    BeforeValidator(_whole),
]
Version = Annotated[_VersionNumber, verbs.Version()]
VersionRequired = Annotated[_VersionNumber, verbs.Version(is_required=True)]
By = Annotated[Caller | None, verbs.CurrentUser(), Field(description="Who calls.")]
More = Annotated[
    Mapping[AttributeName, Line | None],
    verbs.Extra(),
    Field(
        max_length=MAX_ATTRIBUTES,
        description="Additional attributes; null removes one, and those left out stay.",
        json_schema_extra={"propertyNames": {"pattern": ATTRIBUTE_NAME}},
    ),
]
StatusName = Annotated[
    Status, Field(description="How far the inquiry is: new, in_progress or done.")
]
MailsShown = Annotated[
    Literal["waiting"], Field(description="Only mails still to be sent, those due first.")
]
Search = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="Words that must all be in the title or the contents. Every post on the way is "
        "read and billed, as `read` says, and a page may have fewer posts than `limit`.",
    ),
]
CategoryName = Annotated[
    str, Field(min_length=1, max_length=100, description="A category, by its id or slug.")
]
Expires = Annotated[Moment, Field(description="When it expires; it is hidden from then on.")]


# Fields of records


class UserFields(TypedDict, total=False):
    """A user."""

    id: Annotated[NewId, Field(description="Id of the user. Default: a new one.")]
    display_name: Annotated[Line, Field(description="Name of the user.", examples=["김대연"])]
    role: Annotated[Role, Field(description="What the user may do.")]


class PreferenceFields(TypedDict, total=False):
    """How pages look for a user; None removes a choice, and the browser's applies again."""

    zone: ZoneName | None
    language: Annotated[Language | None, Field(description="The language of pages.")]


class CategoryFields(TypedDict, total=False):
    """A category."""

    id: Annotated[NewId, Field(description="Id of the category. Default: a new one.")]
    title: Annotated[Line, Field(description="Title.", examples=["회사 소식"])]
    desc: Annotated[Text | None, Field(description="Description.")]
    slug: Annotated[
        Slug | None,
        Field(description="Name in addresses; unique, and never changed. Default: from the title."),
    ]
    order: Annotated[Order | None, Field(description="Position in the list.")]


class ArticleFields(TypedDict, total=False):
    """A post or a draft."""

    category_id: Annotated[Reference, Field(description="Id of the category.", examples=["c001"])]
    author_id: Annotated[
        Reference, Field(description="Id of the author. Default: whoever writes it.")
    ]
    title: Annotated[Line, Field(description="Title.", examples=["2025년 3월 사업보고서"])]
    contents: Annotated[
        Bounded,
        verbs.FromFile(),
        Field(
            description="Contents: Markdown, a tiptap document or text.", examples=["# 사업보고서"]
        ),
    ]
    contents_format: Annotated[
        Format | None, Field(description="Format of the contents. Default: detected.")
    ]
    thumbnail_url: Annotated[Link | None, Field(description="Address of the thumbnail.")]
    expires_at: Expires | None


class BannerFields(TypedDict, total=False):
    """A banner."""

    id: Annotated[NewId, Field(description="Id of the banner. Default: a new one.")]
    title: Annotated[Line, Field(description="Title.", examples=["2025 신규 프로젝트"])]
    desc: Annotated[Text | None, Field(description="Description.")]
    img_uri: Annotated[Link, Field(description="Address of the picture.")]
    btn1_text: Annotated[Line | None, Field(description="Text of the first button.")]
    btn1_link: Annotated[Link | None, Field(description="Where the first button leads.")]
    btn2_text: Annotated[Line | None, Field(description="Text of the second button.")]
    btn2_link: Annotated[Link | None, Field(description="Where the second button leads.")]
    expires_at: Expires | None


class CompanyFields(TypedDict, total=False):
    """The company."""

    name: Annotated[Line, Field(description="Name of the company.", examples=["패밀리매니지먼트"])]
    address: Annotated[Text | None, Field(description="Postal address.")]
    email: Annotated[
        Mailbox | None, Field(description="Email address; notices of inquiries go there.")
    ]
    fax: Annotated[Line | None, Field(description="Fax number.")]
    corp_num: Annotated[
        Line | None, Field(description="Registration number.", examples=["123-45-67890"])
    ]
    ceo: Annotated[Line | None, Field(description="Name of the chief executive.")]
    hp: Annotated[Line | None, Field(description="Telephone number.")]
