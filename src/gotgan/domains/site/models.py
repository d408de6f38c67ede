"""The entities of the site, the pointers, guards and counters beside them, and users' roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_serializer,
)

from gotgan.domains.site.content import Contents, Format, detect_format, render
from gotgan.domains.site.keys import BY_TYPE, FEW_TYPES, SITE
from gotgan.store import (
    Attribute,
    Entity,
    Epoch,
    FewValues,
    Id,
    IndexKey,
    Key,
    KeyOnly,
    MessageText,
    Timestamp,
    camel_case,
)
from gotgan.store.schema import schema_of

Role = Literal["viewer", "editor", "admin"]

ROLES: Final[tuple[Role, ...]] = ("viewer", "editor", "admin")
"""From the least to the greatest."""


def allows(role: Role | None, needed: Role | None) -> bool:
    """Whether a role is enough; no role is the public, and nothing is needed of it."""
    if needed is None:
        return True
    return role is not None and ROLES.index(role) >= ROLES.index(needed)


def lower_role(one: Role, other: Role) -> Role:
    """The one of two roles that may do less."""
    return min(one, other, key=ROLES.index)


DOCUMENT_VERSION: Final = "v1.0.0"
"""The version of the schema document that this schema extends."""
SCHEMA_VERSION: Final = "v1.3.0"
"""The document's schema, plus versions, drafts, mails, tokens, button links and preferences."""

Status = Literal["new", "in_progress", "done"]


class SiteEntity(Entity):
    """What all of them have: an id, when they were made and changed, and how often."""

    read_by: ClassVar[Role | None] = "admin"
    """The least role that may read it; None is everybody."""
    written_by: ClassVar[Role | None] = None
    """The least role that may write it through the API; None means no role."""
    editable: ClassVar[tuple[str, ...]] = ()
    """The fields that can be written, of a type without a resource."""
    given_once: ClassVar[tuple[str, ...]] = ()
    """The fields that can be given when it is created, and stay."""
    stored_form: ClassVar[bool] = True
    """It is shown as its item is stored."""
    hidden: ClassVar[frozenset[str]] = frozenset()
    """Fields that are never shown."""
    shown_with: ClassVar[tuple[str, ...]] = ()
    """Properties that are shown besides, where they have a value."""
    is_open: ClassVar[bool] = False
    """Whether attributes beyond the fields are shown and can be written."""

    id: Id
    created_at: Annotated[Timestamp, Attribute("CreatedAt")]
    updated_at: Annotated[Timestamp | None, Attribute("UpdatedAt")] = None
    version: int = 1


# What is not text is ignored: other tools may use the attribute for something else.
_Preference = Annotated[
    str | None, BeforeValidator(lambda value: value if isinstance(value, str) else None)
]


class User(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A user of the site."""

    key = Key("USER#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "User", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = "viewer"
    written_by = "admin"

    id: Id = Field(examples=["u001"])
    display_name: str = Field(examples=["김대연"])
    role: Role = Field(examples=["admin"])
    zone: _Preference = Field(default=None, examples=["Asia/Seoul"])
    """The time zone that pages use for this user; None is the browser's."""
    language: _Preference = Field(default=None, examples=["ko"])
    """The language that pages use for this user, ``en`` or ``ko``; None is the browser's."""


class Category(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A category of posts. Its posts are in the same partition."""

    key = Key("CATEGORY#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Category", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = None
    written_by = "editor"

    id: Id = Field(examples=["c001"])
    title: str = Field(examples=["회사 소식"])
    desc: str | None = Field(default=None, examples=["보도자료 및 공지"])
    slug: str | None = Field(default=None, examples=["company-news"])
    """Another name in addresses: unique, and never changed."""
    order: int | None = Field(default=None, examples=[1])


class SiteArticle(SiteEntity):
    """What posts and drafts have in common."""

    shown_with = ("html",)

    id: Id = Field(examples=["p001"])
    category_id: Id = Field(examples=["c001"])
    author_id: Id = Field(examples=["u001"])
    title: str = Field(examples=["2025년 3월 사업보고서"])
    contents: Contents = Field(examples=["# 사업보고서"])
    contents_format: Format | None = None
    thumbnail_url: str | None = None
    expires_at: Epoch | None = None
    """When a notice ends; it is hidden from then on."""
    legacy_id: Id | None = None
    """The id that it had in the old tables; it still finds it."""
    author: str | None = None
    """The author's name as the old tables had it."""

    @property
    def html(self) -> str | None:
        """The contents as safe HTML, of an article that was read with it."""
        rendered: str | None = vars(self).get("rendered")
        return rendered

    def with_html(self) -> Self:
        """The same article with its contents as safe HTML."""
        article = self.model_copy()
        vars(article)["rendered"] = render(self.contents, self.format)
        return article

    @property
    def format(self) -> Format:
        """How the contents are written; detected where it is not given."""
        return self.contents_format or detect_format(self.contents)


class Post(SiteArticle, table=SITE, names=camel_case, version="version"):
    """A public article of the site, in the partition of its category."""

    key = Key("CATEGORY#{category_id}", "POST#{id}")
    by_type = IndexKey(BY_TYPE, "Post", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = None
    written_by = "editor"

    draft_id: Id | None = None
    """The id that it had as a draft; it still finds it."""


class Draft(SiteArticle, table=SITE, names=camel_case, version="version"):
    """An article that is not public yet."""

    key = Key("CATEGORY#{category_id}", "DRAFT#{id}")
    by_type = IndexKey(BY_TYPE, "Draft", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = "viewer"
    written_by = "editor"


class Banner(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A picture with text and two buttons."""

    key = Key("BANNER#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Banner", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = None
    written_by = "editor"

    id: Id = Field(examples=["bn001"])
    title: str = Field(examples=["2025 신규 프로젝트"])
    desc: str | None = Field(default=None, examples=["지금 문의하기"])
    img_uri: str = Field(examples=["https://cdn.example.com/banner/bn001.png"])
    btn1_text: str | None = Field(default=None, examples=["자세히 보기"])
    btn1_link: str | None = Field(default=None, examples=["/posts"])
    """Link of the first button."""
    btn2_text: str | None = Field(default=None, examples=["문의하기"])
    btn2_link: str | None = Field(default=None, examples=["/contact"])
    """Link of the second button."""
    expires_at: Epoch | None = None
    """When it ends; it is hidden from then on."""


class CorpInfo(SiteEntity, table=SITE, names=camel_case, version="version"):
    """The company record. There is only one."""

    key = Key("CORP#INFO", "METADATA")
    by_type = IndexKey(BY_TYPE, "CorpInfo", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = None
    written_by = "admin"
    is_open = True

    id: Literal["corp-info"] = "corp-info"
    name: str = Field(examples=["패밀리매니지먼트"])
    address: str | None = None
    email: str | None = Field(default=None, examples=["contact@example.com"])
    fax: str | None = None
    corp_num: str | None = Field(default=None, examples=["123-45-67890"])
    ceo: str | None = None
    hp: str | None = None

    @property
    def more(self) -> dict[str, Any]:
        """The additional attributes, by their names in the item."""
        return schema_of(CorpInfo).others(self)


class Reply(BaseModel):
    """The reply of the staff."""

    model_config = ConfigDict(frozen=True)

    message: str
    by: str
    at: str
    mail_id: str | None = Field(default=None, validation_alias=AliasChoices("mailId", "mail_id"))
    """The mail that took it to the visitor; one that came from elsewhere has none."""

    @model_serializer
    def _stored(self) -> dict[str, str]:
        """Under the names of an item, and nothing that is not there."""
        named = {"message": self.message, "by": self.by, "at": self.at, "mailId": self.mail_id}
        return {name: value for name, value in named.items() if value is not None}


class ContactInquiry(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A message that a visitor left."""

    key = Key("CONTACT#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "ContactInquiry", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = "viewer"
    written_by = "editor"
    editable = ("status",)

    name: str = Field(examples=["홍길동"])
    email: str = Field(examples=["user@example.com"])
    company: str | None = None
    title: str | None = None
    referral: str | None = None
    subject: str = Field(examples=["협업 문의"])
    message: str = Field(examples=["협업 관련해서 문의드립니다."])
    status: Status = "new"
    notified_email: str | None = None
    """Where the notice of it was sent, at the time."""
    first_reply_message: str | None = None
    replies: list[Reply] | None = None


class Mail(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A mail about an inquiry: a notice to the company, or a reply to the visitor."""

    key = Key("MAIL#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Mail", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = "viewer"

    inquiry_id: Id
    purpose: Literal["notice", "reply"]
    to: str | None = None
    """Where it went; of a notice this is known only when it is sent."""
    reply_to: str | None = None
    subject: str
    body: str
    status: Literal["queued", "sending", "sent"] = "queued"
    attempts: int = 0
    due_at: Timestamp | None = None
    """When it is tried next; None once it was sent."""
    last_error: MessageText | None = None
    sent_at: Timestamp | None = None


class Token(SiteEntity, table=SITE, names=camel_case, version="version"):
    """A credential of a user: an API token, or a browser session."""

    key = Key("USER#{user_id}", "TOKEN#{id}")
    by_type = IndexKey(BY_TYPE, "Token", "{created_at}", acknowledge=[FEW_TYPES])
    read_by = "admin"
    written_by = "admin"
    given_once = ("user_id", "role", "note", "expires_at")
    hidden = frozenset({"secret_hash"})

    user_id: Id
    user_since: Timestamp
    """When its user was made: it is no token of a later user with the same id."""
    role: Role
    kind: Literal["api", "session"] = "api"
    note: str | None = None
    secret_hash: str
    expires_at: Epoch | None = None
    revoked_at: Timestamp | None = None
    last_used_at: Timestamp | None = None


@dataclass(frozen=True)
class Caller:
    """The user of a request, and their role."""

    user: User
    token: Token | None
    """What they proved it with; None of a program that speaks for a user."""
    role: Role

    @classmethod
    def of(cls, user: User) -> Caller:
        """A user, with the role that they have."""
        return cls(user, None, user.role)


_FEW_MAILS: Final = FewValues(
    "visitors leave a few messages a day, and who leaves too many is refused; what was sent is gone"
)


class Adoption(Entity, table=SITE, names=camel_case):
    """Position of the adoption of records of other tools."""

    key = Key("ADOPTION", "METADATA", acknowledge=[FewValues("there is one such item")])

    cursor: str | None = None
    """Where the next run continues; none when it starts at the beginning."""
    finished_at: Timestamp | None = None
    """When all records were last read."""


class PostPointer(Entity, table=SITE, names=camel_case):
    """Location of a post or draft, by its current ID or any former one."""

    key = Key("POST#{asked}", "METADATA")

    asked: Annotated[Id, KeyOnly()]
    id: Id
    category_id: Id
    kind: Literal["post", "draft"]
    deleted_at: Timestamp | None = None
    """Of an old id whose post was deleted: a migration must not bring it back."""
    ends_at: Timestamp | None = None
    """Of an old id whose post expires: from then on it counts as deleted, too."""
    expires_at: Epoch | None = None


class SlugGuard(Entity, table=SITE, names=camel_case, identity="category_id"):
    """The category of a slug."""

    key = Key("SLUG#{slug}", "METADATA")

    slug: Annotated[Id, KeyOnly()]
    category_id: Id


class CategoryGuard(Entity, table=SITE, names=camel_case):
    """Counter of additions to a category; deleting a category checks that it is unchanged."""

    key = Key("CATEGORY_GUARD#{category_id}", "METADATA")

    category_id: Annotated[Id, KeyOnly()]
    changes: int = 0


class OutboxEntry(Entity, table=SITE, names=camel_case):
    """A mail waiting to be sent, and the time when it is due.

    A worker that takes it moves that time ahead: this is its claim and its lease.
    """

    key = Key("OUTBOX", "{due_at}#{mail_id}", acknowledge=[_FEW_MAILS])

    due_at: Annotated[Timestamp, KeyOnly()]
    mail_id: Annotated[Id, KeyOnly()]


class RateCounter(Entity, table=SITE, names=camel_case):
    """Number of messages of a sender within a period."""

    key = Key("RATE#{who}#{window}", "METADATA")

    who: Annotated[Id, KeyOnly()]
    window: Annotated[Timestamp, KeyOnly()]
    count: int = 0
    expires_at: Epoch


class SignInCode(Entity, table=SITE, names=camel_case):
    """A one-time sign-in code of a user."""

    key = Key("SIGN_IN#{digest}", "METADATA")
    hidden: ClassVar[frozenset[str]] = frozenset({"digest"})
    """As of every entity of the site: fields that are never shown."""

    digest: Annotated[Id, KeyOnly()]
    user_id: Id
    user_since: Timestamp
    """When the user was made: it does not sign in a later user with the same id."""
    expires_at: Epoch
