"""Parameters of the site's verbs: what each field of a record accepts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
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
from gotgan.clock import parse_moment
from gotgan.domains.site import messages
from gotgan.domains.site.content import Contents, Format
from gotgan.domains.site.mail_text import parse_mailbox
from gotgan.domains.site.models import Caller, CorpInfo, Role, Status
from gotgan.errors import UsageError
from gotgan.store.attributes import encode
from gotgan.store.engine.values import size_of
from gotgan.store.schema import schema_of
from gotgan.texts import Language

MAX_DEPTH: Final = 31
"""DynamoDB takes 32 levels, and the item itself is one."""
_MAX_EXACT: Final = 2**53
_MIN_FRACTION: Final = 1e-130


def unstorable_part(value: Any) -> tuple[str, str] | None:
    """What no item can hold of a value, by a word and a message; None where all of it fits."""
    for depth, part in _parts(value):
        if depth > MAX_DEPTH:
            return "contents_too_deep", messages.TOO_DEEP()
        # JSON represents whole numbers exactly only below 2^53.
        if (
            isinstance(part, int | float)
            and part != 0
            and not _MIN_FRACTION <= abs(part) < _MAX_EXACT
        ):
            return "contents_number", messages.BAD_NUMBER()
        if isinstance(part, dict) and "" in part:
            return "contents_name", messages.MEMBER_WITHOUT_NAME()
    return None


def _parts(value: Any) -> Iterator[tuple[int, Any]]:
    """Every part of a value with its level, down to the first that is too deep."""
    waiting = [(0, value)]
    while waiting:
        depth, part = waiting.pop()
        yield depth, part
        children = part.values() if isinstance(part, dict) else part
        if isinstance(part, dict | list):
            waiting += [(depth + 1, child) for child in children]


ATTRIBUTE_NAME: Final = r"^[A-Za-z][A-Za-z0-9_]{0,49}$"
MAX_ATTRIBUTES: Final = 50
MAX_LENGTH: Final = 200

_RESERVED: Final = frozenset(
    {*schema_of(CorpInfo).owned, "PK", "SK", "Type", "id", "version", "expiresAt"}
)


def name_problem(name: str) -> str | None:
    """Why an additional attribute cannot have this name, or one like a declared one; else None."""
    if not re.match(ATTRIBUTE_NAME, name):
        return messages.BAD_ATTRIBUTE_NAME()
    folded = name.replace("_", "").casefold()
    alike = (each for each in sorted(_RESERVED) if each.replace("_", "").casefold() == folded)
    meant = next(alike, None)
    return None if meant is None else messages.ATTRIBUTE_RESERVED(attribute=meant)


def expect_attributes(more: Mapping[str, Any], present: Collection[str]) -> None:
    """Refuse invalid additional attributes, or too many with those that are ``present``."""
    for name, value in more.items():
        problem = name_problem(name) or _value_problem(value)
        if problem:
            raise UsageError(messages.BAD_ATTRIBUTE(name=repr(name), problem=problem))
    removed = {name for name, value in more.items() if value is None}
    if len({*present, *more} - removed) > MAX_ATTRIBUTES:
        raise UsageError(messages.TOO_MANY_ATTRIBUTES(count=MAX_ATTRIBUTES))


def writable_attributes(more: Mapping[str, Any]) -> dict[str, str]:
    """The additional attributes that can be written; other tools may store more than those."""
    return {
        name: value
        for name, value in more.items()
        if not name_problem(name) and not _value_problem(value) and value.isprintable()
    }


def _value_problem(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and 0 < len(value) <= MAX_LENGTH):
        return None
    return messages.BAD_ATTRIBUTE_VALUE(most=MAX_LENGTH)


_MAX_CONTENT_BYTES: Final = 300_000
_LAST_SECOND: Final = 253_402_300_799
_CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_BREAKS: Final = rf"{_CONTROLS}\t\n"
_VISIBLE: Final = rf"[^\s\\{_BREAKS}]"
_LINK: Final = rf"^ *(https://{_VISIBLE}+|/|/(?!/){_VISIBLE}+) *$"


@dataclass(frozen=True)
class _SchemaMember:
    """Tells the schema what a check accepts, by a word of it; the check says it in a sentence."""

    word: str
    value: str

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core), self.word: self.value}


def _invalid(kind: str, message: str, **values: Any) -> PydanticCustomError:
    """The error of a value: a word for forms, and the message for everybody else."""
    return PydanticCustomError(kind, "{message}", {"message": message, **values})


def _one_line(text: str) -> str:
    if re.search(f"[{_BREAKS}]", text):
        raise _invalid("one_line", messages.ONE_LINE())
    return text


def _plain_text(text: str) -> str:
    if re.search(f"[{_CONTROLS}]", text.replace("\r\n", "\n")):
        raise _invalid("plain_text", messages.PLAIN_TEXT())
    return text


def _mailbox(text: str) -> str:
    if parse_mailbox(text) is None:
        raise _invalid("mailbox", messages.MAILBOX())
    return text.strip()


def _refuse_bool(value: Any) -> Any:
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
        return parse_moment(value, (info.context or {}).get("zone", "UTC"))
    except (OverflowError, TypeError, ValueError):
        raise _invalid("moment", messages.MOMENT()) from None


def _expect_storable(contents: Contents) -> Contents:
    problem = unstorable_part(contents)
    if problem is not None:
        raise _invalid(*problem)
    if size_of(encode(contents)) > _MAX_CONTENT_BYTES:
        most = messages.TOO_LONG(most=_MAX_CONTENT_BYTES)
        raise _invalid("contents_too_long", most, most=f"{_MAX_CONTENT_BYTES:,}")
    return contents


def _link(text: str) -> str:
    if not re.match(_LINK, text):
        raise _invalid("link", messages.LINK())
    return text


def _attribute_name(name: str) -> str:
    problem = name_problem(name)
    if problem is not None:
        raise _invalid("attribute_name", problem)
    return name


NewId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Reference = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^#]*[^#\s][^#]*$")]
Line = Annotated[
    str,
    Field(min_length=1, max_length=200),
    AfterValidator(_one_line),
    _SchemaMember("pattern", rf"^[^{_BREAKS}]*[^\s{_BREAKS}][^{_BREAKS}]*$"),
]
Text = Annotated[
    str,
    Field(max_length=2_000),
    AfterValidator(_plain_text),
    _SchemaMember("pattern", rf"^[^{_CONTROLS}]*$"),
]
Message = Annotated[
    str,
    Field(min_length=1, max_length=5_000, description="The message."),
    AfterValidator(_plain_text),
    _SchemaMember("pattern", rf"^[^{_CONTROLS}]*[^\s{_CONTROLS}][^{_CONTROLS}]*$"),
]
Mailbox = Annotated[
    str,
    Field(min_length=3, max_length=254, examples=["user@example.com"]),
    AfterValidator(_mailbox),
    _SchemaMember("format", "email"),
]
Link = Annotated[
    str,
    Field(max_length=2_000, examples=["https://cdn.example.com/banner/bn001.png"]),
    AfterValidator(_link),
    _SchemaMember("pattern", _LINK),
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
Order = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_refuse_bool)]
Days = Annotated[
    int,
    Field(ge=1, le=3_650, description="Days until it expires. Default: never."),
    BeforeValidator(_refuse_bool),
]
Bounded = Annotated[Contents, AfterValidator(_expect_storable)]


RecordId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        pattern=r"^[^#/]+$",
        description="ID of the record.",
        examples=["c001"],
    ),
]
Consistent = Annotated[bool, Field(description="Use a strongly consistent read (twice the cost).")]
Html = Annotated[bool, Field(description="Add the contents as safe HTML.")]
_VersionNumber = Annotated[
    int,
    Field(ge=0, le=_LAST_SECOND, description="Only if the record still has this version."),
    BeforeValidator(_refuse_bool),
]
Version = Annotated[_VersionNumber, verbs.Version()]
VersionRequired = Annotated[_VersionNumber, verbs.Version(is_required=True)]
By = Annotated[Caller | None, verbs.CurrentUser(), Field(description="Who calls.")]
More = Annotated[
    Mapping[AttributeName, Line | None],
    verbs.Extra(),
    Field(
        max_length=MAX_ATTRIBUTES,
        description="Additional attributes. Null removes one; omitted ones are kept.",
        json_schema_extra={"propertyNames": {"pattern": ATTRIBUTE_NAME}},
    ),
]
StatusName = Annotated[
    Status, Field(description="Status of the inquiry: new, in_progress or done.")
]
MailsShown = Annotated[
    Literal["waiting"], Field(description="Only mails waiting to be sent, those due first.")
]
Search = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="Words that must all be in the title or the contents. All posts up to the "
        "last match are read and billed; `read` counts them. A page can have fewer posts than "
        "`limit`.",
    ),
]
CategoryName = Annotated[
    str, Field(min_length=1, max_length=100, description="ID or slug of a category.")
]
Expires = Annotated[Moment, Field(description="When it expires. It is hidden from then on.")]


class UserFields(TypedDict, total=False):
    """A user."""

    id: Annotated[NewId, Field(description="ID of the user. Default: a new ID.")]
    display_name: Annotated[Line, Field(description="Name of the user.", examples=["김대연"])]
    role: Annotated[Role, Field(description="Role of the user.")]


class PreferenceFields(TypedDict, total=False):
    """How pages look for a user; None removes a choice, and the browser's applies again."""

    zone: ZoneName | None
    language: Annotated[Language | None, Field(description="Language of pages.")]


class CategoryFields(TypedDict, total=False):
    """A category."""

    id: Annotated[NewId, Field(description="ID of the category. Default: a new ID.")]
    title: Annotated[Line, Field(description="Title.", examples=["회사 소식"])]
    desc: Annotated[Text | None, Field(description="Description.")]
    slug: Annotated[
        Slug | None,
        Field(
            description="Name in URLs. Unique, and cannot be changed. Default: derived from the "
            "title."
        ),
    ]
    order: Annotated[Order | None, Field(description="Position in the list.")]


class ArticleFields(TypedDict, total=False):
    """A post or a draft."""

    category_id: Annotated[Reference, Field(description="ID of the category.", examples=["c001"])]
    author_id: Annotated[
        Reference, Field(description="ID of the author. Default: the calling user.")
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
    thumbnail_url: Annotated[Link | None, Field(description="URL of the thumbnail.")]
    expires_at: Expires | None


class BannerFields(TypedDict, total=False):
    """A banner."""

    id: Annotated[NewId, Field(description="ID of the banner. Default: a new ID.")]
    title: Annotated[Line, Field(description="Title.", examples=["2025 신규 프로젝트"])]
    desc: Annotated[Text | None, Field(description="Description.")]
    img_uri: Annotated[Link, Field(description="URL of the picture.")]
    btn1_text: Annotated[Line | None, Field(description="Text of the first button.")]
    btn1_link: Annotated[Link | None, Field(description="Link of the first button.")]
    btn2_text: Annotated[Line | None, Field(description="Text of the second button.")]
    btn2_link: Annotated[Link | None, Field(description="Link of the second button.")]
    expires_at: Expires | None


class CompanyFields(TypedDict, total=False):
    """The company."""

    name: Annotated[Line, Field(description="Name of the company.", examples=["패밀리매니지먼트"])]
    address: Annotated[Text | None, Field(description="Postal address.")]
    email: Annotated[
        Mailbox | None, Field(description="Email address. Notices of inquiries are sent to it.")
    ]
    fax: Annotated[Line | None, Field(description="Fax number.")]
    corp_num: Annotated[
        Line | None, Field(description="Registration number.", examples=["123-45-67890"])
    ]
    ceo: Annotated[Line | None, Field(description="Name of the chief executive.")]
    hp: Annotated[Line | None, Field(description="Telephone number.")]
